/*
 * Counts for the statistics of an endpoint, so that they cost as much as their hours and not as their deliveries. A worker
 * records outcomes under the lock of the endpoint, as everything does that ends a delivery: so no transaction waits for a
 * count. A pending delivery is not counted, because transactions that write events would then wait for each other.
 * (docs/specification/webhooks.md#statistics)
 */
create function triggers.tg_delivery_attempts__count() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  insert into app.endpoint_counts (organisation_id, endpoint_id, hour, counted, duration_ms, week_id, total)
  select made.organisation_id, made.endpoint_id, times.hour(made.started_at),
    rows.outcome(made.status_code, made.failure), made.duration_ms, times.week_id(made.delivery_id), count(*)
  from made
  group by 1, 2, 3, 4, 5, 6
  order by 1, 2, 3, 4, 5, 6
  on conflict (organisation_id, endpoint_id, hour, counted, duration_ms, week_id)
  do update set total = endpoint_counts.total + excluded.total;
  return null;
end
$$;
comment on function triggers.tg_delivery_attempts__count is 'Instead of row-level security: inserts with made.organisation_id. Counts the attempts for the statistics of their endpoints.';

create trigger _500_count after insert on app.delivery_attempts
  referencing new table as made
  for each statement execute function triggers.tg_delivery_attempts__count();

create function triggers.tg_deliveries__count() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  insert into app.endpoint_counts (organisation_id, endpoint_id, hour, counted, duration_ms, week_id, total)
  select change.organisation_id, change.endpoint_id, times.hour(uuid_extract_timestamp(change.id)), change.state::text, 0,
    times.week_id(change.id), sum(change.difference)
  from (
    select earlier.organisation_id, earlier.endpoint_id, earlier.id, earlier.state, -1 as difference from earlier
    union all
    select written.organisation_id, written.endpoint_id, written.id, written.state, 1 from written
  ) change
  where change.state <> 'pending'
  group by 1, 2, 3, 4, 5, 6
  having sum(change.difference) <> 0
  order by 1, 2, 3, 4, 5, 6
  on conflict (organisation_id, endpoint_id, hour, counted, duration_ms, week_id)
  do update set total = endpoint_counts.total + excluded.total;
  return null;
end
$$;
comment on function triggers.tg_deliveries__count is 'Instead of row-level security: inserts with change.organisation_id. Counts the ended deliveries for the statistics of their endpoints. A lease changes no count.';

create trigger _500_count after update on app.deliveries
  referencing old table as earlier new table as written
  for each statement execute function triggers.tg_deliveries__count();

-- Once, as the counts are introduced. The tables are locked meanwhile.
select jobs.count_endpoints() where not exists (select from app.endpoint_counts);
