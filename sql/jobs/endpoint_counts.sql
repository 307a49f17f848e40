/* Counts all ended deliveries and all attempts again. (sql/triggers/endpoint_counts.sql) */
create function jobs.count_endpoints() returns void
language sql
as $$
  delete from app.endpoint_counts;
  select jobs.make_week(week.monday)
  from (
    select distinct to_date(substring(leaf.relname from '_(\d{8})$'), 'YYYYMMDD')::timestamp at time zone 'UTC'
    from pg_catalog.pg_inherits inheritance
    join pg_catalog.pg_class leaf on leaf.oid = inheritance.inhrelid
    where inheritance.inhparent = 'app.deliveries'::regclass
  ) week (monday);
  insert into app.endpoint_counts (organisation_id, endpoint_id, hour, counted, duration_ms, week_id, total)
  select counted.*, count(*)
  from (
    select attempt.organisation_id, attempt.endpoint_id, times.hour(attempt.started_at),
      rows.outcome(attempt.status_code, attempt.failure), attempt.duration_ms, times.week_id(attempt.delivery_id)
    from app.delivery_attempts attempt
    union all
    select delivery.organisation_id, delivery.endpoint_id, times.hour(delivery.created_at), delivery.state::text, 0,
      times.week_id(delivery.id)
    from app.deliveries delivery
    where delivery.state <> 'pending'
  ) counted
  group by 1, 2, 3, 4, 5, 6
$$;
comment on function jobs.count_endpoints is 'Replaces the counts of all endpoints. The caller has locked deliveries and attempts.';
