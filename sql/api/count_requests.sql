/*
 * Counts requests where all processes share their rate limits (limits/rate_limits.sql; docs/decisions/0013-rate-limits.md).
 * A statement of its own counts, so that it commits and unlocks the counts before the requests begin or end. So a
 * request counts even if it fails, as with the rate limits of one process.
 */
create function api.count_request(
  credential bytea,
  operation text,   -- a name in api.operations
  cost integer,     -- in requests; 0 for a request that was counted already and only needs the totals
  limits integer[], -- requests per minute of each rate limit, from src/web/rate-limiter.ts
  address inet default null -- of the caller
) returns json      -- null if the credential is unknown, which counts nothing
language plpgsql
security definer set search_path = ''
as $$
declare
  at constant timestamptz := limits.clock();
  minute constant timestamptz := date_trunc('minute', at, 'UTC');
  identity record;
  consumed record;
begin
  identity := caller.authenticate(credential, operation, false, address); -- the request itself notes it
  if identity.key_id is null then
    return null;
  end if;
  consumed := limits.consume(
    coalesce(identity.organisation_id, '00000000-0000-0000-0000-000000000000'), identity.key_id, cost,
    array[least(limits[1], identity.rate_per_minute)] || limits[2:], minute
  );
  return json_build_object(
    'keyId', identity.key_id,
    'organisationId', identity.organisation_id,
    'admitted', consumed.admitted,
    'used', consumed.used,
    'secondsLeft', limits.seconds_left(at),
    'ratePerMinute', identity.rate_per_minute
  );
end
$$;
comment on function api.count_request is 'Instead of row-level security: runs as authenticator, to which policies show only live credentials. Counts for the presented one.';
grant execute on function api.count_request to server;

/*
 * The same for many requests with keys of organisations, if all are within the rate limits. Otherwise it counts none and
 * raises rate_limited, and the caller counts each by itself.
 */
create function api.count_requests(
  credentials bytea[], operations text[], costs integer[], limits integer[], addresses inet[] default null
) returns json
language plpgsql
security definer set search_path = ''
as $$
declare
  at constant timestamptz := limits.clock();
  minute constant timestamptz := date_trunc('minute', at, 'UTC');
  organisations uuid[];
  keys uuid[];
  rates integer[];
begin
  select array_agg(key.organisation_id order by sent.place), array_agg(key.id order by sent.place),
    array_agg(key.rate_per_minute order by sent.place)
  into organisations, keys, rates
  from unnest(credentials, operations, addresses) with ordinality sent (credential, operation, address, place)
  left join (
    app.api_keys key
    join app.memberships member -- still an admin, as in caller.authenticate
      on member.organisation_id = key.organisation_id and member.person_id = key.created_by
  ) on key.digest = sent.credential and key.scope >= (caller.operation(sent.operation) ->> 'scope')::app.key_scope
    and (key.allowed_ips is null or sent.address <<= any (key.allowed_ips));
  return json_build_object(
    'organisations', organisations,
    'keys', keys,
    'rates', rates,
    'totals', limits.consume_all(organisations, keys, costs, rates, limits, minute),
    'secondsLeft', limits.seconds_left(at)
  );
end
$$;
comment on function api.count_requests is 'Instead of row-level security: runs as authenticator, to which policies show only live credentials. Counts for the presented ones.';
grant execute on function api.count_requests to server;
