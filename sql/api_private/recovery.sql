create function api_private.find_failed(
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
  next_since := api_private.end_of_chunk(looked_at, ids);
  past := coalesce(times.least_id(next_since), past);
end
$$;
comment on function api_private.find_failed is 'Failed deliveries of the endpoint with ids from first to before past, and the end of the chunk if it is earlier. Deliveries beyond it are left to the next chunk.';
grant execute on function api_private.find_failed to tenant;

create function api_private.find_missing(
  endpoint app.webhook_endpoints, first uuid, inout past uuid, out ids uuid[], out next_since timestamptz
)
language plpgsql stable
as $$
declare
  oldest uuid := api_private.oldest_delivery(first);
  newest uuid := api_private.newest_delivery();
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
      and rows.passes_filters(endpoint.bot_ids, endpoint.run_states, event.kind, event.data)
    order by event.id
    limit 5001
  ) near;
  next_since := api_private.end_of_chunk(looked_at, ids);
  past := coalesce(times.least_id(next_since), past);
end
$$;
comment on function api_private.find_missing is 'Events from first to before past that have no delivery to the endpoint, although it subscribes to them and they pass its filters. Also the end of the chunk, if it is earlier.';
grant execute on function api_private.find_missing to tenant;

-- A delivery is younger than its event and not in the future, so other weekly partitions can be skipped. A tolerance of
-- a week covers changes of the clock; with a larger change, a delivery might be created twice, with two ids.
create function api_private.oldest_delivery(event uuid) returns uuid
language sql stable
as $$ select times.least_id(uuid_extract_timestamp(event) - interval '7 days') $$;
comment on function api_private.oldest_delivery is 'The smallest id that a delivery of this event or of a younger one can have.';
grant execute on function api_private.oldest_delivery to tenant;

create function api_private.newest_delivery() returns uuid
language sql stable
as $$ select times.least_id(now() + interval '7 days') $$;
comment on function api_private.newest_delivery is 'An id greater than the id of every existing delivery.';
grant execute on function api_private.newest_delivery to tenant;

-- A chunk ends between two milliseconds, so a whole millisecond must fit: a connection creates at most 4,096 ids in
-- one.
create function api_private.end_of_chunk(looked_at uuid[], ids uuid[]) returns timestamptz
language sql immutable
as $$
  select least(
    case when cardinality(ids) > 500 then uuid_extract_timestamp(ids[500]) + interval '1 millisecond' end,
    uuid_extract_timestamp(looked_at[5001])
  )
$$;
comment on function api_private.end_of_chunk is 'The end of a chunk: after the millisecond of the 500th row found, or before the millisecond of the 5,001st row read, whichever is earlier. Null if all rows fit.';
grant execute on function api_private.end_of_chunk to tenant;

create function api_private.recover_failed(endpoint uuid, first uuid, past uuid, ids uuid[]) returns integer
language plpgsql
as $$
declare
  recovered integer;
begin
  perform api_private.lock_to_recover(endpoint);
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
comment on function api_private.recover_failed is 'Begins a new round for the found deliveries that are still failed, and returns their number.';
grant execute on function api_private.recover_failed to tenant;

create function api_private.recover_missing(endpoint uuid, first uuid, past uuid, ids uuid[]) returns integer
language plpgsql
as $$
declare
  oldest uuid := api_private.oldest_delivery(first);
  newest uuid := api_private.newest_delivery();
  recovered integer;
begin
  perform api_private.lock_to_recover(endpoint);
  insert into app.deliveries (organisation_id, endpoint_id, event_id, event, ordered_run_id)
  select event.organisation_id, endpoint, event.id, event.kind,
    case when receiver.order_per_run then event.run_id end
  from app.events event
  join app.webhook_endpoints receiver on receiver.id = endpoint
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
comment on function api_private.recover_missing is 'Creates a delivery for the found events that still have none, and returns their number.';
grant execute on function api_private.recover_missing to tenant;

create function api_private.lock_to_recover(endpoint uuid) returns void
language plpgsql
as $$
begin
  perform from app.webhook_endpoints
  where webhook_endpoints.id = endpoint and state = 'active' and deleted_at is null
  for no key update;
  if not found then
    perform errors.refuse('conflict', reason => 'endpoint_not_active');
  end if;
end
$$;
comment on function api_private.lock_to_recover is 'Locks the endpoint before its deliveries, as everywhere; refuses with conflict if it is no longer active.';
grant execute on function api_private.lock_to_recover to tenant;

create function api_private.check_recovery_time(since timestamptz, until timestamptz) returns void
language plpgsql stable
as $$
begin
  if since > now() then
    perform errors.refuse('invalid_request', '[{"path":"body.since","message":"must not be in the future"}]');
  elsif since < service.kept_since() then
    perform errors.refuse('invalid_request', '[{"path":"body.since","message":"must not be before what is still kept"}]');
  elsif since >= until then
    perform errors.refuse('invalid_request', '[{"path":"body.until","message":"must be later than since"}]');
  end if;
end
$$;
comment on function api_private.check_recovery_time is 'Refuses a time for which nothing can be recovered. Without an end, the time ends now.';
grant execute on function api_private.check_recovery_time to tenant;

create function api_private.endpoint_to_recover(id uuid) returns app.webhook_endpoints
language plpgsql
as $$
declare
  endpoint app.webhook_endpoints;
begin
  select
    webhook_endpoints.organisation_id, webhook_endpoints.id, webhook_endpoints.state, webhook_endpoints.events,
    webhook_endpoints.bot_ids, webhook_endpoints.run_states
  into endpoint.organisation_id, endpoint.id, endpoint.state, endpoint.events, endpoint.bot_ids, endpoint.run_states
  from app.webhook_endpoints
  where webhook_endpoints.id = endpoint_to_recover.id and webhook_endpoints.deleted_at is null;
  if endpoint.id is null then
    perform errors.refuse('not_found');
  elsif endpoint.state <> 'active' then
    perform errors.refuse('conflict', reason => 'endpoint_not_active');
  end if;
  perform service.lock('recovery of ' || endpoint.id);
  return endpoint;
end
$$;
comment on function api_private.endpoint_to_recover is 'The active endpoint, after other recoveries of it. Only its id, organisation, state, events and filters.';
grant execute on function api_private.endpoint_to_recover to tenant;
