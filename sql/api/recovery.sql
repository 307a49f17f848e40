/*
 * What an endpoint missed is sent again: a bounded chunk of the time asked for, cut between two milliseconds, since that is
 * what a time in JSON can say. (decisions: "Beyond the specification", 2.)
 *
 * While a row of an endpoint is locked, the outcomes of attempts there wait. So it is looked first and locked then, and
 * what was found is checked again as it is written: of two calls for the same time the second finds what the first has
 * made, no event gets two deliveries and no delivery two rounds. And recoveries of one endpoint wait for each other at a
 * lock of their own, not at the row, so that no more than one of them is ever before somebody else.
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
  select held.organisation_id, held.id, held.state, held.events
  into endpoint.organisation_id, endpoint.id, endpoint.state, endpoint.events
  from app.webhook_endpoints held
  where held.id = (input ->> 'id')::uuid and held.deleted_at is null;
  if endpoint.id is null then
    perform caller.refuse('not_found');
  end if;
  if endpoint.state <> 'active' then
    perform caller.refuse('conflict');
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
comment on function caller.find_failed is 'Deliveries of the endpoint that have failed, from the first id on and before the other; and where the chunk ends, if that is earlier. What is found beyond it is left to the next.';

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
  -- Each event is looked up by itself, by an index: as "not exists" it would be joined with all that was ever delivered.
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
comment on function caller.find_missing is 'Events that the endpoint subscribes to and has no delivery of, from the first id on and before the other; where the chunk ends, if it does before.';

-- A delivery is younger than its event and not of the future: so a look for one may pass over the other weeks. A week is
-- left for clocks that were set; beyond it a delivery might be made twice, and have two ids.
create function caller.oldest_delivery(event uuid) returns uuid
language sql stable
as $$ select jobs.least_id(uuid_extract_timestamp(event) - interval '7 days') $$;
comment on function caller.oldest_delivery is 'A delivery of this event, or of one that is younger, has no lesser id.';

create function caller.newest_delivery() returns uuid
language sql stable
as $$ select jobs.least_id(now() + interval '7 days') $$;
comment on function caller.newest_delivery is 'Every delivery made so far has a lesser id.';

-- A chunk ends between two milliseconds, so a whole one should fit: a connection makes at most 4096 ids in one.
create function caller.end_of_chunk(looked_at uuid[], ids uuid[]) returns timestamptz
language sql immutable
as $$
  select least(
    case when cardinality(ids) > 500 then uuid_extract_timestamp(ids[500]) + interval '1 millisecond' end,
    uuid_extract_timestamp(looked_at[5001])
  )
$$;
comment on function caller.end_of_chunk is 'Where a chunk ends that would become too large: after the millisecond of the five hundredth row found, and before that of the first row too many to look at. Null when it holds all.';

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
    and delivery.id >= first and delivery.id < past -- of what was found, this chunk's; and of the weeks, those it lies in
    and delivery.state = 'failed';
  get diagnostics recovered = row_count;
  return recovered;
end
$$;
comment on function caller.recover_failed is 'Begins a new round for those found that have failed still, between the two ids; answers for how many.';

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
comment on function caller.recover_missing is 'Makes a delivery for those found that have none still, between the two ids; answers for how many.';

create function caller.lock_to_recover(endpoint uuid) returns void
language plpgsql
as $$
begin
  perform from app.webhook_endpoints held
  where held.id = endpoint and held.state = 'active' and held.deleted_at is null
  for no key update;
  if not found then
    perform caller.refuse('conflict');
  end if;
end
$$;
comment on function caller.lock_to_recover is 'Locks the endpoint before its deliveries, as everywhere; conflict when it is not active any more.';

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
comment on function caller.check_recovery_time is 'Refuses a time of which nothing can be recovered. Without an end it goes up to now.';

create function caller.kept_since() returns timestamptz
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: it reads the one row of the service's settings.
  select now() - settings.delivery_retention from app.service_settings settings
$$;
comment on function caller.kept_since is 'Instead of row-level security: reads the service''s settings alone. From when on events and deliveries are certain to be there.';
