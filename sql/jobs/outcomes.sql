/*
 * Outcomes. The ladder, the end of a round, the count of failures and the disabling of an endpoint are decided here, for
 * all outcomes of a batch at once and as if each had come by itself, in the order of the batch. (Part 6, "Delivery
 * rules".)
 *
 * An outcome is recorded under the claim of its attempt, and only while the claim is the delivery's: so the batch may be
 * said twice, and an attempt that was overtaken says nothing.
 */
-- In the order of the batch. "rows 1" is meant for the planner: of a hundred, it would make a plan while little waits that reads all
-- that is pending to find them, and keep it when ten thousand do; of one it looks each up by its key.
create function jobs.given_outcomes(outcomes json)
returns table (
  organisation_id uuid, endpoint_id uuid, delivery_id uuid, claim_id uuid,
  duration_ms integer, status_code integer, failure app.attempt_failure, retry_after_seconds integer, place bigint
)
language sql
rows 1
set search_path = ''
as $$
  select given.*
  from rows from (
    json_to_recordset(outcomes) as (
      "organisationId" uuid, "endpointId" uuid, "deliveryId" uuid, "claimId" uuid,
      "durationMs" integer, "statusCode" integer, failure app.attempt_failure, "retryAfterSeconds" integer
    )
  ) with ordinality as given
$$;
comment on function jobs.given_outcomes is 'Outcomes as rows, as jobs.record_outcomes is given them.';

create function jobs.record_outcomes(outcomes json) returns integer
language plpgsql
set search_path = ''
as $$
declare
  present timestamptz := jobs.clock();
  retries integer;
begin
  with
    made as materialized (
      select
        given.*,
        given.failure is null and given.status_code between 200 and 299 as delivered,
        endpoint.state = 'disabled' or endpoint.deleted_at is not null as ended,
        endpoint.state = 'active' and given.status_code is not distinct from 410 as gone
      from jobs.given_outcomes(outcomes) given
      cross join lateral (
        select held.state, held.deleted_at
        from app.webhook_endpoints held
        where held.organisation_id = given.organisation_id and held.id = given.endpoint_id
        limit 1
      ) endpoint
    ),
    recorded as (
      update app.deliveries held
      set
        attempts = held.attempts + 1,
        claim_id = null,
        claimed_until = null,
        trigger = 'scheduled', -- what follows on the ladder is nobody's asking
        last_attempt_at = held.claimed_until - jobs.lease(),
        last_status_code = made.status_code,
        last_failure = made.failure,
        (state, delivered_at, next_attempt_at) = (
          select
            (case when made.delivered then 'delivered' when rung.delay is null then 'failed' else 'pending' end)::app.delivery_state,
            case when made.delivered then present end,
            -- Jitter spreads the herd, and Retry-After is a receiver's wish: both only ever add, the latter a day at most.
            case when rung.delay is not null then
              present + greatest(
                rung.delay * (1 + random() * 0.1),
                make_interval(secs => least(coalesce(made.retry_after_seconds, 0), 86400))
              )
            end
          from (
            values (
              case
                when not (made.delivered or made.ended or made.gone or held.attempts + 1 >= held.max_attempts) then (
                  select ladder.delay
                  from app.delivery_ladder ladder
                  where ladder.rung = held.attempts + 1 - held.attempts_before_round
                )
              end
            )
          ) rung (delay)
        )
      from made
      where held.organisation_id = made.organisation_id
        and held.id = made.delivery_id
        and held.endpoint_id = made.endpoint_id
        and held.claim_id = made.claim_id
        and held.state = 'pending'
      returning
        held.organisation_id, held.endpoint_id, held.id, held.attempts, old.trigger, held.last_attempt_at, held.state,
        held.next_attempt_at, made.duration_ms, made.status_code, made.failure, made.delivered, made.gone, made.place
    ),
    logged as (
      insert into app.delivery_attempts (
        organisation_id, delivery_id, endpoint_id, number, trigger, started_at, duration_ms, status_code, failure
      )
      select
        recorded.organisation_id, recorded.id, recorded.endpoint_id, recorded.attempts, recorded.trigger,
        recorded.last_attempt_at, recorded.duration_ms, recorded.status_code, recorded.failure
      from recorded
    ),
    -- Failed deliveries in a row: a row of them begins anew with each that was delivered.
    in_rows as (
      select
        recorded.*,
        count(*) filter (where recorded.delivered)
          over (partition by recorded.organisation_id, recorded.endpoint_id order by recorded.place) as row_number
      from recorded
    ),
    counted as (
      select
        in_rows.organisation_id, in_rows.endpoint_id, in_rows.row_number,
        count(*) filter (where in_rows.state = 'failed') as failed,
        bool_or(in_rows.gone) as gone,
        (array_agg(in_rows.delivered order by in_rows.place desc))[1] as ended_well
      from in_rows
      group by in_rows.organisation_id, in_rows.endpoint_id, in_rows.row_number
    ),
    told as (
      select
        counted.organisation_id, counted.endpoint_id,
        max(counted.failed) filter (where counted.row_number = 0) as first_row,
        max(counted.failed) as longest_row,
        (array_agg(counted.failed order by counted.row_number desc))[1] as last_row,
        max(counted.row_number) > 0 as delivered,
        bool_or(counted.gone) as gone,
        (array_agg(counted.ended_well order by counted.row_number desc))[1] as ended_well
      from counted
      group by counted.organisation_id, counted.endpoint_id
    ),
    endpoints as (
      update app.webhook_endpoints held
      set
        consecutive_failures = told.last_row + case when told.delivered then 0 else held.consecutive_failures end,
        last_delivery_at = case when told.delivered then present else held.last_delivery_at end,
        troubled_since = case when not told.ended_well then coalesce(held.troubled_since, present) end,
        (state, disabled_reason, disabled_at) = (
          select
            case when verdict.reason is null then held.state else 'disabled' end,
            coalesce(verdict.reason, held.disabled_reason),
            case when verdict.reason is null then held.disabled_at else present end
          from (
            values (
              (case
                when held.state <> 'active' or held.deleted_at is not null then null
                when told.gone then 'gone'
                when greatest(told.first_row + held.consecutive_failures, told.longest_row) >= 10
                  then 'consecutive_failures'
              end)::app.disabled_reason
            )
          ) verdict (reason)
        )
      from told
      where held.organisation_id = told.organisation_id and held.id = told.endpoint_id
    ),
    queued as materialized (
      select jobs.queue_visit(recorded.organisation_id, recorded.endpoint_id, recorded.next_attempt_at)
      from recorded
      where recorded.state = 'pending'
    )
  select count(*) into retries from queued;
  return retries;
end
$$;
comment on function jobs.record_outcomes is 'outcomes: [{ organisationId, endpointId, deliveryId, claimId, durationMs, statusCode, failure, retryAfterSeconds }]. Ten deliveries in a row that used up their attempts disable an active endpoint, and so does one 410. The endpoints'' rows are locked by the caller. Answers how many will be tried again.';
