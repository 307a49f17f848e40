/* Requests to a hook: its lock, its receipts and its runs. (docs/decisions/0020-routines-and-hooks.md) */
-- The lock of the hook serialises requests, so that the second of two equal ones finds the receipt of the first.
create function api_private.lock_hook() returns app.hooks
language plpgsql
as $$
declare
  hook app.hooks;
begin
  perform limits.lock_organisation(caller.organisation_id()); -- before the hook, as in the deletion of its bot
  select hooks.* into hook
  from app.hooks
  where hooks.organisation_id = caller.organisation_id() and hooks.id = caller.hook_id() and hooks.deleted_at is null
  for no key update;
  if hook.id is null then
    perform errors.refuse('unauthenticated'); -- deleted since the first call
  end if;
  return hook;
end
$$;
comment on function api_private.lock_hook is 'The hook whose secret was presented, locked.';

create function api_private.hook_receipt(hook app.hooks, digest bytea) returns app.hook_receipts
language sql stable
as $$
  select receipt.*
  from app.hook_receipts receipt
  where receipt.organisation_id = hook.organisation_id and receipt.hook_id = hook.id
    and receipt.digest = hook_receipt.digest and receipt.created_at > now() - interval '24 hours'
$$;
comment on function api_private.hook_receipt is 'The receipt of the last 24 hours with this digest; null if there is none.';

create function api_private.start_hook_run(hook app.hooks, message text) returns uuid
language plpgsql
as $$
declare
  reason app.pause_reason;
  run uuid;
begin
  if hook.state = 'paused' then
    perform errors.refuse('conflict', reason => 'hook_paused');
  end if;
  reason := runs.reason_to_pause(hook.organisation_id, hook.created_by, hook.bot_id);
  if reason is not null then
    update app.hooks
    set state = 'paused', pause_reason = reason
    where hooks.organisation_id = hook.organisation_id and hooks.id = hook.id;
    return null;
  end if;
  run := runs.start(hook.organisation_id, hook.created_by, hook.bot_id, 'webhook', message);
  update app.hooks
  set last_received_at = now(), last_run_id = run
  where hooks.organisation_id = hook.organisation_id and hooks.id = hook.id;
  return run;
end
$$;
comment on function api_private.start_hook_run is 'Starts a run, or pauses the hook and returns null. Not a refusal, which would undo the pause.';

-- A repetition may have a new signature, which must not be used for another delivery either.
create function api_private.store_hook_receipts(hook app.hooks, delivery bytea, signed bytea, body bytea, run uuid) returns void
language sql
as $$
  insert into app.hook_receipts (organisation_id, hook_id, digest, body_digest, run_id)
  select hook.organisation_id, hook.id, seen.digest, body, run
  from (values (delivery) union values (signed)) as seen (digest) -- equal if the delivery has no id
  where (api_private.hook_receipt(hook, seen.digest)).run_id is null
  -- An old row in today's partition is from the previous turn of the ring.
  on conflict (organisation_id, hook_id, digest, day_partition)
  do update set body_digest = excluded.body_digest, run_id = excluded.run_id, created_at = excluded.created_at
$$;
comment on function api_private.store_hook_receipts is 'Stores receipts under the digests of the delivery''s id and of its signature.';
