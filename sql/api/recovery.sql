/*
 * Recovery of failed and missing deliveries of an endpoint, in chunks of the requested time. A chunk ends between two
 * milliseconds, the precision of times in JSON. (docs/specification/webhooks.md#recovery)
 *
 * The lock of an endpoint's row delays the outcomes of attempts. So a call searches first, then locks, and checks the
 * found rows again as it writes: an event never gets two deliveries, nor a delivery two rounds. An advisory lock
 * serialises the recoveries of one endpoint, so that at most one of them waits for the row.
 */
create function api.recover_webhook(input jsonb) returns text
language plpgsql
as $$
declare
  endpoint app.webhook_endpoints;
  first uuid;
  past uuid;
  chunk record;
  recovered integer;
begin
  perform caller.check_recovery_time((input ->> 'since')::timestamptz, (input ->> 'until')::timestamptz);
  select webhook_endpoints.organisation_id, webhook_endpoints.id, webhook_endpoints.state, webhook_endpoints.events
  into endpoint.organisation_id, endpoint.id, endpoint.state, endpoint.events
  from app.webhook_endpoints
  where webhook_endpoints.id = (input ->> 'id')::uuid and webhook_endpoints.deleted_at is null;
  if endpoint.id is null then
    perform caller.refuse('not_found');
  end if;
  if endpoint.state <> 'active' then
    perform caller.refuse('conflict', reason => 'endpoint_not_active');
  end if;
  perform pg_advisory_xact_lock(20251121, hashtext(endpoint.id::text));

  first := jobs.least_id((input ->> 'since')::timestamptz);
  past := jobs.least_id(coalesce((input ->> 'until')::timestamptz, now()));
  if input ->> 'include' = 'failed' then
    chunk := caller.find_failed(endpoint.id, first, past);
    recovered := caller.recover_failed(endpoint.id, first, chunk.past, chunk.ids);
  else
    chunk := caller.find_missing(endpoint, first, past);
    recovered := caller.recover_missing(endpoint.id, first, chunk.past, chunk.ids);
  end if;
  return (
    select row_to_json(recovery)
    from (
      select
        endpoint.id as "webhookId", input ->> 'include' as include, recovered,
        chunk.next_since is not null as "hasMore", rows.time(chunk.next_since) as "nextSince"
    ) recovery
  );
end
$$;
grant execute on function api.recover_webhook to tenant;

create function caller.find_failed(
  endpoint uuid, first uuid, inout past uuid, out ids uuid[], out next_since timestamptz
)
language plpgsql stable
as $$
declare
  looked_at uuid[];
begin
  select array_agg(near.id order by near.id), array_agg(near.id order by near.id) filter (where near.state = 'failed')
  into looked_at, ids
  from (
    select delivery.id, delivery.state
    from app.deliveries delivery
    where delivery.endpoint_id = endpoint and delivery.id >= first and delivery.id < past
    order by delivery.id
    limit 5001
  ) near;
  next_since := caller.end_of_chunk(looked_at, ids);
  past := coalesce(jobs.least_id(next_since), past);
end
$$;
comment on function caller.find_failed is 'Failed deliveries of the endpoint with ids from first to before past, and the end of the chunk if it is earlier. Deliveries beyond it are left to the next chunk.';
grant execute on function caller.find_failed to tenant;

create function caller.find_missing(
  endpoint app.webhook_endpoints, first uuid, inout past uuid, out ids uuid[], out next_since timestamptz
)
language plpgsql stable
as $$
declare
  oldest uuid := caller.oldest_delivery(first);
  newest uuid := caller.newest_delivery();
  looked_at uuid[];
begin
  -- A sub-select, so that each event is looked up by an index: "not exists" would be planned as a join with all
  -- deliveries.
  select array_agg(near.id order by near.id), array_agg(near.id order by near.id) filter (where near.delivery is null)
  into looked_at, ids
  from (
    select event.id, (
      select delivery.id
      from app.deliveries delivery
      where delivery.event_id = event.id and delivery.endpoint_id = endpoint.id
        and delivery.id >= oldest and delivery.id < newest
      limit 1
    ) as delivery
    from app.events event
    where event.id >= first and event.id < past and event.kind = any (endpoint.events)
    order by event.id
    limit 5001
  ) near;
  next_since := caller.end_of_chunk(looked_at, ids);
  past := coalesce(jobs.least_id(next_since), past);
end
$$;
comment on function caller.find_missing is 'Events that the endpoint subscribes to and has no delivery of, with ids from first to before past, and the end of the chunk if it is earlier.';
grant execute on function caller.find_missing to tenant;

