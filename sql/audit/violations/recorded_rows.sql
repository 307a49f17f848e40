/*
 * Rows that were written past the triggers, as with session_replication_role = replica: the audit log has no entry of
 * them, or another value, or they refer to a row that is not there. Each live row is compared with its own entries.
 *
 * Retention drops entries. A row that is older than the beginning of its chain is compared with the entries that remain.
 */
create view audit.recorded_tables (name, live) as
values
  ('organisations', 'true'),
  ('organisation_limits', 'true'),
  ('memberships', 'true'),
  ('invitations', 'row.accepted_at is null and row.revoked_at is null and row.expires_at > now()'),
  ('bots', 'row.deleted_at is null'),
  ('approvals', 'row.answered_at is null and row.expires_at > now()'),
  ('api_keys', 'row.revoked_at is null and row.expires_at > now()'),
  ('portal_sessions', 'row.revoked_at is null and row.expires_at > now()'),
  ('hooks', 'row.deleted_at is null'),
  ('routines', 'row.deleted_at is null'),
  ('webhook_endpoints', 'row.deleted_at is null'),
  ('service_settings', 'true'),
  ('retry_schedule', 'true');
comment on view audit.recorded_tables is 'Tables whose live rows are compared with the audit log, and which rows are live.';
grant select on audit.recorded_tables to auditor;

-- Both tables are older than their triggers: a row without an entry has the values of a new installation.
create view audit.first_values (name, fields) as
select 'service_settings', string_agg(format('%L, %s', rows.in_camel_case(attribute.attname), pg_get_expr(fallback.adbin, fallback.adrelid)), ', ')
from audit.logged_tables logged
join pg_catalog.pg_attribute attribute on attribute.attrelid = 'app.service_settings'::regclass and attribute.attname = any (logged.shown)
join pg_catalog.pg_attrdef fallback on fallback.adrelid = attribute.attrelid and fallback.adnum = attribute.attnum
where logged.name = 'service_settings'
union all
select 'retry_schedule', $$'attempt', row.attempt, 'delay', ('{1 minute,5 minutes,30 minutes,2 hours,8 hours}'::interval[])[row.attempt]$$;
comment on view audit.first_values is 'SQL for the values of rows that an installation starts with.';
grant select on audit.first_values to auditor;

create view audit.record_queries as
select listed.name, format(
  $query$
    select %1$L, %2$s, case when recorded.is_created or first.fields <> '{}' then 'another value in the audit log: ' || differing.names
        else 'no entry in the audit log' end
    from app.%3$I row
    cross join lateral (select json_build_object(%4$s)::jsonb) present (fields)
    left join app.audit_truncations truncation on truncation.organisation_id = %5$s
    cross join lateral (
      select coalesce(truncation.sequence, 0) = 0 or %6$s > (
        select entry.id from app.audit_log entry where entry.organisation_id = %5$s order by entry.id limit 1
      )
    ) chain (is_whole)
    cross join lateral (select case when chain.is_whole then jsonb_build_object(%7$s) else '{}' end) first (fields)
    cross join lateral (
      select coalesce(bool_or(entry.action = 'created'), false) as is_created,
        coalesce(jsonb_object_agg(field.key, field.value order by entry.id) filter (where field.key is not null), '{}') as fields
      from app.audit_log entry
      left join lateral json_each(entry.after) field on true
      where %8$s and entry.id > coalesce((
        select entry.id from app.audit_log entry where %8$s and entry.action = 'deleted' order by entry.id desc limit 1
      ), '00000000-0000-0000-0000-000000000000')
    ) recorded
    cross join lateral (
      select string_agg(field.key, ', ' order by field.key) as names
      from jsonb_each(first.fields || recorded.fields) field
      where present.fields ? field.key and present.fields -> field.key is distinct from field.value
    ) differing
    where %9$s and (
      differing.names is not null or chain.is_whole and not recorded.is_created and first.fields = '{}'
    )
  $query$,
  'app.' || listed.name, of_column.key, listed.name,
  of_column.fields || coalesce(', ''contentDigest'', ' || replace(logged.content, '%', 'row'), ''), of_column.organisation,
  case when of_column.has_id then 'row.id' else 'null' end, coalesce(known.fields, ''),
  format('entry.organisation_id = %s and entry.resource = %L and ', of_column.organisation, logged.resource)
    || case when logged.subject is not null then format('entry.resource_id = row.%I', logged.subject)
      -- Entries of app.retry_schedule and of app.service_settings have one resource.
      else concat_ws(' and ', 'entry.resource_id is null', coalesce(of_column.matches, 'coalesce(entry.after ->> ''attempt'', entry.before ->> ''attempt'') is null')) end,
  listed.live
) as query
from audit.recorded_tables listed
join audit.logged_tables logged on logged.name = listed.name
left join audit.first_values known on known.name = listed.name
cross join lateral (
  select string_agg(
      format(
        '%L, %s', rows.in_camel_case(attribute.attname),
        format(case when attribute.atttypid = 'timestamptz'::regtype then 'rows.time(row.%I)' else 'row.%I' end, attribute.attname)
      ), ', ' order by attribute.attnum
    ) filter (where attribute.attname = any (logged.shown)) as fields,
    string_agg(
      format('coalesce(entry.after ->> %1$L, entry.before ->> %1$L) = row.%2$I::text', rows.in_camel_case(attribute.attname), attribute.attname), ' and '
    ) filter (where attribute.attname <> 'organisation_id' and attribute.attname = any (logged.shown) and attribute.attnum = any (primary_key.conkey)) as matches,
    format('concat_ws('' '', null%s)', string_agg(format(', row.%I', attribute.attname), '' order by attribute.attnum)
      filter (where attribute.attnum = any (primary_key.conkey) and attribute.attname <> 'singleton')) as key,
    bool_or(attribute.attname = 'id') as has_id,
    case when bool_or(attribute.attname = 'organisation_id') then 'row.organisation_id'
      when listed.name = 'organisations' then 'row.id' else '''00000000-0000-0000-0000-000000000000''' end as organisation
  from pg_catalog.pg_attribute attribute
  join pg_catalog.pg_constraint primary_key on primary_key.conrelid = attribute.attrelid and primary_key.contype = 'p'
  where attribute.attrelid = ('app.' || listed.name)::regclass and attribute.attnum > 0 and not attribute.attisdropped
) of_column;
comment on view audit.record_queries is 'For each recorded table the query that finds its rows without their entries.';

create function audit.unrecorded_rows() returns table (table_name text, row_key text, problem text)
language plpgsql stable
security definer set search_path = ''
set enable_seqscan = off
set "IntervalStyle" = 'postgres'
as $$
declare
  listed record;
begin
  begin
    for listed in select queries.query from audit.record_queries queries order by queries.name loop
      return query execute listed.query;
    end loop;
  exception when insufficient_privilege then -- such as a schema of another owner: a finding, and not the end of the audit
    return query select 'app.audit_log', '', 'no comparison with the live rows: ' || sqlerrm;
  end;
  return query
    select * from audit.uncommanded_rows() commanded where commanded.problem is not null
    union all
    select * from audit.lost_rows()
    union all
    select * from audit.memories_of_others();
end
$$;
comment on function audit.unrecorded_rows is 'Instead of row-level security: only auditor may execute it. Returns ids only. Live rows without an entry in the audit log or in the operators'' log, or with another value, and rows that are gone without an entry.';
grant execute on function audit.unrecorded_rows to auditor;
