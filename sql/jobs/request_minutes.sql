/*
 * Retention of request counts. (service.count_requests, service.count_key_days, service.count_refused_credentials)
 */
create function jobs.delete_old_request_minutes(at_most integer default 20000) returns integer
language sql
security definer set search_path = ''
as $$
  with expired as (
    select counted.organisation_id, counted.minute
    from app.request_minutes counted
    where counted.minute < now() - interval '14 days'
    order by counted.minute
    limit at_most
  ), deleted as (
    delete from app.request_minutes counted
    using expired
    where counted.organisation_id = expired.organisation_id and counted.minute = expired.minute
    returning 1
  )
  select count(*)::integer from deleted
$$;
comment on function jobs.delete_old_request_minutes is 'Instead of row-level security: only worker may execute it. Deletes counts older than 14 days, and returns no row. At most 20,000 a call; returns how many.';
grant execute on function jobs.delete_old_request_minutes to worker;

create function jobs.delete_old_key_days(at_most integer default 20000) returns integer
language sql
security definer set search_path = ''
as $$
  with expired as (
    select counted.organisation_id, counted.key_id, counted.day
    from app.api_key_days counted
    where counted.day <= (now() at time zone 'UTC')::date - 90
    order by counted.day
    limit at_most
  ), deleted as (
    delete from app.api_key_days counted
    using expired
    where counted.organisation_id = expired.organisation_id and counted.key_id = expired.key_id and counted.day = expired.day
    returning 1
  )
  select count(*)::integer from deleted
$$;
comment on function jobs.delete_old_key_days is 'Instead of row-level security: only worker may execute it. Deletes counts older than 90 days, and returns no row. At most 20,000 a call; returns how many.';
grant execute on function jobs.delete_old_key_days to worker;

create function jobs.delete_old_refused_credentials(at_most integer default 20000) returns integer
language sql
security definer set search_path = ''
as $$
  with deleted as (
    delete from app.refused_credentials counted
    where counted.ctid = any (array(
      select expired.ctid from app.refused_credentials expired where expired.hour < now() - interval '30 days' limit at_most
    ))
    returning 1
  )
  select count(*)::integer from deleted
$$;
comment on function jobs.delete_old_refused_credentials is 'Instead of row-level security: only worker may execute it. Deletes counts older than 30 days, and returns no row. At most 20,000 a call; returns how many.';
grant execute on function jobs.delete_old_refused_credentials to worker;
