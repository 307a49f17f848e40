/*
 * A call with rate limits that all processes share (limits/rate_limits.sql). One statement, so one round trip, with two
 * transactions: the count is committed and its rows are unlocked before the call begins. So a call counts even if it
 * fails, as with the rate limits of one process. Only a procedure with the rights of its caller, server, can commit in
 * between.
 */
create function api.count_request(
  credential bytea, operation text, cost integer, limits integer[],
  out admitted boolean, -- null if the credential is unknown, which counts nothing
  out counted json      -- {"keyId", "organisationId", "used", "secondsLeft"}, as src/http/handle.ts reads it
)
language plpgsql
security definer set search_path = ''
as $$
declare
  at constant timestamptz := limits.clock();
  minute constant timestamptz := date_trunc('minute', at, 'UTC');
  identity record;
  consumed record;
begin
  identity := caller.authenticate(credential, operation);
  if identity.key_id is null then
    return;
  end if;
  consumed := limits.consume(
    coalesce(identity.organisation_id, '00000000-0000-0000-0000-000000000000'), identity.key_id, cost, limits, minute
  );
  admitted := consumed.admitted;
  counted := json_build_object(
    'keyId', identity.key_id,
    'organisationId', identity.organisation_id,
    'used', consumed.used,
    'secondsLeft', ceil(extract(epoch from minute + interval '1 minute' - at))::integer
  );
end
$$;
comment on function api.count_request is 'Instead of row-level security: nothing, since it runs as authenticator, to which policies show only live credentials. Counts for the presented one.';
grant execute on function api.count_request to server;

create procedure api.handle_counted(
  credential bytea, operation text, input jsonb, problem json, request_id uuid, idempotency bytea, fingerprint bytea,
  sealed_secret bytea,  -- these as in api.handle
  cost integer,         -- in requests; 0 for a request that was counted already and only needs the totals
  limits integer[],     -- requests per minute of each rate limit, from src/web/rate-limiter.ts
  inout answer text     -- a line with the counts, then the result of api.handle
)
language plpgsql
as $$
declare
  request record;
begin
  request := api.count_request(credential, operation, cost, limits);
  commit;
  if request.admitted then
    answer := request.counted || E'\n'
      || api.handle(credential, operation, input, problem, request_id, idempotency, fingerprint, sealed_secret);
  elsif not request.admitted then
    answer := request.counted || E'\n'
      || api.handle(credential, operation, null, '{"code":"rate_limited"}', request_id, null, null, null);
  else
    answer := E'null\n{"refusal":"unauthenticated"}';
  end if;
end
$$;
comment on procedure api.handle_counted is 'Counts a call, then performs it. Runs with the rights of server, which may execute api.count_request and api.handle.';
grant execute on procedure api.handle_counted to server;
