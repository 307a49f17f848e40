/*
 * Where a person's data lie, how much there is, and who could act in an organisation at a past time. Both follow from the
 * catalogue and the audit log, so a new column is in the answers. Auditors see ids and counts, and no content.
 */
create view audit.person_columns as
with columns as (
  select tables.name as table_name, tables.oid, tables.relname, attribute.attname::text as column_name, attribute.attnum,
    format_type(attribute.atttypid, null) as type, tables.organisation is not null as of_organisation,
    exists (
      select from pg_catalog.pg_constraint reference
      where reference.conrelid = tables.oid and reference.contype = 'f' and reference.confrelid = 'app.people'::regclass
        and attribute.attnum = any (reference.conkey)
      union all
      select from pg_catalog.pg_constraint reference
      where reference.conrelid = tables.oid and reference.contype = 'f' and reference.confrelid = 'app.memberships'::regclass
        and attribute.attnum = any (reference.conkey) and attribute.attname <> 'organisation_id'
    ) as refers
  from audit.tables
  join pg_catalog.pg_attribute attribute on attribute.attrelid = tables.oid and attribute.attnum > 0 and not attribute.attisdropped
  where tables.schema = 'app'
)
select columns.table_name, columns.column_name, columns.type, found.holds
from columns
cross join lateral (
  select case
    when columns.relname = 'people' then case columns.column_name when 'id' then 'person' else 'identity' end
    when columns.type = 'uuid' and (columns.refers or columns.column_name in ('person_id', 'member_id')) then 'person'
    when columns.column_name ~ '(^|_)(email|recipient|ip|ips|address)(_|$)' then 'address'
    when columns.of_organisation and columns.type in ('text', 'json', 'jsonb', 'text[]', 'tsvector', 'character varying') then 'text'
    when columns.of_organisation and columns.column_name ~ '(^|_)(digest|sealed)(_|$)' then 'secret'
  end as holds
) found
where found.holds is not null;
comment on view audit.person_columns is 'Columns that can hold data of a person. person: the id of a person. identity: of the person itself. address: of mail or network. text: what people, bots or services wrote. secret: sealed, or a digest.';
grant select on audit.person_columns to auditor;

create function audit.places_of_person(person uuid)
returns table (table_name text, column_name text, condition text)
language sql stable
as $$
  select listed.table_name, listed.column_name, format(
    case listed.holds when 'person' then 'row.%1$I = %2$L'
      when 'address' then 'lower(row.%1$I) = (select lower(email) from app.people where id = %2$L)'
      else 'position(%2$L in row.%1$I::text) > 0' end,
    listed.column_name, person
  )
  from (
    select listed.table_name, listed.column_name, listed.holds, listed.type from audit.person_columns listed
    union all
    values ('app.audit_log', 'resource_id', 'person', 'uuid'), ('app.operator_actions', 'subject_id', 'person', 'uuid')
  ) listed (table_name, column_name, holds, type)
  where listed.holds = 'person' or listed.holds = 'address' and listed.type = 'text' or listed.type in ('json', 'jsonb')
  union all -- what belongs to the person's runs and conversations
  select child.name, names.of_child, format('(%s) in (select %s from %s parent where parent.person_id = %L)',
    names.of_child, names.of_parent, parent.name, person)
  from pg_catalog.pg_constraint reference
  join audit.tables child on child.oid = reference.conrelid and child.schema = 'app'
  join audit.tables parent on parent.oid = reference.confrelid
  cross join lateral (
    select string_agg(format('row.%I', of_child.attname), ', ' order by key.place) as of_child,
      string_agg(format('parent.%I', of_parent.attname), ', ' order by key.place) as of_parent
    from unnest(reference.conkey, reference.confkey) with ordinality key (child, parent, place)
    join pg_catalog.pg_attribute of_child on of_child.attrelid = child.oid and of_child.attnum = key.child
    join pg_catalog.pg_attribute of_parent on of_parent.attrelid = parent.oid and of_parent.attnum = key.parent
  ) names
  where reference.contype = 'f'
    and parent.name in (select own.table_name from audit.person_columns own where own.holds = 'person' and own.column_name = 'person_id')
    and child.name not in (select own.table_name from audit.person_columns own where own.holds = 'person')
