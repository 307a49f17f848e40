/*
 * Recording outcomes of attempts. Retry schedule, end of a round, failure count and disabling of the endpoint are
 * decided here for a whole batch, as if its outcomes had come one by one in order.
 * (docs/specification/deliveries.md#retries)
 *
 * An outcome counts only under the lease of its attempt, and while the delivery still has that lease. So a batch may be
 * sent twice, and a superseded attempt records nothing.
 */
-- In the order of the batch. "rows 1" is for the planner. With an estimate of 100 it may plan a scan of all pending
-- deliveries while few wait, and keep that plan when 10,000 do. With 1 it looks each up by its key.
create function jobs.given_outcomes(outcomes json)
returns table (
  organisation_id uuid, endpoint_id uuid, delivery_id uuid, lease_id uuid,
  duration_ms integer, status_code integer, failure app.attempt_failure, retry_after_seconds integer, place bigint
)
language sql
rows 1
set search_path = ''
as $$
  select outcome.*
  from rows from (
    json_to_recordset(outcomes) as (
      "organisationId" uuid, "endpointId" uuid, "deliveryId" uuid, "leaseId" uuid,
      "durationMs" integer, "statusCode" integer, failure app.attempt_failure, "retryAfterSeconds" integer
    )
  ) with ordinality as outcome
$$;
comment on function jobs.given_outcomes is 'The outcomes passed to jobs.record_outcomes, as rows.';

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
        outcome.*,
        outcome.failure is null and outcome.status_code between 200 and 299 as delivered,
        endpoint.state = 'disabled' or endpoint.deleted_at is not null as ended,
        endpoint.state = 'active' and outcome.status_code is not distinct from 410 as gone
      from jobs.given_outcomes(outcomes) outcome
      cross join lateral (
        select found.state, found.deleted_at
        from app.webhook_endpoints found
        where found.organisation_id = outcome.organisation_id and found.id = outcome.endpoint_id
        limit 1
      ) endpoint
    ),
    recorded as (
      update app.deliveries delivery
      set
        attempts = delivery.attempts + 1,
        lease_id = null,
        lease_until = null,
        trigger = 'scheduled', -- later attempts of the round come from the retry schedule
        last_attempt_at = delivery.lease_until - jobs.lease_time(),
        last_status_code = made.status_code,
        last_failure = made.failure,
        (state, delivered_at, next_attempt_at) = (
          select
            (case when made.delivered then 'delivered' when retry.delay is null then 'failed' else 'pending' end)::app.delivery_state,
            case when made.delivered then present end,
            -- Jitter avoids synchronised retries, and Retry-After is the receiver's wish, up to 1 hour. Both only
            -- lengthen the wait.
            case when retry.delay is not null then
              present + greatest(
                retry.delay * (1 + random() * 0.1),
                make_interval(secs => least(coalesce(made.retry_after_seconds, 0), 3600))
              )
            end
          from (
            values (
              case
                when not (
                  made.delivered or made.ended or (made.gone and delivery.event <> 'webhook.test') or delivery.attempts + 1 >= delivery.max_attempts
                ) then (
                  select schedule.delay
                  from app.retry_schedule schedule
                  where schedule.attempt = delivery.attempts + 1 - delivery.attempts_before_round
                )
              end
            )
          ) retry (delay)
        )
      from made
      where delivery.organisation_id = made.organisation_id
        and delivery.id = made.delivery_id
        and delivery.endpoint_id = made.endpoint_id
        and delivery.lease_id = made.lease_id
        and delivery.state = 'pending'
      returning
        delivery.organisation_id, delivery.endpoint_id, delivery.id, delivery.attempts, old.trigger, delivery.last_attempt_at, delivery.state,
        delivery.next_attempt_at, made.duration_ms, made.status_code, made.failure, made.delivered,
        made.gone and delivery.event <> 'webhook.test' as gone, made.place
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
    -- Counts failed deliveries in a row. Each delivered one starts a new row.
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
    per_endpoint as (
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
      update app.webhook_endpoints endpoint
      set
        consecutive_failures = per_endpoint.last_row + case when per_endpoint.delivered then 0 else endpoint.consecutive_failures end,
        last_delivery_at = case when per_endpoint.delivered then present else endpoint.last_delivery_at end,
        degraded_since = case when not per_endpoint.ended_well then coalesce(endpoint.degraded_since, present) end,
        (state, disabled_reason, disabled_at) = (
          select
            case when verdict.reason is null then endpoint.state else 'disabled' end,
            coalesce(verdict.reason, endpoint.disabled_reason),
            case when verdict.reason is null then endpoint.disabled_at else present end
          from (
            values (
              (case
                when endpoint.state <> 'active' or endpoint.deleted_at is not null then null
                when per_endpoint.gone then 'gone'
                when greatest(per_endpoint.first_row + endpoint.consecutive_failures, per_endpoint.longest_row) >= 10
                  then 'consecutive_failures'
              end)::app.disabled_reason
            )
          ) verdict (reason)
        )
      from per_endpoint
      where endpoint.organisation_id = per_endpoint.organisation_id and endpoint.id = per_endpoint.endpoint_id
    ),
    queued as materialized (
      select jobs.queue_endpoint(recorded.organisation_id, recorded.endpoint_id, recorded.next_attempt_at)
      from recorded
      where recorded.state = 'pending'
    )
  select count(*) into retries from queued;
  return retries;
end
$$;
comment on function jobs.record_outcomes is 'outcomes: [{ organisationId, endpointId, deliveryId, leaseId, durationMs, statusCode, failure, retryAfterSeconds }]. Ten deliveries in a row that used up their attempts disable an active endpoint; so does one 410, unless to a test. The caller has locked the endpoints'' rows. Returns how many deliveries will be retried.';
