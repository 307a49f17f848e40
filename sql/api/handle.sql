/*
 * The one way in. A definer function that belongs to tenant: whoever may call it gets what tenant may do once a
 * credential has said for whom, and nothing before. One statement is one transaction: credential, replay, effect and
 * kept answer stand or fall together. The order of checks is the specification's (decisions: "Order of checks").
 */
create function api.handle(
  credential bytea,       -- SHA-256 of the bearer token; null from a process that asks for itself
  operation text,         -- a name in api.operations; whoever passes a problem passes the operation it was found in
  input jsonb,            -- path, query and body as the contract admitted them; null when it did not
  problem json,           -- what the contract found wrong, {"code", "details"?}: answered in its place in the order
  request_id uuid,
  idempotency bytea,      -- digest of the Idempotency-Key; null for what needs none
  fingerprint bytea,      -- digest of method, path and body
  sealed_secret bytea     -- a secret shown once, which only the caller can open
) returns text            -- a line of JSON that says how it went, as src/http/handle.ts reads it; then the body. Null: ask the primary
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: nothing is replaced. It belongs to tenant, whom every policy holds.
declare
  who record;
  recalled record;
  body text;
  refusal text;
  said text; -- with the refusal
  details json;
  told text;
  is_kept boolean; -- this and the one before are asked of nobody: assigned, a function is called without a statement of its own
begin
  if credential is null then
    -- A process that asks for nobody asks whether it can serve at all, or hands over what it has counted.
    return E'{"status":200}\n' || case when input is null then jobs.readiness() else jobs.count_requests(input) end;
  end if;
  who := caller.authenticate(credential, operation);
  if who.key_id is null then
    return '{"refusal":"unauthenticated"}';
  end if;
  if who.at_primary then
    return null;
  end if;
  -- Of the state of today and not of the call, so it is kept under no Idempotency-Key: once lifted, the call can be sent
  -- again. Only a full bucket goes before it.
  if who.suspended and problem ->> 'code' is distinct from 'rate_limited' then
    return json_build_object('refusal', 'forbidden', 'keyId', who.key_id, 'organisationId', who.organisation_id);
  end if;

  told := set_config('caller.request_id', request_id::text, true); -- to the trail

  if idempotency is not null then
    recalled := api.recall(idempotency, fingerprint);
    if recalled.request_id is not null or recalled.refusal is not null then
      return json_build_object(
        'status', recalled.status, 'refusal', recalled.refusal, 'details', recalled.details,
        'replayed', recalled.request_id is not null, 'requestId', recalled.request_id,
        'sealed', encode(recalled.sealed, 'hex')
      ) || E'\n' || coalesce(recalled.body, '');
    end if;
  end if;

  begin
    if problem is not null then
      perform caller.refuse(problem ->> 'code', problem -> 'details');
    end if;
    body := api.dispatch(operation, input);
    if idempotency is not null then
      is_kept := api.remember(
        idempotency, fingerprint, request_id, who.status, body, null, null, sealed_secret, recalled.forgotten
      );
    end if;
    return '{"status":' || who.status || E'}\n' || body;
  exception when sqlstate 'OA001' then
    get stacked diagnostics refusal = message_text, said = pg_exception_detail;
    details := nullif(said, '')::json;
  end;

  if idempotency is not null and refusal in (
    'invalid_request', 'payment_required', 'forbidden', 'not_found', 'conflict', 'quota_exceeded'
  ) then
    is_kept := api.remember(
      idempotency, fingerprint, request_id, null, null, refusal, details, null, recalled.forgotten
    );
  end if;
  return json_build_object(
    'refusal', refusal, 'details', details, 'keyId', who.key_id, 'organisationId', who.organisation_id
  );
end
$$;
comment on function api.handle is 'Instead of row-level security: nothing, since it belongs to tenant and every policy holds it.';

/*
 * From the name of an operation to its function. Written out from the contract, because cases over names are quicker
 * than a statement built at every call, and because what can be reached through them can be read in them. A case tries
 * its names in turn, so the names are laid out in drawers: at most a dozen are tried, wherever in the alphabet one is.
 */
do $$
begin
  execute format(
    $function$
      create function api.dispatch(operation text, input jsonb) returns text language plpgsql as $body$
      begin
      %s
        raise exception 'There is no operation of that name.';
      end
      $body$
    $function$,
    (
      select string_agg(
        format(
          E'  if operation <= %L collate "C" then\n    case operation\n%s\n    end case;\n  end if;',
          drawer.last, drawer.cases
        ),
        E'\n' order by drawer.last collate "C"
      )
      from (
        select max(op.name collate "C") as last,
          string_agg(format('      when %L then return api.%I(input);', op.name, op.name), E'\n' order by op.name) as cases
        from (
          select listed.name, ntile(7) over (order by listed.name collate "C") as number from api.operations listed
        ) op
        group by op.number
      ) drawer
    )
  );
end
$$;
