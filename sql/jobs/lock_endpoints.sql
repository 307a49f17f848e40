/*
 * Locks of endpoints. Every change of a delivery's state holds the lock of its endpoint.
 * (docs/specification/deliveries.md#leasing)
 */
create function jobs.lock_endpoints(endpoints json, out any_ended boolean, out any_requeue boolean, out any_in_order boolean)
language sql
as $$
  select bool_or(locked.state = 'disabled' or locked.deleted_at is not null), bool_or(locked.requeue),
    bool_or(locked.order_per_run)
  from (
    select endpoint.state, endpoint.deleted_at, endpoint.order_per_run, requested.requeue
    from (
      select request.*
      from json_to_recordset(endpoints) request ("organisationId" uuid, "endpointId" uuid, requeue boolean)
      order by request."organisationId", request."endpointId"
    ) requested
    cross join lateral (
      select endpoint.state, endpoint.deleted_at, endpoint.order_per_run
      from app.webhook_endpoints endpoint
      where endpoint.organisation_id = requested."organisationId" and endpoint.id = requested."endpointId"
      for no key update
    ) endpoint
  ) locked
$$;
comment on function jobs.lock_endpoints is 'Locks the endpoints in the order of their keys. Returns whether any is disabled or deleted, is to be requeued, or keeps the order of runs.';

-- The first leases of all jobs of a worker share a statement. An endpoint that a long transaction has locked must not delay
-- deliveries to other endpoints.
create function jobs.lockable_endpoints(endpoints json) returns json
language plpgsql
as $$
declare
  lockable constant uuid[] := array(
    select endpoint.id
    from json_to_recordset(endpoints) request ("organisationId" uuid, "endpointId" uuid)
    join app.webhook_endpoints endpoint
      on endpoint.organisation_id = request."organisationId" and endpoint.id = request."endpointId"
    order by endpoint.organisation_id, endpoint.id
    for no key update of endpoint skip locked
  );
begin
  perform jobs.queue_endpoint(endpoint.organisation_id, endpoint.id, now() + interval '1 second')
  from json_to_recordset(endpoints) request ("organisationId" uuid, "endpointId" uuid)
  join app.webhook_endpoints endpoint
    on endpoint.organisation_id = request."organisationId" and endpoint.id = request."endpointId"
  where endpoint.id <> all (lockable);
  return (
    select coalesce(json_agg(request.value), '[]')
    from json_array_elements(endpoints) request
    where (request.value ->> 'endpointId')::uuid = any (lockable)
  );
end
$$;
comment on function jobs.lockable_endpoints is 'Locks and returns the endpoints that no other transaction has locked. The others get a job in a second.';
