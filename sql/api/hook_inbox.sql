/*
 * Requests to a hook. The sender signs with the hook's secret, which the database stores sealed. So there are two
 * calls. The first returns the sealed secret for the hook's address. The API opens it with the master key and checks
 * the signature. The second call then presents the digest of the secret as its credential.
 * (docs/decisions/0027-hooks.md)
 */
create function api.open_hook(input jsonb) returns text
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: the hook whose address was presented, and of its data only the sealed secret.
  select json_build_object('organisationId', hook.organisation_id, 'secretSealed', encode(hook.secret_sealed, 'hex'))::text
  from app.hooks hook
  where hook.id = caller.hook_id()
$$;
comment on function api.open_hook is 'Instead of row-level security: the hook whose address was presented. Returns its organisation and its sealed secret, which needs the master key.';
grant execute on function api.open_hook to tenant;

-- The lock of the hook serialises requests, so that the second of two equal ones finds the receipt of the first.
create function api.receive_hook(input jsonb) returns text
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: the digest of the hook's secret. It reads and writes rows of that hook only.
declare
  hook app.hooks;
  known app.hook_receipts;
  delivery constant bytea := decode(input ->> 'deliveryDigest', 'hex');
  signed constant bytea := decode(input ->> 'signedDigest', 'hex');
  body constant bytea := decode(input ->> 'bodyDigest', 'hex');
  oldest_receipt constant timestamptz := now() - interval '24 hours';
  reason app.pause_reason;
  run uuid;
begin
  perform limits.lock_organisation(caller.organisation_id()); -- before the hook, as in the deletion of its bot
  select hooks.* into hook
  from app.hooks
  where hooks.organisation_id = caller.organisation_id() and hooks.id = caller.hook_id() and hooks.deleted_at is null
  for no key update;
  if hook.id is null then
    perform errors.refuse('unauthenticated'); -- deleted since the first call
  end if;

  select receipt.* into known
  from app.hook_receipts receipt
  where receipt.organisation_id = hook.organisation_id and receipt.hook_id = hook.id and receipt.digest = delivery
    and receipt.created_at > oldest_receipt;
  if known.run_id is null and exists (
    select from app.hook_receipts receipt
    where receipt.organisation_id = hook.organisation_id and receipt.hook_id = hook.id and receipt.digest = signed
      and receipt.created_at > oldest_receipt
  ) or known.body_digest <> body then
    -- The same body with another delivery id, or another body with the same id.
    perform errors.refuse('conflict', reason => 'delivery_reused');
  end if;

  if known.run_id is null then
    if hook.state = 'paused' then
      perform errors.refuse('conflict', reason => 'hook_paused');
    end if;
    reason := runs.reason_to_pause(hook.organisation_id, hook.created_by, hook.bot_id);
    if reason is not null then
      -- Returned and not raised: a refusal would undo the pause.
      update app.hooks
      set state = 'paused', pause_reason = reason
      where hooks.organisation_id = hook.organisation_id and hooks.id = hook.id;
      return '{"runId":null,"replayed":false}';
    end if;
    run := runs.start(hook.organisation_id, hook.created_by, hook.bot_id, 'webhook', input ->> 'message');
    update app.hooks
    set last_received_at = now(), last_run_id = run
    where hooks.organisation_id = hook.organisation_id and hooks.id = hook.id;
  end if;

  -- A repetition may have a new signature, which must not be used for another delivery either.
  insert into app.hook_receipts (organisation_id, hook_id, digest, body_digest, run_id)
  select hook.organisation_id, hook.id, seen.digest, body, coalesce(known.run_id, run)
  from (values (delivery) union values (signed)) as seen (digest) -- equal if the delivery has no id
  where not exists (
    select from app.hook_receipts receipt
    where receipt.organisation_id = hook.organisation_id and receipt.hook_id = hook.id and receipt.digest = seen.digest
      and receipt.created_at > oldest_receipt
  )
  -- An old row in today's partition is from the previous turn of the ring.
  on conflict (organisation_id, hook_id, digest, day_partition)
  do update set body_digest = excluded.body_digest, run_id = excluded.run_id, created_at = excluded.created_at;
  return json_build_object('runId', coalesce(known.run_id, run), 'replayed', known.run_id is not null);
end
$$;
comment on function api.receive_hook is 'Instead of row-level security: the digest of the hook''s secret. Starts one run for each delivery; runId is null if this call paused the hook.';
grant execute on function api.receive_hook to tenant;
