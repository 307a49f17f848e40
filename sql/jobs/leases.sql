/*
 * Leasing deliveries to workers. One statement of a worker records the outcomes of its attempts and leases the next
 * deliveries.
 * Lock order: endpoints before their deliveries, by key. Every change of a delivery's state holds the lock of its
 * endpoint. (docs/specification/deliveries.md#leasing, docs/decisions/0024-deliveries.md)
 */
create function jobs.lease_time() returns interval
language sql immutable
return interval '12 seconds';
comment on function jobs.lease_time is 'Duration of a delivery lease: 2 seconds more than an attempt may take. (docs/specification/deliveries.md#leasing)';

-- An attempt with its recorded outcome (outcomes.sql).
create type jobs.ended_attempt as (
  organisation_id uuid, endpoint_id uuid, delivery_id uuid, event app.event_kind, number integer, trigger app.attempt_trigger, started_at timestamptz,
  duration_ms integer, status_code integer, failure app.attempt_failure,
  delivered boolean,
  gone boolean, -- a 410 that disables the endpoint
  state app.delivery_state, next_attempt_at timestamptz, -- of the delivery, after the attempt
  place bigint, -- in the batch
  ordered_run_id uuid
);

create function jobs.lease_deliveries(endpoints json, outcomes json, reports_failed boolean default false)
returns table (
  endpoint_id uuid, delivery_id uuid, lease_id uuid, url text, secret_sealed bytea, event app.event_kind, body text,
  attempt integer
)
language plpgsql
security definer set search_path = ''
-- The size of these tables changes all day, so every plan must look rows up by an index. A generic plan, because
-- planning over all partitions at each call would take longer than the query.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  locked record;
  ended jobs.ended_attempt[];
begin
  if json_array_length(outcomes) > 0 then
    locked := jobs.lock_endpoints(endpoints);
    ended := jobs.record_outcomes(outcomes);
  else
    perform jobs.commit_without_flush();
    begin
      perform set_config('lock_timeout', '100ms', true);
      locked := jobs.lock_endpoints(endpoints);
    exception when lock_not_available then
      endpoints := jobs.lockable_endpoints(endpoints);
      locked := jobs.lock_endpoints(endpoints);
    end;
  end if;
  if locked.any_ended then
    perform jobs.fail_pending_of_ended(endpoints);
  end if;
  if locked.any_in_order then
    perform jobs.defer_out_of_turn(endpoints);
  end if;
  return query select * from jobs.lease_due(endpoints);
  if reports_failed then
    return query
    select last.endpoint_id, last.delivery_id, null::uuid, null::text, null::bytea, last.event, null::text, last.number
    from unnest(ended) last
    where last.state = 'failed';
  end if;
  if locked.any_requeue then
    perform jobs.requeue_endpoints(endpoints);
  end if;
end
$$;
comment on function jobs.lease_deliveries is 'Instead of row-level security: only worker may execute it. The named endpoints, and the leases of the attempts. endpoints: [{ organisationId, endpointId, wantsMore, requeue }], each endpoint once; outcomes: see jobs.record_outcomes. Returns the deliveries leased for endpoints with wantsMore, each with the number of its next attempt; with reports_failed also deliveries that an outcome ended as failed, without a lease. Workers before 0.3 cannot read the latter.';
grant execute on function jobs.lease_deliveries to worker;

-- A flush costs as much as the rest of a lease.
create function jobs.commit_without_flush() returns void
language sql
return set_config('synchronous_commit', 'off', true);
comment on function jobs.commit_without_flush is 'For transactions that only lease, or queue jobs. If the server crashes within a second, its leases are lost. An outcome is recorded without its lease until the delivery is leased again (outcomes.sql).';

create function jobs.any_due(endpoints json) returns boolean
language sql stable
as $$
  select exists (
    select
    from json_to_recordset(endpoints) request ("organisationId" uuid, "endpointId" uuid, "wantsMore" boolean)
    cross join lateral (
      select
      from app.deliveries delivery
      where delivery.organisation_id = request."organisationId"
        and delivery.endpoint_id = request."endpointId"
        and delivery.state = 'pending'
        and delivery.next_attempt_at <= times.clock()
        and (delivery.lease_until is null or delivery.lease_until <= times.clock())
      limit 1 -- looked up endpoint by endpoint: "exists" would be planned as a join with all due deliveries
    ) due
    where request."wantsMore"
  )
$$;
comment on function jobs.any_due is 'Whether a delivery without a live lease is due at an endpoint with wantsMore.';

create function jobs.lease_due(endpoints json)
returns table (
  endpoint_id uuid, delivery_id uuid, lease_id uuid, url text, secret_sealed bytea, event app.event_kind, body text,
  attempt integer
)
language plpgsql
as $$
#variable_conflict use_column
begin
  if not jobs.any_due(endpoints) then
    return; -- the usual case after a single delivery, at a third of the cost of what follows
  end if;
  return query
  with leased as (
    update app.deliveries delivery
    set lease_id = uuidv7(), lease_until = times.clock() + jobs.lease_time()
    from jobs.leasable_deliveries(endpoints) leasable
    where delivery.organisation_id = leasable.organisation_id and delivery.id = leasable.id
    returning
      delivery.organisation_id, delivery.endpoint_id, delivery.id, delivery.lease_id, delivery.event,
      delivery.event_id, delivery.attempts, leasable.url, leasable.secret_sealed
  )
  select
    leased.endpoint_id, leased.id, leased.lease_id, leased.url, leased.secret_sealed, leased.event,
    rows.payload(leased.id, announced), leased.attempts + 1
  from leased
  join app.events announced on announced.organisation_id = leased.organisation_id and announced.id = leased.event_id;
end
$$;
comment on function jobs.lease_due is 'Leases due deliveries of endpoints with wantsMore, within the shares. The caller has locked the endpoints'' rows.';

create function jobs.requeue_endpoints(endpoints json) returns void
language sql
as $$
  select jobs.queue_endpoint(request."organisationId", request."endpointId", again => true)
  from json_to_recordset(endpoints) request ("organisationId" uuid, "endpointId" uuid, requeue boolean)
  cross join lateral (
    select
    from app.deliveries delivery
    where delivery.organisation_id = request."organisationId"
      and delivery.endpoint_id = request."endpointId"
      and delivery.state = 'pending'
      and delivery.next_attempt_at <= times.clock()
      and (delivery.lease_until is null or delivery.lease_until <= times.clock())
    limit 1 -- as in jobs.any_due
  ) due
  where request.requeue
$$;
comment on function jobs.requeue_endpoints is 'Queues another job for each endpoint with requeue that has due deliveries without a live lease. The job runs after all others that wait.';

create function jobs.fail_pending_of_ended(endpoints json) returns void
language sql
as $$
  update app.deliveries delivery
  set state = 'failed', next_attempt_at = null, lease_id = null, lease_until = null
  from json_to_recordset(endpoints) request ("organisationId" uuid, "endpointId" uuid)
  join app.webhook_endpoints endpoint
    on endpoint.organisation_id = request."organisationId" and endpoint.id = request."endpointId"
  where (endpoint.state = 'disabled' or endpoint.deleted_at is not null)
    and delivery.organisation_id = endpoint.organisation_id
    and delivery.endpoint_id = endpoint.id
    and delivery.state = 'pending'
    and (delivery.lease_until is null or delivery.lease_until <= times.clock())
$$;
comment on function jobs.fail_pending_of_ended is 'Fails pending deliveries of disabled or deleted endpoints, for example after a worker was lost.';
