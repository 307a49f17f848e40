/*
 * What comes in at a hook. Its sender has no key but a secret, which signs; and the secret lies here sealed. So there are
 * two calls: the first gives whoever knows the hook's address its sealed secret, which only the service's master key
 * opens, and whose it is. Who has opened it, and has found with it that the signature is right, presents its digest to the second, as the
 * holder of an API key presents that one's. (docs/decisions.md, "Routines and hooks".)
 */
create function api.open_hook(input jsonb) returns text
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: the hook whose address was presented, and of it only what cannot be read here.
  select json_build_object('organisationId', held.organisation_id, 'secretSealed', encode(held.secret_sealed, 'hex'))::text
  from app.hooks held
  where held.id = caller.hook_id()
$$;
comment on function api.open_hook is 'Instead of row-level security: the hook whose address was presented. Answers its sealed secret, which needs the master key, and whose it is.';

-- The hook's lock makes one post of many at once, so that of equal ones the second finds what the first has left.
create function api.receive_hook(input jsonb) returns text
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: the digest of the hook's secret was presented; all that is touched is the hook's own.
declare
  hook app.hooks;
  known app.hook_receipts;
  delivery constant bytea := decode(input ->> 'deliveryDigest', 'hex');
  signed constant bytea := decode(input ->> 'signedDigest', 'hex');
  body constant bytea := decode(input ->> 'bodyDigest', 'hex');
  forgotten constant timestamptz := now() - interval '24 hours';
  reason app.pause_reason;
  run uuid;
begin
  perform triggers.lock_organisation(caller.organisation_id()); -- before the hook, as whoever deletes its bot
  select held.* into hook
  from app.hooks held
  where held.organisation_id = caller.organisation_id() and held.id = caller.hook_id() and held.deleted_at is null
  for no key update;
  if hook.id is null then
    perform caller.refuse('unauthenticated'); -- deleted while this was on its way
  end if;

  select held.* into known
  from app.hook_receipts held
  where held.organisation_id = hook.organisation_id and held.hook_id = hook.id and held.digest = delivery
    and held.created_at > forgotten;
  if known.run_id is null and exists (
    select from app.hook_receipts held
    where held.organisation_id = hook.organisation_id and held.hook_id = hook.id and held.digest = signed
      and held.created_at > forgotten
  ) or known.body_digest <> body then
    perform caller.refuse('conflict'); -- the same words under another name, or other words under the same
  end if;

  if known.run_id is null then
    if hook.state = 'paused' then
      perform caller.refuse('conflict');
    end if;
    reason := jobs.reason_to_pause(hook.organisation_id, hook.created_by, hook.bot_id);
    if reason is not null then
      -- Answered and not raised: a refusal would undo it.
      update app.hooks held
      set state = 'paused', pause_reason = reason
      where held.organisation_id = hook.organisation_id and held.id = hook.id;
      return '{"runId":null,"replayed":false}';
    end if;
    run := jobs.start_run(hook.organisation_id, hook.created_by, hook.bot_id, 'webhook', input ->> 'message');
    update app.hooks held
    set last_received_at = now(), last_run_id = run
    where held.organisation_id = hook.organisation_id and held.id = hook.id;
  end if;

  -- A repetition may be signed anew, and that signature is not to be used for anything else either.
  insert into app.hook_receipts (organisation_id, hook_id, digest, body_digest, run_id)
  select hook.organisation_id, hook.id, seen.digest, body, coalesce(known.run_id, run)
  from (values (delivery) union values (signed)) as seen (digest) -- one and the same where the delivery has no name
  where not exists (
    select from app.hook_receipts held
    where held.organisation_id = hook.organisation_id and held.hook_id = hook.id and held.digest = seen.digest
      and held.created_at > forgotten
  )
  -- What lies in today's place and was forgotten is of the last time round.
  on conflict (organisation_id, hook_id, digest, ring_day)
  do update set body_digest = excluded.body_digest, run_id = excluded.run_id, created_at = excluded.created_at;
  return json_build_object('runId', coalesce(known.run_id, run), 'replayed', known.run_id is not null);
end
$$;
comment on function api.receive_hook is 'Instead of row-level security: the digest of the hook''s secret. Starts a run, once for each delivery; runId is null when the hook is paused for a reason that was only found now.';
