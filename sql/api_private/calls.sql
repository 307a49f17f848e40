/* The steps of api.handle. (docs/specification/conventions.md#order-of-checks) */
create function api_private.complete_earlier_call() returns text
language plpgsql
as $$
begin
  set constraints all immediate;
  set constraints all deferred;
  return set_config('audit.deferred', '', true);
end
$$;
comment on function api_private.complete_earlier_call is 'Runs the deferred triggers of an earlier call that wrote in this transaction, because they log its identity, which is still set.';
grant execute on function api_private.complete_earlier_call to tenant;

create function api_private.refusal(key uuid, organisation uuid, code text, details text, reason text) returns text
language sql stable
as $$
  select json_build_object(
    'refusal', code, 'details', nullif(details, '')::json, 'reason', nullif(reason, ''), 'keyId', key, 'organisationId', organisation,
    'ratePerMinute', case when code = 'rate_limited' then (select own.rate_per_minute from app.api_keys own where own.id = key) end
  )::text
$$;
comment on function api_private.refusal is 'The line of a refusal, with the identity of the credential. By rate_limited a process learns the rate limit of the key.';
grant execute on function api_private.refusal to tenant;

create function api_private.call(key uuid, organisation uuid, status smallint, operation text, input jsonb, problem json) returns text
language plpgsql
as $$
declare
  code text;
  details text;
  reason text;
begin
  return '{"status":' || status || E'}\n'
    || api_private.dispatch(operation, input, coalesce(problem, api_private.missing_key(operation)));
exception when sqlstate 'OA001' then
  get stacked diagnostics code = message_text, details = pg_exception_detail, reason = pg_exception_hint;
  return api_private.refusal(key, organisation, code, details, reason);
end
$$;
comment on function api_private.call is 'Performs a call without an Idempotency-Key, unless the operation needs one.';
grant execute on function api_private.call to tenant;

create function api_private.digest_of_response(body text) returns text
language sql immutable parallel safe
as $$ select encode(sha256(convert_to(body, 'UTF8')), 'hex') $$;
comment on function api_private.digest_of_response is 'What is stored of a response that is made again for a replay.';
grant execute on function api_private.digest_of_response to tenant;

create function api_private.make_again(answer text, key uuid, organisation uuid, operation text, input jsonb) returns text
language plpgsql
as $$
declare
  head constant text := split_part(answer, E'\n', 1);
  body text;
  code text;
  details text;
  reason text;
begin
  if head::json ->> 'status' is null then
    return answer; -- a refusal, which is stored as it is
  end if;
  begin
    body := api_private.dispatch(operation, input);
    if api_private.digest_of_response(body) <> split_part(answer, E'\n', 2) then
      perform errors.refuse('conflict', reason => 'export_part_changed'); -- parts of exports are the only such responses
    end if;
    raise sqlstate 'OA003'; -- a replay has no effect
  exception
    when sqlstate 'OA003' then return head || E'\n' || body;
    when sqlstate 'OA001' then get stacked diagnostics code = message_text, details = pg_exception_detail, reason = pg_exception_hint;
  end;
  return api_private.refusal(key, organisation, code, details, reason);
end
$$;
comment on function api_private.make_again is 'Replays a response whose digest alone is stored: the same bytes, or a refusal.';
grant execute on function api_private.make_again to tenant;

create function api_private.call_once(
  key uuid, organisation uuid, status smallint, operation text, input jsonb, problem json,
  request_id uuid, idempotency bytea, fingerprint bytea, sealed_secret bytea
) returns text
language plpgsql
as $$
declare
  stored constant record := api_private.find_response(idempotency, fingerprint);
  stores_digest constant boolean := caller.operation(operation) -> 'stores_digest';
  body text;
  code text;
  details text;
  reason text;
begin
  if stored.answer is not null then
    return case when stores_digest then api_private.make_again(stored.answer, key, organisation, operation, input) else stored.answer end;
  end if;
  begin
    body := api_private.dispatch(operation, input, problem);
    if not api_private.store_response(
      idempotency, fingerprint, request_id, status, case when stores_digest then api_private.digest_of_response(body) else body end,
      null, null, null, sealed_secret, stored.is_expired
    ) then
      perform errors.refuse('rate_limited'); -- undoes the effect, because the response could not be replayed
    end if;
    return '{"status":' || status || E'}\n' || body;
  exception when sqlstate 'OA001' then
    get stacked diagnostics code = message_text, details = pg_exception_detail, reason = pg_exception_hint;
  end;
  if code in ('invalid_request', 'payment_required', 'forbidden', 'not_found', 'conflict', 'quota_exceeded')
    and not api_private.store_response(
      idempotency, fingerprint, request_id, null, null, code, nullif(details, '')::json, nullif(reason, ''), null, stored.is_expired
    ) then
    return api_private.refusal(key, organisation, 'rate_limited', '', '');
  end if;
  return api_private.refusal(key, organisation, code, details, reason);
end
$$;
comment on function api_private.call_once is 'Performs a call with an Idempotency-Key, or replays its response.';
grant execute on function api_private.call_once to tenant;
