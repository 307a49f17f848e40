/*
 * A call that is counted first, in the allowances that all processes share (caller/allowances.sql). Two transactions in one
 * statement, so that it is one round trip still: what was counted is committed, and its rows are free, before the call begins.
 * So it is counted whatever becomes of it, as with allowances of a process. The first ends where no definer function could
 * end it: the procedure works with the rights of who calls it, server, and has none of its own.
 */
create function api.count_request(
  credential bytea, operation text, cost integer, limits integer[],
  out admitted boolean, -- null where the credential is nobody's, which counts nothing
  out counted json      -- {"keyId", "organisationId", "used", "secondsLeft"}, as src/http/handle.ts reads it
)
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: nothing is replaced. It belongs to authenticator, who may look credentials up; what it
-- counts is for the one that was shown.
declare
  at constant timestamptz := caller.clock();
  minute constant timestamptz := date_trunc('minute', at, 'UTC');
  who record;
  spent record;
begin
  who := caller.authenticate(credential, operation);
  if who.key_id is null then
    return;
  end if;
  spent := caller.spend(
    coalesce(who.organisation_id, '00000000-0000-0000-0000-000000000000'), who.key_id, cost, limits, minute
  );
  admitted := spent.admitted;
  counted := json_build_object(
    'keyId', who.key_id,
    'organisationId', who.organisation_id,
    'used', spent.used,
    'secondsLeft', ceil(extract(epoch from minute + interval '1 minute' - at))::integer
  );
end
$$;
comment on function api.count_request is 'Instead of row-level security: nothing, since it belongs to authenticator, whom policies show live credentials alone. Counts for whoever shows one.';

create procedure api.handle_counted(
  credential bytea, operation text, input jsonb, problem json, request_id uuid, idempotency bytea, fingerprint bytea,
  sealed_secret bytea,  -- these as of api.handle
  cost integer,         -- in requests; 0 of one that was counted already, and is told what is used
  limits integer[],     -- requests a minute of each allowance, as src/http/buckets.ts has them
  inout answer text     -- what was counted, in a line of its own, and what api.handle answers
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
comment on procedure api.handle_counted is 'A call, counted before it is performed. Works with the rights of server, who executes api.count_request and api.handle.';
