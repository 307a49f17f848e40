/*
 * Notified deliveries. A delivery to an endpoint where nothing else is due gets no job: its transaction notifies a
 * worker, which leases it at once. A notification can be lost; jobs.recover_lost_jobs finds the delivery then.
 * (docs/decisions/0024-deliveries.md)
 */
create function jobs.notify_worker(delivery app.deliveries) returns boolean
language plpgsql
as $$
declare
  -- The same worker for all deliveries of an endpoint: it may have an open connection to the receiver.
  channel constant text := (
    select worker_pool.delivery_channel
    from app.worker_pools worker_pool
    where worker_pool.notified_until > now()
    order by hashtextextended(worker_pool.delivery_channel || delivery.endpoint_id, 0)
    limit 1
  );
begin
  if channel is null then
    return false;
  end if;
  perform pg_notify(channel, concat_ws(' ', delivery.organisation_id, delivery.endpoint_id, delivery.id));
  return true;
end
$$;
comment on function jobs.notify_worker is 'Notifies one worker of the delivery at commit. False if none listens.';

-- Leases only the first delivery of an idle endpoint. Every share grants that (leasable_deliveries.sql), so no leases of
-- other endpoints are counted.
create function jobs.lease_notified_deliveries(organisations uuid[], endpoints uuid[], deliveries uuid[])
returns table (
  delivery_id uuid, lease_id uuid, url text, secret_sealed bytea, event app.event_kind, body text, attempt integer
)
language plpgsql
security definer set search_path = ''
set plan_cache_mode = force_generic_plan -- as for jobs.lease_deliveries
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
  notified record;
begin
  perform jobs.commit_without_flush();
  for notified in
    select due.* from unnest(organisations, endpoints, deliveries) due (organisation, endpoint, delivery) order by 1, 2, 3
  loop
    return query
    select leased.* from jobs.lease_notified_delivery(notified.organisation, notified.endpoint, notified.delivery) leased;
  end loop;
end
$$;
comment on function jobs.lease_notified_deliveries is 'Instead of row-level security: only worker may execute it. The named deliveries. The arrays have the same length. Returns the deliveries that it leased. For the others, the worker calls jobs.lease_deliveries, as a job does.';
grant execute on function jobs.lease_notified_deliveries to worker;

create function jobs.lease_notified_delivery(organisation uuid, endpoint uuid, delivery uuid)
returns table (
  delivery_id uuid, lease_id uuid, url text, secret_sealed bytea, event app.event_kind, body text, attempt integer
)
language plpgsql
as $$
#variable_conflict use_column
declare
  receiver record := jobs.lock_idle_endpoint(organisation, endpoint, delivery);
begin
  if receiver.url is not null then
    return query
    with leased as (
      update app.deliveries due
      set lease_id = uuidv7(), lease_until = times.clock() + jobs.lease_time()
      where due.organisation_id = organisation and due.id = delivery and due.endpoint_id = endpoint
        and due.state::text = 'pending' -- not by the index of pending deliveries, which a plan for empty tables would use
        and due.next_attempt_at <= times.clock() and due.lease_id is null
      returning due.organisation_id, due.id, due.lease_id, due.event, due.event_id, due.attempts
    )
    select
      leased.id, leased.lease_id, receiver.url, receiver.secret_sealed, leased.event,
      rows.payload(leased.id, announced), leased.attempts + 1
    from leased
    join app.events announced on announced.organisation_id = leased.organisation_id and announced.id = leased.event_id;
  end if;
end
$$;
comment on function jobs.lease_notified_delivery is 'Leases a due delivery to an idle endpoint.';

-- skip locked: an endpoint that a long transaction has locked must not delay the other notified deliveries.
create function jobs.lock_idle_endpoint(organisation uuid, endpoint uuid, delivery uuid, out url text, out secret_sealed bytea)
language plpgsql
as $$
declare
  in_order boolean;
begin
  select receiver.url, receiver.secret_sealed, receiver.order_per_run
  into lock_idle_endpoint.url, lock_idle_endpoint.secret_sealed, in_order
  from app.webhook_endpoints receiver
  where receiver.organisation_id = organisation and receiver.id = endpoint
    and receiver.state = 'active' and receiver.deleted_at is null and receiver.degraded_since is null
  for no key update skip locked;
  if exists (
    select
    from app.deliveries other
    where other.organisation_id = organisation and other.endpoint_id = endpoint
      and other.state = 'pending' and other.next_attempt_at <= times.clock() and other.id <> delivery
  ) or in_order and jobs.is_out_of_turn(organisation, delivery) then
    url := null;
  end if;
end
$$;
comment on function jobs.lock_idle_endpoint is 'Locks an endpoint. Returns no URL if it is locked, paused, disabled, deleted or degraded. Also none if another delivery is due there, leased or not, or if the delivery waits for an earlier one of its run.';
