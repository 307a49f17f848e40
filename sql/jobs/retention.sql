/*
 * Daily retention. Idempotency records expire after 24 hours, and so do receipts of hooks, whose signatures are good
 * for 5 minutes. Readers check the age themselves, so rows may be deleted later than they expire.
 * (docs/specification/conventions.md#idempotency)
 *
 * The rows lie in 3 partitions, used in turn by day. The partition of the day before yesterday is also tomorrow's, and
 * is truncated. If that is missed, expired rows share it with live ones, and every lookup still works.
 * (docs/decisions/0008-ids-partitions-and-indexes.md)
 */
create function jobs.truncate_day() returns text
language plpgsql
security definer set search_path = ''
set lock_timeout = '500ms'
as $$
declare
  expired text;
begin
  select leaf.relname into expired
  from unnest(array['idempotency_records', 'response_rows', 'hook_receipts']) parent
  join pg_catalog.pg_class leaf on leaf.relnamespace = 'partitions'::regnamespace
    and leaf.relname = parent || '_' || times.day_partition(now() + interval '1 day')
  where pg_catalog.pg_relation_size(leaf.oid) > 0
  order by leaf.relname
  limit 1;
  if expired is not null then
    execute format('truncate partitions.%I', expired);
  end if;
  return expired;
exception
  when lock_not_available then
    return null; -- locked by another transaction; the next hourly call retries
end
$$;
comment on function jobs.truncate_day is 'Instead of row-level security: only worker may execute it. Truncates expired rows, and returns none. Truncates one partition of the day before yesterday; returns its name, or null if none can be truncated now.';
grant execute on function jobs.truncate_day to worker;

create function jobs.kept_for(parent text) returns interval
language sql stable
as $$
  select case
    when parent = 'audit_log' then settings.audit_retention
    when parent in ('steps', 'run_events') then settings.step_retention
    when parent = 'step_results' then interval '7 days'
    else settings.delivery_retention
  end
  from app.service_settings settings
$$;
comment on function jobs.kept_for is 'The retention of a table with weekly partitions; of results from the end of their run.';
