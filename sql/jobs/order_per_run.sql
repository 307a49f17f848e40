/*
 * Order per run. At an endpoint with order_per_run, a delivery waits until every earlier delivery of its run was
 * delivered or has failed. Earlier is the delivery of an earlier event: its id follows the order in which the run's row
 * was written.
 *
 * A due delivery that has to wait is deferred once, and released when the one before it ends. So a lease never reads
 * waiting deliveries again. Both happen under the lock of the endpoint. If a release is missing, for example after the drop of
 * an old partition, the deferred delivery becomes due by itself.
 * (docs/specification/deliveries.md#order-per-run, docs/decisions/0024-deliveries.md)
 */
create function jobs.first_of_run(organisation uuid, endpoint uuid, run uuid, before_event uuid)
returns table (id uuid, next_attempt_at timestamptz)
language sql stable -- without settings of its own, so that it is inlined
rows 1
as $$
  select earlier.id, earlier.next_attempt_at
  from app.deliveries earlier
  where earlier.organisation_id = organisation
    and earlier.endpoint_id = endpoint
    and earlier.ordered_run_id = run
    and earlier.event_id < before_event
    and earlier.state = 'pending'
  order by earlier.event_id -- the order of the index deliveries_in_order
  limit 1
$$;
comment on function jobs.first_of_run is 'The first pending delivery of the run at the endpoint, if its event is earlier than before_event.';

-- The oldest 200 of each endpoint, and more only if at least 100 of them have to wait. So at least 100 due deliveries
-- remain in front, ten times the share of an endpoint, and a call never reads all that is due.
create function jobs.defer_out_of_turn(endpoints json) returns void
language plpgsql
as $$
declare
  deferred bigint;
begin
  loop
    update app.deliveries delivery
    set next_attempt_at = waiting.until
    from (
      select due.organisation_id, due.id, greatest(earlier.next_attempt_at, times.clock()) + interval '1 minute' as until
      from jobs.active_endpoints_in_order(endpoints) endpoint
      cross join lateral (
        select near.*
        from app.deliveries near
        where near.organisation_id = endpoint.organisation_id and near.endpoint_id = endpoint.id
          and near.state = 'pending' and near.next_attempt_at <= times.clock()
          and (near.lease_until is null or near.lease_until <= times.clock())
        order by near.next_attempt_at
        limit 200
      ) due
      cross join lateral jobs.first_of_run(due.organisation_id, due.endpoint_id, due.ordered_run_id, due.event_id) earlier
    ) waiting
    where delivery.organisation_id = waiting.organisation_id and delivery.id = waiting.id;
    get diagnostics deferred = row_count;
    exit when deferred < 100;
  end loop;
end
$$;
comment on function jobs.defer_out_of_turn is 'Defers due deliveries that wait for an earlier one of their run. The caller has locked the endpoints'' rows.';

create function jobs.active_endpoints_in_order(endpoints json) returns table (organisation_id uuid, id uuid)
language sql stable
rows 1
as $$
  select endpoint.organisation_id, endpoint.id
  from json_to_recordset(endpoints) request ("organisationId" uuid, "endpointId" uuid)
  join app.webhook_endpoints endpoint
    on endpoint.organisation_id = request."organisationId" and endpoint.id = request."endpointId"
  where endpoint.order_per_run and endpoint.state = 'active' and endpoint.deleted_at is null
$$;
comment on function jobs.active_endpoints_in_order is 'The active ones of the endpoints that keep the order of runs.';

create function jobs.release_next_of_run(organisation uuid, endpoint uuid, run uuid) returns void
language sql
as $$
  update app.deliveries next
  set next_attempt_at = date_trunc('milliseconds', times.clock()) -- due now: the column would round up
  from jobs.first_of_run(organisation, endpoint, run, 'ffffffff-ffff-ffff-ffff-ffffffffffff') first
  where next.organisation_id = organisation
    and next.id = first.id
    and next.attempts = next.attempts_before_round -- not one that waits for its retry
    and next.next_attempt_at > times.clock()
$$;
comment on function jobs.release_next_of_run is 'Makes the deferred delivery due whose turn it is. The worker that recorded the outcome leases it, or requeues the endpoint.';
