/*
 * The entry point of the API, a definer function of tenant. Policies give tenant no rows until a credential has been
 * accepted. One statement is one transaction of credential, replay, effect and idempotent response. The specification
 * defines the order of checks (docs/specification/conventions.md#order-of-checks). The refusal of a suspended
 * organisation is not stored under an Idempotency-Key, so that the same call succeeds after the suspension.
 */
create function api.handle(
  credential bytea,       -- SHA-256 of the bearer token
  operation text,         -- a name in api.operations
  input jsonb,            -- validated path, query and body; null if they are invalid
  problem json,           -- the validation error {"code", "details"?}, refused at its place in the order of checks
  request_id uuid,
  idempotency bytea,      -- SHA-256 of the Idempotency-Key; null if the operation needs none
  fingerprint bytea,      -- SHA-256 of method, path and body
  sealed_secret bytea,    -- a secret shown once, sealed so that only the caller can open it
  notes_use boolean default true, -- false if the process noted a use of this key in the last minute
  address inet default null -- of the caller; some keys are accepted from some addresses only
) returns text            -- a line of JSON with the outcome (src/api/stages/call.ts), then the body; null: call the primary
language plpgsql
security definer set search_path = ''
as $$
declare
  identity record;
  ignored text; -- unused: assigning the result avoids a separate SQL statement
begin
  ignored := case when pg_current_xact_id_if_assigned() is not null then api_private.complete_earlier_call() end;
  identity := caller.authenticate(credential, operation, notes_use, address);
  if identity.key_id is null then
    return '{"refusal":"unauthenticated"}';
  elsif identity.at_primary then
    return null;
  elsif identity.forbidden is not null and problem ->> 'code' is distinct from 'rate_limited' then
    return api_private.refusal(identity.key_id, identity.organisation_id, 'forbidden', '', identity.forbidden);
  end if;
  ignored := set_config('caller.request_id', request_id::text, true); -- for the audit log
  if idempotency is null or octet_length(idempotency) <> 32 or octet_length(fingerprint) is distinct from 32 then
    return api_private.call(identity.key_id, identity.organisation_id, identity.status, operation, input, problem);
  end if;
  return api_private.call_once(
    identity.key_id, identity.organisation_id, identity.status, operation, input, problem, request_id, idempotency, fingerprint, sealed_secret
  );
end
$$;
comment on function api.handle is 'Instead of row-level security: runs as tenant, to which every policy applies.';
grant execute on function api.handle to server;