$$;
comment on function audit.places_of_person is 'The columns that can lead to rows of a person, each with its condition as SQL: the id, also inside JSON, the address of the person, and references to the person''s runs and conversations. For functions of owner only.';

create function audit.data_of_person(person uuid)
returns table (organisation_id uuid, table_name text, column_name text, rows bigint)
language plpgsql stable
security definer set search_path = ''
as $$
declare
  place record;
begin
  perform audit.require_subject(person, null, 'audit.data_of_person(person)');
  for place in
    select found.*, case when tables.organisation is null then 'null::uuid' else 'row.organisation_id' end as organisation
    from audit.places_of_person(person) found
    join audit.tables on tables.name = found.table_name
    order by found.table_name, found.column_name
  loop
    return query execute format(
      'select %s, %L, %L, count(*) from %s row where %s group by 1',
      place.organisation, place.table_name, place.column_name, place.table_name, place.condition
    );
  end loop;
end
$$;
comment on function audit.data_of_person is 'Instead of row-level security: only auditor may execute it. Returns counts only. The rows that name this person, have the person''s address or belong to the person''s runs, by organisation, table and column. It reads each table.';
grant execute on function audit.data_of_person to auditor;

create function audit.queries_of_person(person uuid)
returns table (table_name text, query text)
language sql stable
security definer set search_path = ''
as $$
  select place.table_name, format('select * from %s row where %s;', place.table_name, string_agg(place.condition, ' or ' order by place.column_name))
  from audit.places_of_person(person) place
  where audit.require_subject(person, null, 'audit.queries_of_person(person)')
  group by place.table_name
  order by place.table_name
$$;
comment on function audit.queries_of_person is 'Instead of row-level security: only auditor may execute it. The auditor gets text with the id of the person. One query for each table with rows of this person. The administrator runs them: auditor reads no table.';
grant execute on function audit.queries_of_person to auditor;

/*
 * From the present backwards: each value is what the first later entry says was before it, else the present one. So entries
 * that retention has dropped are not needed.
 */
create function audit.past_state(organisation uuid, of_resource text, id uuid, present jsonb, moment timestamptz) returns jsonb
language sql stable
as $$
  with later as (
    select entry.id, entry.action::text as action, entry.before::jsonb as before
    from app.audit_log entry
    where entry.organisation_id = past_state.organisation and entry.resource = of_resource and entry.resource_id = past_state.id
      and entry.id >= times.least_id(moment)
  )
  select case
    when first.action = 'created' then null
    else coalesce(present, '{}') || coalesce((
      select jsonb_object_agg(changed.key, changed.value)
      from (
        select distinct on (field.key) field.key, field.value
        from later, jsonb_each(case jsonb_typeof(later.before) when 'object' then later.before else '{}' end) field
        order by field.key, later.id
      ) changed
    ), '{}')
  end
  from (values (1)) one (row)
  left join lateral (select later.action from later order by later.id limit 1) first on true
  where present is not null or first.action is not null
$$;
comment on function audit.past_state is 'The recorded values of a row at an earlier time; null if it was not there. For functions of owner only.';

