/*
 * Idempotency. Only one call at a time runs under a digest, others are refused without waiting. A response of the last
 * 24 hours is replayed. The response of a new call is stored in the transaction of its effect.
 * (docs/specification/conventions.md#idempotency)
 */
create function api_private.find_response(
  digest bytea, fingerprint bytea, out answer text, out is_expired boolean
)
language plpgsql
as $$
declare
  record app.idempotency_records;
  stored app.idempotency_records;
begin
  -- An advisory lock, since a row for each call would cost as much as its response. Its number is part of a digest that
  -- only the caller can compute. (docs/decisions/0009-locks.md)
  if not pg_try_advisory_xact_lock(('x' || encode(substr(digest, 1, 8), 'hex'))::bit(64)::bigint) then
    answer := '{"refusal":"idempotency_in_progress"}';
    return;
  end if;
  -- In all three day partitions: a call that began before midnight must find a response stored after midnight. A loop,
  -- since setting up a sort costs each new call a quarter of this look-up.
  for stored in select response.* from app.idempotency_records response where response.digest = find_response.digest loop
    if record.digest is null or stored.created_at > record.created_at then
      record := stored;
    end if;
  end loop;
  if record.digest is null then
    return;
  elsif record.created_at <= now() - interval '24 hours' then
    is_expired := exists (
      select from app.idempotency_records response
      where response.digest = find_response.digest and response.day_partition = times.day_partition(now())
    );
    return;
  elsif record.fingerprint <> fingerprint then
    answer := '{"refusal":"idempotency_mismatch"}';
    return;
  end if;
  answer := json_build_object(
    'status', record.status, 'refusal', record.refusal, 'details', record.details, 'reason', record.reason,
    'replayed', true, 'requestId', record.request_id, 'sealed', encode(record.sealed, 'hex')
  ) || E'\n' || coalesce(record.body, '');
end
$$;
comment on function api_private.find_response is 'answer: the idempotent response of an equal call, or a refusal, as api.handle returns it. If null, the call is new and this transaction holds its lock. is_expired: a record older than 24 hours is in the place of today''s.';
grant execute on function api_private.find_response to tenant;

-- Not "on conflict": the lock of api_private.find_response keeps other calls away.
create function api_private.store_response(
  digest bytea, fingerprint bytea, request_id uuid,
  status smallint, body text, refusal text, details json, reason text, sealed bytea, is_expired boolean
) returns boolean
language plpgsql
as $$
begin
  if not api_private.count_stored(
    coalesce(octet_length(body), 0) + coalesce(octet_length(details::text), 0) + coalesce(octet_length(sealed), 0)
  ) then
    return false;
  end if;
  if is_expired then
    update app.idempotency_records stored
    set
      fingerprint = store_response.fingerprint, request_id = store_response.request_id, status = store_response.status,
      body = store_response.body, refusal = store_response.refusal, details = store_response.details,
      reason = store_response.reason, sealed = store_response.sealed, created_at = now()
    where stored.digest = store_response.digest and stored.day_partition = times.day_partition(now());
  end if;
  if not found then -- also if the expired record has gone meanwhile
    insert into app.idempotency_records (
      organisation_id, key_id, digest, fingerprint, request_id, status, body, refusal, details, reason, sealed
    )
    values (
      coalesce(caller.organisation_id(), '00000000-0000-0000-0000-000000000000'),
      caller.caller_id(),
      store_response.digest, store_response.fingerprint, store_response.request_id, store_response.status,
      store_response.body, store_response.refusal, store_response.details, store_response.reason, store_response.sealed
    );
  end if;
  return true;
end
$$;
comment on function api_private.store_response is 'Stores a response or a refusal for 24 hours. False if the organisation has reached its limit of stored bytes: then the call must have no effect.';
grant execute on function api_private.store_response to tenant;

-- Counts under the lock of this hour's row, so that the limit holds under any concurrency. A call locks that row last,
-- before only the chain head of the audit log. A search by organisation and hour would read all versions that a snapshot keeps.
create function api_private.count_stored(added integer) returns boolean
language plpgsql
security definer set search_path = ''
as $$
declare
  max_bytes constant bigint := 1024 * 1024 * 1024;
  organisation constant uuid := coalesce(caller.organisation_id(), '00000000-0000-0000-0000-000000000000');
  this_hour constant timestamptz := date_trunc('hour', now(), 'UTC');
  place constant integer := extract(epoch from this_hour)::bigint / 3600 % 25;
  newest app.response_bytes;
  total bigint;
begin
  loop
    select counted.* into newest
    from app.response_bytes counted
    where counted.organisation_id = organisation and counted.ring_hour = place
    order by counted.version desc
    limit 1
    for no key update;
    exit when found;
    insert into app.response_bytes (organisation_id, ring_hour, hour, bytes) values (organisation, place, this_hour, 0)
    on conflict do nothing;
  end loop;
  total := added + case when newest.hour = this_hour then newest.bytes else 0 end;
  if total + coalesce((
    select sum(earlier.bytes)
    from (values (0, place - 1), (place + 1, 24)) hours (first, last)
    join app.response_bytes earlier
      on earlier.organisation_id = organisation and earlier.ring_hour between hours.first and hours.last
    where earlier.hour > this_hour - interval '24 hours'
  ), 0) > max_bytes then
    return false;
  end if;
  update app.response_bytes counted set version = newest.version + 1, hour = this_hour, bytes = total
  where counted.organisation_id = organisation and counted.ring_hour = place and counted.version = newest.version;
  return true;
end
$$;
comment on function api_private.count_stored is 'Instead of row-level security: counted.organisation_id = caller.organisation_id(). Returns whether a response of this size may be stored, and counts it: at most 1 GB in 24 hours.';
grant execute on function api_private.count_stored to tenant;
