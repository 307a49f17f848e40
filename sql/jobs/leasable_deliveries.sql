/*
 * The due deliveries that may be leased now. Shares of endpoints, organisations and the service are enforced by counting
 * live leases: a few hundred rows at most, however many deliveries wait. (docs/decisions/0024-deliveries.md)
 */
create function jobs.active_endpoints(endpoints json)
returns table (
  organisation_id uuid, id uuid, url text, secret_sealed bytea, order_per_run boolean, degraded boolean,
  live bigint, live_of_organisation bigint, live_in_service bigint, live_of_degraded bigint
)
language sql stable -- without settings of its own, so that it is inlined
as $$
  with live as materialized (
    select delivery.organisation_id, delivery.endpoint_id, count(*) as leases
    from app.deliveries delivery
    where delivery.lease_id is not null and delivery.lease_until > times.clock()
    group by delivery.organisation_id, delivery.endpoint_id
  )
  select
    endpoint.organisation_id, endpoint.id, endpoint.url, endpoint.secret_sealed, endpoint.order_per_run,
    endpoint.degraded_since is not null,
    coalesce((select live.leases from live where (live.organisation_id, live.endpoint_id) = (endpoint.organisation_id, endpoint.id)), 0),
    coalesce((select sum(live.leases) from live where live.organisation_id = endpoint.organisation_id), 0)::bigint,
    coalesce((select sum(live.leases) from live), 0)::bigint,
    case when endpoint.degraded_since is not null then coalesce((
      select sum(live.leases)
      from live
      join app.webhook_endpoints degraded on degraded.organisation_id = live.organisation_id and degraded.id = live.endpoint_id
      where degraded.degraded_since is not null
    ), 0)::bigint end
  from json_to_recordset(endpoints) request ("organisationId" uuid, "endpointId" uuid, "wantsMore" boolean)
  cross join lateral (
    select webhook_endpoints.*
    from app.webhook_endpoints
    where webhook_endpoints.organisation_id = request."organisationId" and webhook_endpoints.id = request."endpointId"
    limit 1 -- looked up by key, one by one, even if the planner overestimates the table
  ) endpoint
  where request."wantsMore" and endpoint.state = 'active' and endpoint.deleted_at is null
$$;
comment on function jobs.active_endpoints is 'The active ones of the endpoints with wantsMore, with live leases: their own, of their organisation, of the service, and, for a degraded endpoint, of all degraded ones.';

-- "rows 1" makes the planner look each delivery up by its key, also in a plan made while few wait.
create function jobs.leasable_deliveries(endpoints json)
returns table (organisation_id uuid, id uuid, url text, secret_sealed bytea)
language sql stable
rows 1
set search_path = '' -- a function with a setting is not inlined; inlined, "rows 1" would not count
as $$
  with candidate as (
    select
      endpoint.*, due.id as delivery_id, settings.delivery_slots, settings.delivery_share_of_organisation,
      endpoint.live + row_number() over (partition by endpoint.id order by due.next_attempt_at) as nth
    from jobs.active_endpoints(endpoints) endpoint
    cross join app.service_settings settings
    cross join lateral (
      select delivery.id, delivery.next_attempt_at
      from app.deliveries delivery
      where delivery.organisation_id = endpoint.organisation_id and delivery.endpoint_id = endpoint.id
        and delivery.state = 'pending' and delivery.next_attempt_at <= times.clock()
        and (delivery.lease_until is null or delivery.lease_until <= times.clock())
        and (not endpoint.order_per_run or delivery.ordered_run_id is null or not exists (
          select from jobs.first_of_run(endpoint.organisation_id, endpoint.id, delivery.ordered_run_id, delivery.event_id)
        ))
      order by delivery.next_attempt_at
      limit greatest(0, case when endpoint.degraded then 1 else settings.delivery_share_of_endpoint end - endpoint.live)
    ) due
  )
  select ranked.organisation_id, ranked.delivery_id, ranked.url, ranked.secret_sealed
  from (
    select candidate.*,
      live_in_service + row_number() over (order by nth) as in_service,
      live_of_organisation + row_number() over (partition by organisation_id order by nth) as in_organisation,
      live_of_degraded + row_number() over (partition by degraded order by nth) as in_degraded
    from candidate
  ) ranked
  -- The first lease of an endpoint is always granted, so other endpoints of its organisation cannot starve it. A
  -- refused endpoint therefore has an attempt under way, whose worker requests more when it ends. The last quarter is
  -- reserved for endpoints without a live lease.
  where (nth = 1 or in_organisation <= delivery_share_of_organisation and in_service <= delivery_slots * 3 / 4)
    -- All degraded endpoints share half of the service. jobs.run_maintenance queues the refused ones again.
    and (not degraded or in_degraded <= delivery_slots / 2)
$$;
comment on function jobs.leasable_deliveries is 'The oldest due deliveries of active endpoints with wantsMore, within the shares. A degraded endpoint has a share of 1.';
