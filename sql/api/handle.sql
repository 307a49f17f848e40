/*
 * The entry point of the API, a definer function of tenant. Policies give tenant no rows until a credential has been
 * accepted. One statement is one transaction of credential, replay, effect and idempotent response. The order of checks
 * is that of the specification (docs/specification/conventions.md#order-of-checks).
 */
create function api.handle(
  credential bytea,       -- SHA-256 of the bearer token; null for a call of the process itself
  operation text,         -- a name in api.operations
  input jsonb,            -- validated path, query and body; null if they are invalid
  problem json,           -- the validation error {"code", "details"?}, refused at its place in the order of checks
  request_id uuid,
  idempotency bytea,      -- digest of the Idempotency-Key; null if the operation needs none
  fingerprint bytea,      -- digest of method, path and body
  sealed_secret bytea     -- a secret shown once, sealed so that only the caller can open it
) returns text            -- a line of JSON with the outcome (src/http/handle.ts), then the body; null: call the primary
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: nothing is replaced. It runs as tenant, to which every policy applies.
declare
  identity record;
  stored record;
  body text;
  refusal text;
  refusal_details text;
  details json;
  reason text;
  ignored text; -- unused: assigning the result avoids a separate SQL statement
  is_stored boolean;
begin
  if credential is null then
    -- Calls of the process itself: the channel of run events, request counts to store, or readiness.
    if operation = 'run_events_channel' then
      return service.run_events_channel();
    end if;
    if input is not null then
      return E'{"status":200}\n' || service.count_requests(input);
    end if;
    -- Readiness tries what a call does: the lookup of a credential, and a transaction id, which takes a lock.
    identity := caller.authenticate('\x', 'get_me');
    ignored := pg_current_xact_id()::text;
    return E'{"status":200}\n' || service.readiness();
  end if;
  identity := caller.authenticate(credential, operation);
  if identity.key_id is null then
    return '{"refusal":"unauthenticated"}';
  end if;
  if identity.at_primary then
    return null;
  end if;
  -- Not stored under an Idempotency-Key, so that the same call succeeds after the suspension. Only a rate limit goes
  -- before.
  if identity.suspended and problem ->> 'code' is distinct from 'rate_limited' then
    return json_build_object(
      'refusal', 'forbidden', 'reason', 'organisation_suspended',
      'keyId', identity.key_id, 'organisationId', identity.organisation_id
    );
  end if;

  ignored := set_config('caller.request_id', request_id::text, true); -- for the audit log

  if idempotency is not null then
    stored := api_private.find_response(idempotency, fingerprint);
    if stored.request_id is not null or stored.refusal is not null then
      return json_build_object(
        'status', stored.status, 'refusal', stored.refusal, 'details', stored.details, 'reason', stored.reason,
        'replayed', stored.request_id is not null, 'requestId', stored.request_id,
        'sealed', encode(stored.sealed, 'hex')
      ) || E'\n' || coalesce(stored.body, '');
    end if;
  end if;

  begin
    if problem is not null then
      perform errors.refuse(problem ->> 'code', problem -> 'details');
    end if;
    body := api_private.dispatch(operation, input);
    if idempotency is not null and not (operation = 'batch' and api_private.only_reads(input)) then
      is_stored := api_private.store_response(
        idempotency, fingerprint, request_id, identity.status, body, null, null, null, sealed_secret, stored.is_expired
      );
      if not is_stored then
        perform errors.refuse('rate_limited'); -- undoes the effect, because the response could not be replayed
      end if;
    end if;
    return '{"status":' || identity.status || E'}\n' || body;
  exception when sqlstate 'OA001' then
    get stacked diagnostics refusal = message_text, refusal_details = pg_exception_detail, reason = pg_exception_hint;
    details := nullif(refusal_details, '')::json;
    reason := nullif(reason, '');
  end;

  if idempotency is not null and refusal in (
    'invalid_request', 'payment_required', 'forbidden', 'not_found', 'conflict', 'quota_exceeded'
  ) then
    is_stored := api_private.store_response(
      idempotency, fingerprint, request_id, null, null, refusal, details, reason, null, stored.is_expired
    );
    if not is_stored then
      refusal := 'rate_limited';
      details := null;
      reason := null;
    end if;
  end if;
  return json_build_object(
    'refusal', refusal, 'details', details, 'reason', reason,
    'keyId', identity.key_id, 'organisationId', identity.organisation_id
  );
end
$$;
comment on function api.handle is 'Instead of row-level security: nothing, since it runs as tenant, to which every policy applies.';
grant execute on function api.handle to server;
