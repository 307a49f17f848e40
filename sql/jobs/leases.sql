/*
 * Leasing deliveries to workers. One statement of a worker records the outcomes of its attempts and leases the next
 * deliveries. Shares are enforced by counting live leases: a few hundred rows at most, however many deliveries wait.
 * Lock order: endpoints before their deliveries, by key. Every change of a delivery's state holds the lock of its
 * endpoint. (docs/specification/deliveries.md#leasing, docs/decisions/0033-delivery-leases.md)
 */
create function jobs.lease_time() returns interval
language sql immutable
return interval '12 seconds';
comment on function jobs.lease_time is 'Duration of a delivery lease: 2 seconds more than an attempt may take. (docs/specification/deliveries.md#leasing)';

create function jobs.lease_deliveries(endpoints json, outcomes json)
returns table (
  endpoint_id uuid, delivery_id uuid, lease_id uuid, url text, secret_sealed bytea, event app.event_kind, body text
)
language plpgsql
security definer
set search_path = ''
-- The size of these tables changes all day, so every plan must look rows up by an index. A generic plan, because
-- planning over all partitions at each call would take longer than the query.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
-- In place of row-level security: the worker names the endpoints, and the lease of each attempt.
declare
  any_ended boolean;
  any_requeue boolean;
begin
  select
    bool_or(locked.state = 'disabled' or locked.deleted_at is not null),
    bool_or(locked.requeue)
  into any_ended, any_requeue
  from (
    select endpoint.state, endpoint.deleted_at, requested.requeue
    from (
      select request."organisationId", request."endpointId", request.requeue
      from json_to_recordset(endpoints) request ("organisationId" uuid, "endpointId" uuid, requeue boolean)
      order by request."organisationId", request."endpointId"
    ) requested
    cross join lateral (
      select endpoint.state, endpoint.deleted_at
      from app.webhook_endpoints endpoint
      where endpoint.organisation_id = requested."organisationId" and endpoint.id = requested."endpointId"
      for no key update
    ) endpoint
  ) locked;

  if json_array_length(outcomes) > 0 then
    perform jobs.record_outcomes(outcomes);
  end if;
  if any_ended then
    perform jobs.fail_pending_of_ended(endpoints);
  end if;
  return query select * from jobs.lease_due(endpoints);
  if any_requeue then
    perform jobs.requeue_endpoints(endpoints);
  end if;
end
$$;
comment on function jobs.lease_deliveries is 'Instead of row-level security: the named endpoints, and the leases of the attempts. endpoints: [{ organisationId, endpointId, wantsMore, requeue }], each endpoint once; outcomes: see jobs.record_outcomes. Returns the deliveries leased for endpoints with wantsMore.';
grant execute on function jobs.lease_deliveries to worker;

create function jobs.lease_due(endpoints json)
returns table (
  endpoint_id uuid, delivery_id uuid, lease_id uuid, url text, secret_sealed bytea, event app.event_kind, body text
)
language plpgsql
set search_path = ''
as $$
#variable_conflict use_column
declare
  present timestamptz := jobs.clock();
