/*
 * Inbound webhooks: another system sends messages to a bot. Node creates and seals the secret; the database cannot open
 * it. (Beyond the specification; docs/specification/hooks.md#ownership)
 */
create function api.create_hook(input jsonb) returns text
language plpgsql
as $$
declare
  bot app.bots := api_private.bot_for_conversation((input ->> 'botId')::uuid);
  created uuid;
begin
  insert into app.hooks (organisation_id, bot_id, name, secret_sealed, secret_digest, created_by)
  values (
    caller.organisation_id(), bot.id, input ->> 'name', decode(input ->> 'secretSealed', 'hex'),
    decode(input ->> 'secretDigest', 'hex'), caller.person_id()
  )
  returning id into created;
  return api.get_hook(jsonb_build_object('id', created));
end
$$;
grant execute on function api.create_hook to tenant;

create function api.update_hook(input jsonb) returns text
language plpgsql
as $$
begin
  update app.hooks
  set
    name = coalesce(input ->> 'name', name),
    state = coalesce((input ->> 'state')::app.automation_state, state)
  where id = (input ->> 'id')::uuid and deleted_at is null;
  perform errors.require_row(found);
  return api.get_hook(input);
end
$$;
grant execute on function api.update_hook to tenant;

create function api.rotate_hook_secret(input jsonb) returns text
language plpgsql
as $$
begin
  update app.hooks
  set
    secret_sealed = decode(input ->> 'secretSealed', 'hex'),
    secret_digest = decode(input ->> 'secretDigest', 'hex')
  where id = (input ->> 'id')::uuid and deleted_at is null;
  perform errors.require_row(found);
  return api.get_hook(input);
end
$$;
grant execute on function api.rotate_hook_secret to tenant;
