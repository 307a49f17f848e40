/*
 * Records the outcomes of attempts, a batch at a time. Decides retry, end of a round, failure count and disabling of the
 * endpoint, with the same result as for one outcome after another.
 * (docs/specification/deliveries.md#retries)
 *
 * An outcome counts only under the lease of its attempt, and while the delivery still has that lease. So a batch may be
 * sent twice, and a superseded attempt records nothing. A crash of the server can lose a lease (leases.sql). Then the
 * outcome counts while the delivery has no other lease and was already due when its own began.
 */
-- "rows 1" is for the planner. With an estimate of 100 it may plan a scan of all pending deliveries while few wait, and
-- keep that plan when 10,000 do. With 1 it looks each up by its key.
create function jobs.outcomes_with_endpoints(outcomes json)
returns table (
  organisation_id uuid, endpoint_id uuid, delivery_id uuid, lease_id uuid,
  duration_ms integer, status_code integer, failure app.attempt_failure, retry_after_seconds integer, place bigint,
  delivered boolean, ended boolean, gone boolean, is_lost boolean, leased_at timestamptz
)
language sql
rows 1
as $$
  select
    outcome.*,
    outcome.failure is null and outcome."statusCode" between 200 and 299,
    endpoint.state = 'disabled' or endpoint.deleted_at is not null,
    endpoint.state = 'active' and outcome."statusCode" is not distinct from 410,
    outcome.failure is not distinct from 'secret',
    uuid_extract_timestamp(outcome."leaseId")
  from rows from (
    json_to_recordset(outcomes) as (
      "organisationId" uuid, "endpointId" uuid, "deliveryId" uuid, "leaseId" uuid,
      "durationMs" integer, "statusCode" integer, failure app.attempt_failure, "retryAfterSeconds" integer
    )
  ) with ordinality as outcome
  join app.webhook_endpoints endpoint
    on endpoint.organisation_id = outcome."organisationId" and endpoint.id = outcome."endpointId"
$$;
comment on function jobs.outcomes_with_endpoints is 'The outcomes passed to jobs.record_outcomes as rows. ended: the endpoint gets no retries. gone: an active endpoint answered 410. is_lost: the secret could not be opened.';

create function jobs.retry_time(
  attempt integer, max_attempts integer, retry_after_seconds integer, is_lost boolean
) returns timestamptz
language sql
as $$
  -- Jitter avoids synchronised retries, and Retry-After of the receiver counts up to 1 hour. Both only lengthen the wait.
  select times.clock() + greatest(
    schedule.delay * (1 + random() * 0.1),
    make_interval(secs => least(coalesce(retry_after_seconds, 0), 3600))
  )
  from app.retry_schedule schedule
  where case when is_lost then schedule.attempt = (select max(last.attempt) from app.retry_schedule last)
    else schedule.attempt = retry_time.attempt and retry_time.attempt < max_attempts
    end
$$;
comment on function jobs.retry_time is 'When the attempt after this one is due; null after the last of the round. The number of the attempt and the maximum count in the round. is_lost: the secret could not be opened. Such an attempt does not count, so the longest delay follows.';

create function jobs.end_attempts(outcomes json) returns setof jobs.ended_attempt
language sql
as $$
  update app.deliveries delivery
  set
    attempts = delivery.attempts + 1,
    attempts_before_round = delivery.attempts_before_round + outcome.is_lost::integer, -- it does not count in its round
    max_attempts = delivery.max_attempts + outcome.is_lost::integer,
    lease_id = null,
    lease_until = null,
    trigger = 'scheduled', -- later attempts of the round come from the retry schedule
    last_attempt_at = coalesce(delivery.lease_until - jobs.lease_time(), outcome.leased_at),
    last_status_code = outcome.status_code,
    last_failure = outcome.failure,
    (state, delivered_at, next_attempt_at) = (
      select
        (case when outcome.delivered then 'delivered' when retry.at is null then 'failed' else 'pending' end)::app.delivery_state,
        case when outcome.delivered then times.clock() end,
        retry.at
      from (
        values (
          case when not (outcome.delivered or outcome.ended or (outcome.gone and delivery.event <> 'webhook.test'))
            then jobs.retry_time(
              delivery.attempts + 1 - delivery.attempts_before_round, delivery.max_attempts - delivery.attempts_before_round,
              outcome.retry_after_seconds, outcome.is_lost
            ) end
        )
      ) retry (at)
    )
  from jobs.outcomes_with_endpoints(outcomes) outcome
  where delivery.organisation_id = outcome.organisation_id
    and delivery.id = outcome.delivery_id
    and (delivery.lease_id = outcome.lease_id or delivery.lease_id is null and delivery.next_attempt_at <= outcome.leased_at)
    -- Not by an index of endpoints or pending deliveries, which a plan for empty tables would use.
    and delivery.endpoint_id is not distinct from outcome.endpoint_id and delivery.state::text = 'pending'
  returning
    delivery.organisation_id, delivery.endpoint_id, delivery.id, delivery.event, delivery.attempts, old.trigger, delivery.last_attempt_at,
    outcome.duration_ms, outcome.status_code, outcome.failure, outcome.delivered,
    outcome.gone and delivery.event <> 'webhook.test', delivery.state, delivery.next_attempt_at, outcome.place, delivery.ordered_run_id
