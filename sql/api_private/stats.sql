create function api_private.delivery_counts(endpoint uuid, since timestamptz, until timestamptz)
returns table (hour timestamptz, counts json)
language sql stable
as $$
  -- The bounds of each hour are computed first: behind a policy, a condition with a function that is not leakproof
  -- would not use the index.
  with hours as materialized (
    select begin, times.least_id(begin) as first, times.least_id(begin + interval '1 hour') as past
    from generate_series(since, until - interval '1 hour', interval '1 hour') begin
  )
  select
    hours.begin,
    json_build_object(
      'total', count(delivery.id),
      'pending', count(*) filter (where delivery.state = 'pending'),
      'delivered', count(*) filter (where delivery.state = 'delivered'),
      'failed', count(*) filter (where delivery.state = 'failed'),
      'successShare', rows.share(
        count(*) filter (where delivery.state = 'delivered'), count(*) filter (where delivery.state <> 'pending')
      )
    )
  from hours
  left join app.deliveries delivery
    on delivery.endpoint_id = endpoint and delivery.id >= hours.first and delivery.id < hours.past
    -- Redundant, but limits any join plan to the weekly partitions of these hours.
    and delivery.id >= times.least_id(since) and delivery.id < times.least_id(until)
  group by grouping sets ((hours.begin), ())
$$;
comment on function api_private.delivery_counts is 'Deliveries to an endpoint by the hour of their creation, with empty hours; the total has a null hour.';
grant execute on function api_private.delivery_counts to tenant;

create function api_private.attempt_counts(endpoint uuid, since timestamptz, until timestamptz)
returns table (hour timestamptz, counts json)
language sql stable
as $$
  with hours as materialized (
    select begin, begin + interval '1 hour' as past
    from generate_series(since, until - interval '1 hour', interval '1 hour') begin
  ),
  timed as (
    select
      hours.begin, attempt.duration_ms, attempt.failure, attempt.number is not null as made,
      attempt.failure is null and attempt.status_code between 200 and 299 as succeeded
    from hours
    left join app.delivery_attempts attempt
      on attempt.endpoint_id = endpoint and attempt.started_at >= hours.begin and attempt.started_at < hours.past
      and attempt.started_at >= since and attempt.started_at < until -- for the planner, as above
  )
  select
    timed.begin,
    json_build_object(
      'total', count(*) filter (where made),
      'succeeded', count(*) filter (where succeeded),
      'failed', count(*) filter (where made and not succeeded),
      'successShare', rows.share(count(*) filter (where succeeded), count(*) filter (where made)),
      'durationMs', rows.percentiles(percentile_disc(array[0.5, 0.95, 0.99]) within group (order by duration_ms)),
      'failures', json_build_object(
        'status', count(*) filter (where made and not succeeded and failure is null),
        'address', count(*) filter (where failure = 'address'),
        'dns', count(*) filter (where failure = 'dns'),
        'redirect', count(*) filter (where failure = 'redirect'),
        'size', count(*) filter (where failure = 'size'),
        'timeout', count(*) filter (where failure = 'timeout'),
        'transport', count(*) filter (where failure = 'transport'),
        'scheme', count(*) filter (where failure = 'scheme')
      )
    )
  from timed
  group by grouping sets ((timed.begin), ())
$$;
comment on function api_private.attempt_counts is 'Attempts at an endpoint by the hour of their start, with empty hours; the total has a null hour.';
grant execute on function api_private.attempt_counts to tenant;
