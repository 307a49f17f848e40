/*
 * The maximum of a limit, the organisation's own or else the default, and its use.
 */
create view limits.maximums as
select
  organisation.id as organisation_id, defined.name, defined.position, defined.unit, defined.label, defined.reason,
  case
    when own.name is not null then own.maximum
    when inherited.name is not null then inherited.maximum
    else coalesce(defined.maximum, source.maximum)
  end as maximum
from app.organisations organisation
cross join app.limits defined
left join app.limits source on source.name = defined.default_from
left join app.organisation_limits own on own.organisation_id = organisation.id and own.name = defined.name
left join app.organisation_limits inherited
  on inherited.organisation_id = organisation.id and inherited.name = defined.default_from;
comment on view limits.maximums is 'The limits of each organisation. A maximum of null is no limit.';

create view limits.used as
select part.organisation_id, part.name, max(part.used)::bigint as used
from (
  select counted.organisation_id, counted.name, sum(counted.amount) as used
  from limits.counted
  group by counted.organisation_id, counted.name, counted.part
) part
group by part.organisation_id, part.name;
comment on view limits.used is 'How much of each limit an organisation uses; of a limit per part, the part that uses most. A limit without a row is unused.';

create function limits.of_organisation(organisation uuid, names text[] default null)
returns table (name text, "position" smallint, unit text, label text, maximum bigint, used bigint)
language sql stable
security definer set search_path = ''
as $$
  select
    maximums.name, maximums.position, maximums.unit, maximums.label, maximums.maximum, coalesce(used.used, 0)
  from limits.maximums
  left join limits.used
    on used.organisation_id = of_organisation.organisation and used.name = maximums.name
    and (names is null or used.name = any (names))
  where maximums.organisation_id = of_organisation.organisation and (names is null or maximums.name = any (names))
  order by maximums.position
$$;
comment on function limits.of_organisation is 'Instead of row-level security: maximums.organisation_id = of_organisation.organisation, which definitions_within_request bounds to the organisation of the request. All limits, or those with the given names.';
grant execute on function limits.of_organisation to tenant, operator;