create function audit.authority(organisation uuid, moment timestamptz)
returns table (kind text, id uuid, person_id uuid, allows text, until timestamptz)
language plpgsql stable
security definer set search_path = ''
as $$
begin
  perform audit.require_subject(null, organisation, 'audit.authority(organisation, moment)');
  if moment is null or moment > now() then
    perform audit.refuse('The moment is not in the past.', 'audit.authority(organisation, now() - interval ''1 day'')');
  end if;
  return query
    with known as (
      select 'member' as resource, member.person_id as id, jsonb_build_object('role', member.role) as present
      from app.memberships member
      where member.organisation_id = organisation
        and coalesce(member.created_at, '-infinity') <= moment
      union all
      select 'key', key.id, jsonb_build_object('scope', key.scope, 'createdBy', key.created_by, 'expiresAt', key.expires_at, 'revokedAt', key.revoked_at)
      from app.api_keys key
      where key.organisation_id = organisation and key.created_at <= moment
      union all
      select 'portal_session', session.id, jsonb_build_object('personId', session.person_id, 'readOnly', session.read_only, 'expiresAt', session.expires_at, 'revokedAt', session.revoked_at)
      from app.portal_sessions session
      where session.organisation_id = organisation and session.created_at <= moment
      union all -- rows that are gone
      select distinct entry.resource, entry.resource_id, null::jsonb
      from app.audit_log entry
      where entry.organisation_id = organisation and entry.resource in ('member', 'portal_session') and entry.action = 'deleted'
        and entry.id >= times.least_id(moment)
    ), distinct_rows as (
      select known.resource, known.id, (array_agg(known.present) filter (where known.present is not null))[1] as present
      from known
      group by known.resource, known.id
    ), past as (
      select listed.resource, listed.id, audit.past_state(organisation, listed.resource, listed.id, listed.present, moment) as state
      from distinct_rows listed
    )
    select past.resource, past.id,
      case past.resource when 'member' then past.id else coalesce(past.state ->> 'createdBy', past.state ->> 'personId')::uuid end,
      coalesce(past.state ->> 'role', past.state ->> 'scope', case past.state ->> 'readOnly' when 'true' then 'read' else 'act' end),
      (past.state ->> 'expiresAt')::timestamptz
    from past
    where past.state is not null
      and coalesce((past.state ->> 'revokedAt')::timestamptz, 'infinity') > moment
      and coalesce((past.state ->> 'expiresAt')::timestamptz, 'infinity') > moment
    order by 1, 2;
end
$$;
comment on function audit.authority is 'Instead of row-level security: only auditor may execute it. Returns ids only. The members, keys and portal sessions of an organisation at a past time, with the role or scope that each had then.';
grant execute on function audit.authority to auditor;

create function audit.changes_of_others(person uuid, since timestamptz default now() - interval '7 days')
returns table (
  created_at timestamptz, organisation_id uuid, actor text, by_person uuid, operator text, action text, resource text, resource_id uuid,
  changed text[], reason text
)
language sql stable
security definer set search_path = ''
as $$
  with theirs as (
    select changes_of_others.person as id where audit.require_subject(changes_of_others.person, null, 'audit.changes_of_others(person, since)')
    union
    select key.id from app.api_keys key where key.created_by = changes_of_others.person
    union
    select session.id from app.portal_sessions session where session.person_id = changes_of_others.person
    union
    select bot.id from app.bots bot where bot.owner_id = changes_of_others.person
  )
  select entry.created_at, entry.organisation_id, entry.actor::text, entry.person_id, entry.operator, entry.action::text, entry.resource,
    entry.resource_id, entry.changed, entry.reason
  from app.audit_log entry
  where entry.resource_id in (select theirs.id from theirs) and entry.person_id is distinct from changes_of_others.person
    and entry.id >= times.least_id(greatest(since, 'epoch'))
  union all
  select action.created_at, action.organisation_id, 'operator', null, action.operator, action.action, 'operator action', action.subject_id, '{}', action.reason
  from app.operator_actions action
  where action.subject_id in (select theirs.id from theirs) and action.created_at >= coalesce(since, '-infinity')
  order by 1
$$;
comment on function audit.changes_of_others is 'Instead of row-level security: only auditor may execute it. Returns ids only. What others did to a person''s membership, keys, portal sessions and bots, with the operators'' reasons.';
grant execute on function audit.changes_of_others to auditor;
