/*
 * Idempotency. One call at a time under a digest, decided at once and never by waiting; an answer of the last 24 hours
 * is given again; the answer of a new call is kept with its effect, in the same transaction. (Part 4, "Common
 * conventions"; decisions: "Idempotency is per API key".)
 */
create function api.recall(
  digest bytea, fingerprint bytea,
  out status smallint, out body text, out refusal text, out details json, out sealed bytea, out request_id uuid,
  out forgotten boolean
)
language plpgsql
as $$
declare
  record app.idempotency_records;
begin
  if not pg_try_advisory_xact_lock(('x' || encode(substr(digest, 1, 8), 'hex'))::bit(64)::bigint) then
    refusal := 'idempotency_in_progress';
    return;
  end if;
  -- In all three days: whoever stood before the lock over midnight has begun on the day before the one in which the answer
  -- was kept that it must find.
  select held.* into record
  from app.idempotency_records held
  where held.digest = recall.digest
  order by now() - held.created_at; -- and not by created_at: where sorting is off, all answers would be read in its order
  if record.digest is null then
    return;
  elsif record.created_at <= now() - interval '24 hours' then
    forgotten := exists (
      select from app.idempotency_records held
      where held.digest = recall.digest and held.ring_day = jobs.ring_day(now())
    );
    return;
  end if;
  if record.fingerprint <> fingerprint then
    refusal := 'idempotency_mismatch';
    return;
  end if;
  status := record.status;
  body := record.body;
  refusal := record.refusal;
  details := record.details;
  sealed := record.sealed;
  request_id := record.request_id;
end
$$;
comment on function api.recall is 'The kept answer of an equal call; or a refusal; or nothing, and then the call is new and this transaction holds its lock. Forgotten says that a record older than 24 hours lies where today''s would.';

-- Two statements and no "on conflict": the lock of recall keeps everybody else from this place.
create function api.remember(
  digest bytea, fingerprint bytea, request_id uuid,
  status smallint, body text, refusal text, details json, sealed bytea, forgotten boolean
) returns boolean
language plpgsql
as $$
begin
  if forgotten then
    update app.idempotency_records held
    set
      fingerprint = remember.fingerprint, request_id = remember.request_id, status = remember.status,
      body = remember.body, refusal = remember.refusal, details = remember.details, sealed = remember.sealed,
      created_at = now()
    where held.digest = remember.digest and held.ring_day = jobs.ring_day(now());
  else
    insert into app.idempotency_records (
      organisation_id, key_id, digest, fingerprint, request_id, status, body, refusal, details, sealed
    )
    values (
      coalesce(caller.organisation_id(), '00000000-0000-0000-0000-000000000000'),
      coalesce(caller.key_id(), caller.platform_key_id()),
      remember.digest, remember.fingerprint, remember.request_id, remember.status, remember.body, remember.refusal,
      remember.details, remember.sealed
    );
  end if;
  return true;
end
$$;
comment on function api.remember is 'Keeps an answer, or the refusal, for 24 hours.';
