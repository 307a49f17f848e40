/*
 * Requests to a hook. The sender signs with the hook's secret, which the database stores sealed. So there are two
 * calls. The first returns the sealed secret for the hook's address. The API opens it with the master key and checks
 * the signature. The second call then presents the digest of the secret as its credential.
 * (docs/decisions/0020-routines-and-hooks.md)
 */
create function api.open_hook(input jsonb) returns text
language sql stable
security definer set search_path = ''
as $$
  select json_build_object('organisationId', hook.organisation_id, 'secretSealed', encode(hook.secret_sealed, 'hex'))::text
  from app.hooks hook
  where hook.id = caller.hook_id()
$$;
comment on function api.open_hook is 'Instead of row-level security: hook.id = caller.hook_id(). Returns its organisation and its sealed secret, which needs the master key.';
grant execute on function api.open_hook to tenant;

create function api.receive_hook(input jsonb) returns text
language plpgsql
security definer set search_path = ''
as $$
declare
  delivery constant bytea := decode(input ->> 'deliveryDigest', 'hex');
  signed constant bytea := decode(input ->> 'signedDigest', 'hex');
  body constant bytea := decode(input ->> 'bodyDigest', 'hex');
  hook constant app.hooks := api_private.lock_hook();
  known constant app.hook_receipts := api_private.hook_receipt(hook, delivery);
  run uuid := known.run_id;
begin
  if run is null and (api_private.hook_receipt(hook, signed)).run_id is not null or known.body_digest <> body then
    -- The same body with another delivery id, or another body with the same id.
    perform errors.refuse('conflict', reason => 'delivery_reused');
  end if;
  if run is null then
    run := api_private.start_hook_run(hook, input ->> 'message');
    if run is null then
      return '{"runId":null,"replayed":false}';
    end if;
  end if;
  perform api_private.store_hook_receipts(hook, delivery, signed, body, run);
  return json_build_object('runId', run, 'replayed', known.run_id is not null);
end
$$;
comment on function api.receive_hook is 'Instead of row-level security: api_private.lock_hook, for the digest of the hook''s secret. Starts one run for each delivery; runId is null if this call paused the hook.';
grant execute on function api.receive_hook to tenant;
