/*
 * What an endpoint missed is sent again. The endpoint's lock comes first, as everywhere: of two calls for the same time
 * the second finds what the first has made, so that no event gets two deliveries and no delivery two rounds. A call
 * takes a bounded chunk of the time asked for, cut between two milliseconds, since that is what a time in JSON can say;
 * it is done in well under a second, for which long the attempts at this one endpoint wait. (decisions: "Beyond the
 * specification", 2.)
 */
create function api.recover_webhook(input jsonb) returns text
language plpgsql
as $$
declare
  endpoint app.webhook_endpoints;
  first uuid;
  past uuid;
  recovered integer;
  next_since timestamptz;
begin
  perform caller.check_recovery_time((input ->> 'since')::timestamptz, (input ->> 'until')::timestamptz);
  select held.id, held.state, held.events into endpoint.id, endpoint.state, endpoint.events
  from app.webhook_endpoints held
  where held.id = (input ->> 'id')::uuid and held.deleted_at is null
  for no key update;
  if endpoint.id is null then
    perform caller.refuse('not_found');
  end if;
  if endpoint.state <> 'active' then
    perform caller.refuse('conflict');
  end if;

  first := jobs.least_id((input ->> 'since')::timestamptz);
  past := jobs.least_id(coalesce((input ->> 'until')::timestamptz, now()));
  if input ->> 'include' = 'failed' then
    select * into recovered, next_since from caller.recover_failed(endpoint.id, first, past);
  else
    select * into recovered, next_since from caller.recover_missing(endpoint, first, past);
  end if;
  return (
    select row_to_json(recovery)
    from (
      select
        endpoint.id as "webhookId", input ->> 'include' as include, recovered, next_since is not null as "hasMore",
        rows.time(next_since) as "nextSince"
    ) recovery
  );
end
$$;

create function caller.recover_failed(
  endpoint uuid, first uuid, past uuid, out recovered integer, out next_since timestamptz
)
language plpgsql
as $$
declare
  looked_at uuid[];
  found uuid[];
begin
  select array_agg(near.id order by near.id), array_agg(near.id order by near.id) filter (where near.state = 'failed')
  into looked_at, found
  from (
    select delivery.id, delivery.state
    from app.deliveries delivery
    where delivery.endpoint_id = endpoint and delivery.id >= first and delivery.id < past
    order by delivery.id
    limit 10001
  ) near;
  next_since := caller.end_of_chunk(looked_at, found);
  update app.deliveries delivery
  set state = 'pending'
  where delivery.id = any (found)
    and delivery.endpoint_id = endpoint
    and delivery.id >= first -- known already, and says which weeks need not be looked at
    and delivery.id < coalesce(jobs.least_id(next_since), past)
    and delivery.state = 'failed';
  get diagnostics recovered = row_count;
end
$$;
comment on function caller.recover_failed is 'A new round for the failed deliveries of a locked endpoint, from the first id on and before the other.';

create function caller.recover_missing(
  endpoint app.webhook_endpoints, first uuid, past uuid, out recovered integer, out next_since timestamptz
)
language plpgsql
as $$
declare
  looked_at uuid[];
  found uuid[];
begin
  -- Each event is looked up by itself, by an index: as "not exists" it would be joined with all that was ever delivered.
  select array_agg(near.id order by near.id), array_agg(near.id order by near.id) filter (where near.delivery is null)
  into looked_at, found
  from (
    select event.id, (
      select delivery.id
      from app.deliveries delivery
      where delivery.event_id = event.id and delivery.endpoint_id = endpoint.id
      limit 1
    ) as delivery
    from app.events event
    where event.id >= first and event.id < past and event.kind = any (endpoint.events)
    order by event.id
    limit 10001
  ) near;
  next_since := caller.end_of_chunk(looked_at, found);
  insert into app.deliveries (organisation_id, endpoint_id, event_id, event)
  select event.organisation_id, endpoint.id, event.id, event.kind
  from app.events event
  where event.id = any (found) and event.id >= first and event.id < coalesce(jobs.least_id(next_since), past)
  order by event.id;
  get diagnostics recovered = row_count;
end
$$;
comment on function caller.recover_missing is 'A delivery for each event that a locked endpoint subscribes to and has none of, from the first id on and before the other.';

-- A chunk ends between two milliseconds, so a whole one fits: a connection makes at most 4096 ids in one.
create function caller.end_of_chunk(looked_at uuid[], found uuid[]) returns timestamptz
language sql immutable
as $$
  select least(
    case when cardinality(found) > 1000 then uuid_extract_timestamp(found[1000]) + interval '1 millisecond' end,
    uuid_extract_timestamp(looked_at[10001])
  )
$$;
comment on function caller.end_of_chunk is 'Where a chunk ends that would become too large: after the millisecond of the thousandth row found, and before that of the first row too many to look at. Null when it holds all.';

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
