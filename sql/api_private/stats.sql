create function api_private.delivery_counts(endpoint uuid, since timestamptz, until timestamptz)
returns table (hour timestamptz, counts json)
language sql stable
as $$
  select
    each.hour,
    json_build_object(
      'total', sum(each.total),
      'pending', coalesce(sum(each.total) filter (where each.state = 'pending'), 0),
      'delivered', coalesce(sum(each.total) filter (where each.state = 'delivered'), 0),
      'failed', coalesce(sum(each.total) filter (where each.state = 'failed'), 0),
      'successShare', rows.share(
        coalesce(sum(each.total) filter (where each.state = 'delivered'), 0)::bigint,
        sum(each.total) filter (where each.state <> 'pending')::bigint
      )
    )
  from (
    select counted.hour, counted.counted as state, counted.total
    from app.endpoint_counts counted
    where counted.endpoint_id = endpoint and counted.hour >= since and counted.hour < until
      and counted.counted in ('delivered', 'failed')
    union all
    select waiting.hour, 'pending', waiting.total from search.pending_deliveries(endpoint, times.least_id(since), times.least_id(until)) waiting
    union all
    select begin, 'pending', 0 from generate_series(since, until - interval '1 hour', interval '1 hour') begin
  ) each
  group by grouping sets ((each.hour), ())
$$;
comment on function api_private.delivery_counts is 'Deliveries to an endpoint by the hour of their creation, with empty hours; the total has a null hour.';
grant execute on function api_private.delivery_counts to tenant;

create function api_private.attempts(endpoint uuid, since timestamptz, until timestamptz)
returns table (hour timestamptz, outcome text, duration_ms integer, total bigint)
language sql stable -- without settings of its own, so that it is inlined
as $$
  select counted.hour, counted.counted, counted.duration_ms, counted.total
  from app.endpoint_counts counted
  where counted.endpoint_id = endpoint and counted.hour >= since and counted.hour < until
    and counted.counted not in ('delivered', 'failed')
    and counted.week_id < times.least_id(until) -- for the partitions
$$;
comment on function api_private.attempts is 'Attempts at an endpoint by hour, outcome and duration.';
grant execute on function api_private.attempts to tenant;

-- As percentile_disc, of durations with their numbers of attempts. A window sums rows of the same duration together.
create function api_private.duration_percentiles(endpoint uuid, since timestamptz, until timestamptz)
returns table (hour timestamptz, percentiles json)
language sql stable
as $$
  with ranked as (
    select each.hour, each.duration_ms, each.total,
      sum(each.total) over (partition by each.hour order by each.duration_ms) as rank
    from api_private.attempts(endpoint, since, until) each
    union all
    select 'infinity', each.duration_ms, sum(each.total), sum(sum(each.total)) over (order by each.duration_ms)
    from api_private.attempts(endpoint, since, until) each
    group by each.duration_ms
  )
  select nullif(ranked.hour, 'infinity'), rows.percentiles(array[
    min(ranked.duration_ms) filter (where ranked.rank >= 0.5 * totals.total),
    min(ranked.duration_ms) filter (where ranked.rank >= 0.95 * totals.total),
    min(ranked.duration_ms) filter (where ranked.rank >= 0.99 * totals.total)
  ])
  from ranked
  join (select ranked.hour, max(ranked.rank) as total from ranked group by ranked.hour) totals on totals.hour = ranked.hour
  group by ranked.hour
$$;
grant execute on function api_private.duration_percentiles to tenant;

create function api_private.attempt_counts(endpoint uuid, since timestamptz, until timestamptz)
returns table (hour timestamptz, counts json)
language sql stable
as $$
  with outcomes as (
    select each.hour, coalesce(sum(each.total), 0) as total,
      coalesce(sum(each.total) filter (where each.outcome = 'succeeded'), 0) as succeeded,
      jsonb_object_agg_strict(each.outcome, each.total) as totals
    from (
      select made.hour, made.outcome, sum(made.total)::bigint as total
      from api_private.attempts(endpoint, since, until) made
      group by grouping sets ((made.hour, made.outcome), (made.outcome))
    ) each
    group by each.hour
  )
  select hours.begin,
    json_build_object(
      'total', coalesce(outcomes.total, 0),
      'succeeded', coalesce(outcomes.succeeded, 0),
      'failed', coalesce(outcomes.total - outcomes.succeeded, 0),
      'successShare', rows.share(outcomes.succeeded::bigint, outcomes.total::bigint),
      'durationMs', coalesce(durations.percentiles, rows.percentiles(null)),
      'failures', (
        select json_object_agg(word, coalesce((outcomes.totals ->> word)::bigint, 0))
        from unnest('{status}'::text[] || enum_range(null::app.attempt_failure)::text[]) word
      )
    )
  from (
    select begin from generate_series(since, until - interval '1 hour', interval '1 hour') begin
    union all
    select null
  ) hours
  left join outcomes on outcomes.hour is not distinct from hours.begin
  left join api_private.duration_percentiles(endpoint, since, until) durations on durations.hour is not distinct from hours.begin
$$;
comment on function api_private.attempt_counts is 'Attempts at an endpoint by the hour of their start, with empty hours; the total has a null hour.';
grant execute on function api_private.attempt_counts to tenant;