-- A delivery is younger than its event and not in the future, so other weekly partitions can be skipped. A tolerance of
-- a week covers changes of the clock; with a larger change, a delivery might be created twice, with two ids.
create function caller.oldest_delivery(event uuid) returns uuid
language sql stable
as $$ select jobs.least_id(uuid_extract_timestamp(event) - interval '7 days') $$;
comment on function caller.oldest_delivery is 'The smallest id that a delivery of this event or of a younger one can have.';
grant execute on function caller.oldest_delivery to tenant;

create function caller.newest_delivery() returns uuid
language sql stable
as $$ select jobs.least_id(now() + interval '7 days') $$;
comment on function caller.newest_delivery is 'An id greater than that of every existing delivery.';
grant execute on function caller.newest_delivery to tenant;

-- A chunk ends between two milliseconds, so a whole millisecond must fit: a connection creates at most 4,096 ids in
-- one.
create function caller.end_of_chunk(looked_at uuid[], ids uuid[]) returns timestamptz
language sql immutable
as $$
  select least(
    case when cardinality(ids) > 500 then uuid_extract_timestamp(ids[500]) + interval '1 millisecond' end,
    uuid_extract_timestamp(looked_at[5001])
  )
$$;
comment on function caller.end_of_chunk is 'The end of a chunk: after the millisecond of the 500th row found, or before that of the 5,001st row read, whichever is earlier. Null if all rows fit.';
grant execute on function caller.end_of_chunk to tenant;

create function caller.recover_failed(endpoint uuid, first uuid, past uuid, ids uuid[]) returns integer
language plpgsql
as $$
declare
  recovered integer;
begin
  perform caller.lock_to_recover(endpoint);
  update app.deliveries delivery
  set state = 'pending'
  where delivery.id = any (ids)
    and delivery.endpoint_id = endpoint
    and delivery.id >= first and delivery.id < past -- only this chunk, and only its weekly partitions
    and delivery.state = 'failed';
  get diagnostics recovered = row_count;
  return recovered;
end
$$;
comment on function caller.recover_failed is 'Begins a new round for the found deliveries that are still failed, and returns their number.';
grant execute on function caller.recover_failed to tenant;

create function caller.recover_missing(endpoint uuid, first uuid, past uuid, ids uuid[]) returns integer
language plpgsql
as $$
declare
  oldest uuid := caller.oldest_delivery(first);
  newest uuid := caller.newest_delivery();
  recovered integer;
begin
  perform caller.lock_to_recover(endpoint);
  insert into app.deliveries (organisation_id, endpoint_id, event_id, event)
  select event.organisation_id, endpoint, event.id, event.kind
  from app.events event
  where event.id = any (ids)
    and event.id >= first and event.id < past
    and (
      select delivery.id
      from app.deliveries delivery
      where delivery.event_id = event.id and delivery.endpoint_id = endpoint
        and delivery.id >= oldest and delivery.id < newest
      limit 1
    ) is null
  order by event.id;
  get diagnostics recovered = row_count;
  return recovered;
end
$$;
comment on function caller.recover_missing is 'Creates a delivery for the found events that still have none, and returns their number.';
grant execute on function caller.recover_missing to tenant;

create function caller.lock_to_recover(endpoint uuid) returns void
language plpgsql
as $$
begin
  perform from app.webhook_endpoints
  where webhook_endpoints.id = endpoint and state = 'active' and deleted_at is null
  for no key update;
  if not found then
    perform caller.refuse('conflict', reason => 'endpoint_not_active');
  end if;
end
$$;
comment on function caller.lock_to_recover is 'Locks the endpoint before its deliveries, as everywhere; refuses with conflict if it is no longer active.';
grant execute on function caller.lock_to_recover to tenant;

create function caller.check_recovery_time(since timestamptz, until timestamptz) returns void
language plpgsql stable
as $$
begin
  if since > now() then
    perform caller.refuse('invalid_request', '[{"path":"body.since","message":"must not be in the future"}]');
  elsif since < caller.kept_since() then
    perform caller.refuse('invalid_request', '[{"path":"body.since","message":"must not be before what is still kept"}]');
  elsif since >= until then
    perform caller.refuse('invalid_request', '[{"path":"body.until","message":"must be later than since"}]');
  end if;
end
$$;
comment on function caller.check_recovery_time is 'Refuses a time for which nothing can be recovered. Without an end, the time ends now.';
grant execute on function caller.check_recovery_time to tenant;

create function caller.kept_since() returns timestamptz
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: it reads the one row of the service's settings.
  select now() - settings.delivery_retention from app.service_settings settings
$$;
comment on function caller.kept_since is 'Instead of row-level security: reads the service''s settings only. The time since which all events and deliveries are kept.';
grant execute on function caller.kept_since to tenant;
