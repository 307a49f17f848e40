/*
 * Organisation, for its members and for platform keys. (docs/specification/organisation-and-me.md#organisation)
 */
create view rows.organisations with (security_invoker = true) as
select
  organisation.id,
  organisation.name,
  organisation.kind,
  organisation.billing_state as "billingState",
  rows.time(organisation.trial_ends_at) as "trialEndsAt",
  rows.time(organisation.created_at) as "createdAt"
from app.organisations organisation;
grant select on rows.organisations to tenant;

create view rows.created_organisations with (security_invoker = true) as
select
  organisation.*,
  (
    select row_to_json(owner)
    from (
      select person.id as "userId", person.email,
        -- A platform key sees no data of other organisations. So it sees no name that the person got elsewhere: the
        -- name of a person older than the organisation, or of an earlier member of another organisation. Ids follow the order of
        -- time.
        case when person.id > organisation.id and not exists (
          select from app.memberships elsewhere where elsewhere.person_id = person.id and elsewhere.id < member.id
        ) then person.display_name end as "displayName"
      from app.memberships member
      join app.people person on person.id = member.person_id
      where member.organisation_id = organisation.id and member.role = 'owner'
      order by member.created_at, member.person_id
      limit 1
    ) owner
  ) as owner
from rows.organisations organisation;
comment on view rows.created_organisations is 'An organisation with its first owner. The owner''s name is shown if the person got it in this organisation.';
grant select on rows.created_organisations to tenant;

create function rows.use("limit" bigint, used bigint) returns json
language sql immutable parallel safe
as $$ select row_to_json(pair) from (select use."limit", use.used) pair $$;
comment on function rows.use is 'A limit, null for none, and how much of it is used.';
grant execute on function rows.use to tenant;