$$;
comment on function jobs.end_attempts is 'Ends attempts: the delivery is delivered, failed, or pending until its retry. Returns those whose lease is still current, or was lost in a crash.';

-- A delivered delivery starts a new streak of failures.
create function jobs.tally(ended jobs.ended_attempt[])
returns table (
  organisation_id uuid, endpoint_id uuid, first_streak bigint, longest_streak bigint, last_streak bigint,
  delivered boolean, gone boolean, last_delivered boolean, last_failure app.attempt_failure
)
language sql stable
as $$
  with in_streaks as (
    select attempt.*, count(*) filter (where attempt.delivered) over in_order as streak
    from unnest(ended) attempt
    window in_order as (partition by attempt.organisation_id, attempt.endpoint_id order by attempt.place)
  ), counted as (
    select in_streaks.*, count(*) filter (where in_streaks.state = 'failed') over in_order as failed
    from in_streaks
    window in_order as (
      partition by in_streaks.organisation_id, in_streaks.endpoint_id, in_streaks.streak order by in_streaks.place
    )
  )
  select
    counted.organisation_id, counted.endpoint_id,
    max(counted.failed) filter (where counted.streak = 0), max(counted.failed),
    (array_agg(counted.failed order by counted.place desc))[1],
    bool_or(counted.delivered), bool_or(counted.gone),
    (array_agg(counted.delivered order by counted.place desc))[1],
    (array_agg(counted.failure order by counted.place desc))[1]
  from counted
  group by counted.organisation_id, counted.endpoint_id
$$;
comment on function jobs.tally is 'Failed deliveries in a row per endpoint: in the first streak, which continues the streak of earlier batches, in the longest and in the last.';

create function jobs.rate_endpoints(ended jobs.ended_attempt[]) returns void
language sql
as $$
  update app.webhook_endpoints endpoint
  set
    consecutive_failures = tally.last_streak + case when tally.delivered then 0 else endpoint.consecutive_failures end,
    last_delivery_at = case when tally.delivered then times.clock() else endpoint.last_delivery_at end,
    unreadable_since = case when tally.last_failure = 'secret' then coalesce(endpoint.unreadable_since, times.clock()) end,
    degraded_since = case when not tally.last_delivered then coalesce(endpoint.degraded_since, times.clock()) end,
    (state, disabled_reason, disabled_at) = (
      select
        case when verdict.reason is null then endpoint.state else 'disabled' end,
        coalesce(verdict.reason, endpoint.disabled_reason),
        case when verdict.reason is null then endpoint.disabled_at else times.clock() end
      from (
        values (
          (case
            when endpoint.state <> 'active' or endpoint.deleted_at is not null then null
            when tally.gone then 'gone'
            when greatest(tally.first_streak + endpoint.consecutive_failures, tally.longest_streak) >= 10
              then 'consecutive_failures'
          end)::app.disabled_reason
        )
      ) verdict (reason)
    )
  from jobs.tally(ended) tally
  where endpoint.organisation_id = tally.organisation_id and endpoint.id = tally.endpoint_id
$$;
comment on function jobs.rate_endpoints is 'Counts failures, and marks endpoints as degraded, or as without a secret that can be opened. Ten deliveries in a row that used up their attempts disable an active endpoint; so does one 410, unless to a test.';

create function jobs.record_outcomes(outcomes json) returns jobs.ended_attempt[]
language plpgsql
as $$
declare
  ended constant jobs.ended_attempt[] := array(select jobs.end_attempts(outcomes));
begin
  insert into app.delivery_attempts (
    organisation_id, delivery_id, endpoint_id, number, trigger, started_at, duration_ms, status_code, failure
  )
  select
    attempt.organisation_id, attempt.delivery_id, attempt.endpoint_id, attempt.number, attempt.trigger, attempt.started_at,
    attempt.duration_ms, attempt.status_code, attempt.failure
  from unnest(ended) attempt;
  perform jobs.rate_endpoints(ended);
  perform jobs.queue_endpoint(attempt.organisation_id, attempt.endpoint_id, attempt.next_attempt_at)
  from unnest(ended) attempt
  where attempt.state = 'pending';
  perform jobs.release_next_of_run(attempt.organisation_id, attempt.endpoint_id, attempt.ordered_run_id)
  from unnest(ended) attempt
  where attempt.ordered_run_id is not null and attempt.state <> 'pending';
  return ended;
end
$$;
comment on function jobs.record_outcomes is 'outcomes: [{ organisationId, endpointId, deliveryId, leaseId, durationMs, statusCode, failure, retryAfterSeconds }]. The caller has locked the endpoints'' rows. Returns the attempts that it ended.';