begin
  return query
  with
    -- Looked up by key, one by one, even if the planner overestimates the table.
    requested as materialized (
      select
        endpoint.organisation_id, endpoint.id, endpoint.url, endpoint.secret_sealed,
        endpoint.degraded_since is not null as degraded
      from json_to_recordset(endpoints) request ("organisationId" uuid, "endpointId" uuid, "wantsMore" boolean)
      cross join lateral (
        select webhook_endpoints.*
        from app.webhook_endpoints
        where webhook_endpoints.organisation_id = request."organisationId"
          and webhook_endpoints.id = request."endpointId"
        limit 1
      ) endpoint
      where request."wantsMore" and endpoint.state = 'active' and endpoint.deleted_at is null
    ),
    live as materialized (
      select delivery.organisation_id, delivery.endpoint_id, count(*) as leases
      from app.deliveries delivery
      where delivery.lease_id is not null and delivery.lease_until > present
      group by delivery.organisation_id, delivery.endpoint_id
    ),
    -- The oldest due deliveries, up to the endpoint's share. A degraded endpoint gets 1.
    candidate as (
      select
        requested.*, due.id as delivery_id,
        coalesce(live.leases, 0) + row_number() over (partition by requested.id order by due.next_attempt_at) as nth,
        settings.delivery_slots, settings.delivery_share_of_organisation
      from requested
      cross join app.service_settings settings
      left join live on live.organisation_id = requested.organisation_id and live.endpoint_id = requested.id
      cross join lateral (
        select delivery.id, delivery.next_attempt_at
        from app.deliveries delivery
        where delivery.organisation_id = requested.organisation_id
          and delivery.endpoint_id = requested.id
          and delivery.state = 'pending'
          and delivery.next_attempt_at <= present
          and (delivery.lease_until is null or delivery.lease_until <= present)
        order by delivery.next_attempt_at
        limit greatest(
          0,
          case when requested.degraded then 1 else settings.delivery_share_of_endpoint end - coalesce(live.leases, 0)
        )
      ) due
    ),
    ranked as (
      select
        candidate.*,
        row_number() over (order by candidate.nth) as in_service,
        row_number() over (partition by candidate.organisation_id order by candidate.nth) as in_organisation,
        row_number() over (partition by candidate.degraded order by candidate.nth) as in_degraded
      from candidate
    ),
    leased as (
      update app.deliveries delivery
      set lease_id = uuidv7(), lease_until = present + jobs.lease_time()
      from ranked
      where delivery.organisation_id = ranked.organisation_id
        and delivery.id = ranked.delivery_id
        -- The first lease of an endpoint is always granted, so other endpoints of its organisation cannot starve it.
        -- A refused endpoint therefore has an attempt under way, whose worker requests more when it ends.
        and (
          ranked.nth = 1
          or (
            ranked.in_organisation
              + (select coalesce(sum(live.leases), 0) from live where live.organisation_id = delivery.organisation_id)
              <= ranked.delivery_share_of_organisation
            -- The last quarter is reserved for endpoints without a live lease.
            and ranked.in_service + (select coalesce(sum(live.leases), 0) from live) <= ranked.delivery_slots * 3 / 4
          )
        )
        -- All degraded endpoints share half of the service. jobs.run_maintenance queues the refused ones again.
        and (
          not ranked.degraded
          or ranked.in_degraded + (
            select coalesce(sum(live.leases), 0)
            from live
            join app.webhook_endpoints endpoint
              on endpoint.organisation_id = live.organisation_id and endpoint.id = live.endpoint_id
            where endpoint.degraded_since is not null
          ) <= ranked.delivery_slots / 2
        )
      returning
        delivery.organisation_id, delivery.endpoint_id, delivery.id, delivery.lease_id, delivery.event,
        delivery.event_id, ranked.url, ranked.secret_sealed
    )
  select
    leased.endpoint_id, leased.id, leased.lease_id, leased.url, leased.secret_sealed, leased.event,
    jobs.payload(leased.id, announced)
  from leased
  join app.events announced on announced.organisation_id = leased.organisation_id and announced.id = leased.event_id;
end
$$;
comment on function jobs.lease_due is 'Leases due deliveries of endpoints with wantsMore, within the shares. The caller has locked the endpoints'' rows.';

create function jobs.requeue_endpoints(endpoints json) returns void
language sql
set search_path = ''
as $$
  select jobs.queue_endpoint(request."organisationId", request."endpointId", again => true)
  from json_to_recordset(endpoints) request ("organisationId" uuid, "endpointId" uuid, requeue boolean)
  where request.requeue
    and exists (
      select
      from app.deliveries delivery
      where delivery.organisation_id = request."organisationId"
        and delivery.endpoint_id = request."endpointId"
        and delivery.state = 'pending'
        and delivery.next_attempt_at <= jobs.clock()
        and delivery.lease_id is null
    )
$$;
comment on function jobs.requeue_endpoints is 'Queues another job for each endpoint with requeue that has due deliveries without a lease.';

create function jobs.fail_pending_of_ended(endpoints json) returns void
language sql
set search_path = ''
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
    and (delivery.lease_until is null or delivery.lease_until <= jobs.clock())
$$;
comment on function jobs.fail_pending_of_ended is 'Fails pending deliveries of disabled or deleted endpoints, for example after a worker was lost.';
