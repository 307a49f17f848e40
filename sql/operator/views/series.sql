/*
 * Time series for charts. A series has at most 200 steps of a minute or more and spans at most 7 days, so the rows read
 * are bounded. BRIN indexes find the rows of a span. The begin of the span is a sub-select, so that it is computed
 * once, not per row. (docs/decisions/0029-console.md)
 */
create function operator.steps_of(since timestamptz, until timestamptz, minutes integer)
returns table (at timestamptz, past timestamptz)
language plpgsql stable
as $$
begin
  if not (minutes between 1 and 1440 and since < until and until - since <= interval '7 days'
    and until - since <= 200 * make_interval(mins => minutes)) then
    raise exception 'a series spans at most 7 days and 200 steps of 1 to 1440 minutes' using errcode = '22023';
  end if;
  return query
    select step, step + make_interval(mins => minutes)
    from generate_series(
      date_bin(make_interval(mins => minutes), since, '2000-01-03 00:00Z'), until - interval '1 microsecond',
      make_interval(mins => minutes)
    ) step;
end
$$;
comment on function operator.steps_of is 'The steps of a series; each begins at a multiple of its length.';
grant execute on function operator.steps_of to operator;

create function operator.delivery_series(
  since timestamptz, until timestamptz, minutes integer, organisation uuid default null
) returns table (
  at timestamptz, attempts bigint, succeeded bigint, failed bigint, p50_ms integer, p95_ms integer, p99_ms integer
)
language sql stable
as $$
  select step.at, coalesce(counted.attempts, 0), coalesce(counted.succeeded, 0), coalesce(counted.failed, 0),
    counted.percentiles[1], counted.percentiles[2], counted.percentiles[3]
  from operator.steps_of(since, until, minutes) step
  left join (
    select date_bin(make_interval(mins => minutes), attempt.started_at, '2000-01-03 00:00Z') as at, count(*) as attempts,
      count(*) filter (where attempt.failure is null and attempt.status_code between 200 and 299) as succeeded,
      count(*) filter (where attempt.failure is not null or attempt.status_code not between 200 and 299) as failed,
      percentile_disc(array[0.5, 0.95, 0.99]) within group (order by attempt.duration_ms) as percentiles
    from operator.delivery_attempts attempt
    where attempt.started_at >= (select date_bin(make_interval(mins => minutes), since, '2000-01-03 00:00Z'))
      and attempt.started_at < until
      and attempt.organisation_id = coalesce(organisation, attempt.organisation_id)
    group by 1
  ) counted on counted.at = step.at
  order by step.at
$$;
comment on function operator.delivery_series is $$
@behavior +queryField +list -connection
Attempts of deliveries by start time, of all organisations or one, with their durations. Every step has a point, also without attempts.$$;
grant execute on function operator.delivery_series to operator;

create function operator.run_series(
  since timestamptz, until timestamptz, minutes integer, organisation uuid default null
) returns table (
  at timestamptz, started bigint, completed bigint, failed bigint, cancelled bigint, open bigint,
  spend_micro_cents numeric, p50_seconds double precision, p95_seconds double precision
)
language sql stable
begin atomic -- bound at creation, since operator may not enter the schema of times.least_id
  select step.at, coalesce(counted.started, 0), coalesce(counted.completed, 0), coalesce(counted.failed, 0),
    coalesce(counted.cancelled, 0), coalesce(counted.open, 0), coalesce(counted.spend, 0),
    counted.percentiles[1], counted.percentiles[2]
  from operator.steps_of(since, until, minutes) step
  left join (
    select date_bin(make_interval(mins => minutes), run.created_at, '2000-01-03 00:00Z') as at, count(*) as started,
      count(*) filter (where run.state = 'completed') as completed,
      count(*) filter (where run.state = 'failed') as failed,
      count(*) filter (where run.state = 'cancelled') as cancelled,
      count(*) filter (where run.finished_at is null) as open,
      sum(run.spend_micro_cents) as spend,
      percentile_cont(array[0.5, 0.95]) within group (order by extract(epoch from run.finished_at - run.created_at)) as percentiles
    from operator.runs run
    where run.id >= (select times.least_id(date_bin(make_interval(mins => minutes), since, '2000-01-03 00:00Z')))
      and run.id < (select times.least_id(until))
      and run.organisation_id = coalesce(organisation, run.organisation_id)
    group by 1
  ) counted on counted.at = step.at
  order by step.at;
end;
comment on function operator.run_series is $$
@behavior +queryField +list -connection
Runs by start time, of all organisations or one: their current state, what they cost, and how long finished ones took.$$;
grant execute on function operator.run_series to operator;

create view operator.request_minutes as
select organisation_id, minute, answered, refused, limited, failed
from app.request_minutes;
comment on view operator.request_minutes is $$
@behavior -*
Counts per minute for operator.request_series.$$;
grant select on operator.request_minutes to operator;

create function operator.request_series(
  since timestamptz, until timestamptz, minutes integer, organisation uuid default null
) returns table (at timestamptz, answered numeric, refused numeric, limited numeric, failed numeric)
language sql stable
as $$
  select step.at, coalesce(counted.answered, 0), coalesce(counted.refused, 0), coalesce(counted.limited, 0),
    coalesce(counted.failed, 0)
  from operator.steps_of(since, until, minutes) step
  left join (
    select date_bin(make_interval(mins => minutes), counted.minute, '2000-01-03 00:00Z') as at,
      sum(counted.answered) as answered, sum(counted.refused) as refused, sum(counted.limited) as limited,
      sum(counted.failed) as failed
    from operator.request_minutes counted
    where counted.minute >= (select date_bin(make_interval(mins => minutes), since, '2000-01-03 00:00Z')) and counted.minute < until
      and counted.organisation_id = coalesce(organisation, counted.organisation_id)
    group by 1
  ) counted on counted.at = step.at
  order by step.at
$$;
comment on function operator.request_series is $$
@behavior +queryField +list -connection
Requests to the API, of all organisations or one: answered; refused (4xx except 429); limited (429); failed (5xx).$$;
grant execute on function operator.request_series to operator;
