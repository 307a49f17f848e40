/*
 * Webhook endpoints. Node creates and seals the secret; the database cannot open it. (docs/specification/webhooks.md)
 */
create function api.create_webhook(input jsonb) returns text
language plpgsql
as $$
declare
  created uuid;
begin
  insert into app.webhook_endpoints (
    organisation_id, url, description, events, bot_ids, run_states, order_per_run, secret_sealed
  )
  values (
    caller.organisation_id(),
    input ->> 'url',
    input ->> 'description',
    api_private.texts(input -> 'events')::app.event_kind[],
    api_private.texts(input -> 'botIds')::uuid[],
    api_private.texts(input -> 'runStates')::app.run_state[],
    coalesce((input ->> 'orderPerRun')::boolean, false),
    decode(input ->> 'secretSealed', 'hex')
  )
  returning id into created;
  return api.get_webhook(jsonb_build_object('id', created));
end
$$;
grant execute on function api.create_webhook to tenant;

-- A disabled endpoint can become active. It cannot be paused, because that would hide that it failed.
create function api.update_webhook(input jsonb) returns text
language plpgsql
as $$
declare
  before app.endpoint_state;
begin
  select endpoint.state into before
  from app.webhook_endpoints endpoint
  where endpoint.id = (input ->> 'id')::uuid and endpoint.deleted_at is null
  for no key update;
  if before is null then
    perform errors.refuse('not_found');
  end if;
  if before = 'disabled' and input ->> 'state' = 'paused' then
    perform errors.refuse('conflict', reason => 'endpoint_disabled');
  end if;
  update app.webhook_endpoints
  set
    url = coalesce(input ->> 'url', url),
    description = case when input ? 'description' then input ->> 'description' else description end,
    events = coalesce(api_private.texts(input -> 'events')::app.event_kind[], events),
    bot_ids = case when input ? 'botIds' then api_private.texts(input -> 'botIds')::uuid[] else bot_ids end,
    run_states = case when input ? 'runStates'
      then api_private.texts(input -> 'runStates')::app.run_state[]
      else run_states
    end,
    order_per_run = coalesce((input ->> 'orderPerRun')::boolean, order_per_run),
    state = coalesce((input ->> 'state')::app.endpoint_state, state)
  where id = (input ->> 'id')::uuid;
  return api.get_webhook(input);
end
$$;
grant execute on function api.update_webhook to tenant;

create function api.rotate_webhook_secret(input jsonb) returns text
language plpgsql
as $$
begin
  update app.webhook_endpoints
  set secret_sealed = decode(input ->> 'secretSealed', 'hex')
  where id = (input ->> 'id')::uuid and deleted_at is null;
  perform errors.require_row(found);
  return api.get_webhook(input);
end
$$;
grant execute on function api.rotate_webhook_secret to tenant;

-- The lock keeps the endpoint active until the test is written.
create function api.test_webhook(input jsonb) returns text
language plpgsql
as $$
declare
  endpoint record;
  announced uuid;
  queued uuid;
begin
  select webhook_endpoints.id, webhook_endpoints.state, webhook_endpoints.deleted_at into endpoint
  from app.webhook_endpoints
  where webhook_endpoints.id = (input ->> 'id')::uuid
  for no key update;
  if endpoint.id is null then
    perform errors.refuse('not_found');
  end if;
  if endpoint.state <> 'active' or endpoint.deleted_at is not null then
    perform errors.refuse('conflict', reason => 'endpoint_not_active');
  end if;
  insert into app.events (organisation_id, kind, data)
  values (caller.organisation_id(), 'webhook.test', format('{"webhookId":"%s"}', endpoint.id)::json)
  returning id into announced;
  insert into app.deliveries (organisation_id, endpoint_id, event_id, event)
  values (caller.organisation_id(), endpoint.id, announced, 'webhook.test')
  returning id into queued;
  return (select row_to_json(delivery)::text from rows.deliveries delivery where delivery.id = queued);
end
$$;
grant execute on function api.test_webhook to tenant;
