/*
 * The tables and rows of an organisation, from the catalogue: a new table is moved and deleted without further code.
 * For moves (src/cells/moves) and deletions (sql/jobs/deletions.sql). No login may read these views.
 */
-- Rows go before the rows that they refer to. A reference in a circle becomes null, so its foreign key says ON DELETE SET NULL.
create view service.places_of_tables as
with recursive reference as (
  select distinct coalesce(pg_partition_root(referring.conrelid), referring.conrelid) as referring,
    coalesce(pg_partition_root(referring.confrelid), referring.confrelid) as referred
  from pg_catalog.pg_constraint referring
  where referring.contype = 'f' and referring.confdeltype <> 'n'
), place (relation, depth) as (
  select class.oid, 0 from pg_catalog.pg_class class where class.relnamespace = 'app'::regnamespace and class.relkind in ('r', 'p')
    and not class.relispartition
  union
  select reference.referred, place.depth + 1
  from place
  join reference on reference.referring = place.relation
  where place.depth < 30 -- a circle would have no end
)
select relation, row_number() over (order by max(depth), relation::regclass::text) as place
from place
group by relation;
comment on view service.places_of_tables is 'Tables in the order in which the rows of an organisation are deleted.';

create view service.moved_tables as
select class.relname::text as name, attribute.attname::text as key, quote_ident(class.relname) as quoted,
  class.relpersistence = 'p' and class.relname not in ('audit_leaves', 'audit_faults') as is_carried,
  class.relname in ('audit_log', 'audit_chain_heads', 'audit_truncations', 'audit_leaves', 'audit_faults') as is_kept,
  array(
    select referring.attname::text
    from pg_catalog.pg_constraint reference
    join pg_catalog.pg_attribute referring
      on referring.attrelid = reference.conrelid and referring.attnum = any (reference.conkey)
    where reference.conrelid = class.oid and reference.contype = 'f'
      and reference.confrelid = 'app.operator_tokens'::regclass
  ) || case class.relname when 'audit_streams' then '{checkpoint, part_checkpoint}'::text[] else '{}' end as left_out, places.place
from pg_catalog.pg_class class
join service.places_of_tables places on places.relation = class.oid
join pg_catalog.pg_attribute attribute
  on attribute.attrelid = class.oid and not attribute.attisdropped
  and attribute.attname = case class.relname when 'organisations' then 'id' else 'organisation_id' end
where class.relnamespace = 'app'::regnamespace and class.relkind in ('r', 'p') and class.relname not in ('organisation_moves', 'organisation_deletions')
order by class.relname;
comment on view service.moved_tables is 'Tables with rows of organisations. is_carried: copied to the target. is_kept: not deleted at the source, whose signed tree covers the rows. left_out: columns that refer to operators or checkpoints of the cluster. place: in the order of deletion.';

create view service.references_to_people as
select reference.conrelid::regclass::text as table_name, quote_ident(attribute.attname) as column_name
from pg_catalog.pg_constraint reference
join pg_catalog.pg_attribute attribute on attribute.attrelid = reference.conrelid and attribute.attnum = reference.conkey[1]
where reference.confrelid = 'app.people'::regclass and reference.contype = 'f' and reference.conparentid = 0;
comment on view service.references_to_people is 'Columns that refer to people.';

create function service.people_of(organisation uuid) returns setof app.people
language plpgsql
as $$
declare
  query text;
begin
  select string_agg(format('select %s from %s where organisation_id = $1', column_name, table_name), ' union ')
  into query
  from service.references_to_people;
  return query execute 'select person.* from app.people person where person.id in (' || query || ')' using organisation;
end
$$;
comment on function service.people_of is 'People to whom rows of an organisation refer. For the administrator.';

-- Hooks are also found by their ids: in the functions below, since a view would hide the index.
create view service.credentials as
select key.organisation_id, key.digest, key.revoked_at is null and key.expires_at > now() as is_live from app.api_keys key
union all
select hook.organisation_id, hook.secret_digest, hook.deleted_at is null from app.hooks hook
union all
select session.organisation_id, session.link_digest, session.expires_at > now() from app.portal_sessions session
union all
select session.organisation_id, session.session_digest, session.expires_at > now() from app.portal_sessions session
union all
select code.organisation_id, code.digest, code.expires_at > now() from app.authorization_codes code
union all
select invitation.organisation_id, invitation.token_digest, true from app.invitations invitation
union all
select approval.organisation_id, approval.token_digest, true from app.approvals approval;
comment on view service.credentials is 'Digests of the credentials of organisations, also of used links.';

create function service.credentials_of(organisation uuid) returns bytea[]
language sql
as $$
  select coalesce(array_agg(digest), '{}')
  from (
    select credential.digest from service.credentials credential
    where credential.organisation_id = organisation and credential.is_live and credential.digest is not null
    union all
    select uuid_send(hook.id) from app.hooks hook where hook.organisation_id = organisation and hook.deleted_at is null
  ) of_organisation (digest)
$$;
comment on function service.credentials_of is 'Digests of the live credentials of an organisation. For the administrator.';

create function service.organisation_of(credential bytea) returns json
language sql stable
security definer set search_path = ''
as $$
  select json_build_object('organisationId', organisation, 'isElsewhere', organisation is null and exists (
    select from app.organisation_moves move where move.credentials @> array[credential] and move.state in ('arriving', 'departed')
  ))
  from (
    select coalesce(
      (select known.organisation_id from service.credentials known where known.digest = credential),
      (select hook.organisation_id from app.hooks hook where octet_length(credential) = 16 and hook.id = encode(credential, 'hex')::uuid)
    )
  ) of_credential (organisation)
$$;
comment on function service.organisation_of is 'Instead of row-level security: known.digest = credential, or for a hook hook.id = credential. Returns the organisation of a credential, live or not, and nothing else. A hook is found by its id. For an API that serves several clusters.';
grant execute on function service.organisation_of to tenant;

create function service.deleted_organisations() returns json
language sql stable
security definer set search_path = ''
as $$
  select coalesce(json_agg(deletion.organisation_id), '[]')
  from app.organisation_deletions deletion
  where deletion.ended_at is not null
    and not exists (select from app.organisations organisation where organisation.id = deletion.organisation_id)
$$;
comment on function service.deleted_organisations is 'Instead of row-level security: reads app.organisation_deletions and app.organisations only. Returns ids of organisations whose deletion has ended and that were not brought back.';
grant execute on function service.deleted_organisations to tenant;
