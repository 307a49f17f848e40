/*
 * Idempotency. One call at a time under a digest, decided at once and never by waiting; an answer of the last 24 hours
 * is given again; the answer of a new call is kept with its effect, in the same transaction. (Part 4, "Common
 * conventions"; decisions: "Idempotency is per API key".)
 */
create function api.recall(
  digest bytea, fingerprint bytea,
  out status smallint, out body text, out refusal text, out details json, out sealed bytea, out request_id uuid
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
  select held.* into record
  from app.idempotency_records held
  where held.digest = recall.digest and held.created_at > now() - interval '24 hours';
  if record.digest is null then
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
comment on function api.recall is 'The kept answer of an equal call; or a refusal; or nothing, and then the call is new and this transaction holds its lock.';

create function api.remember(
  digest bytea, fingerprint bytea, request_id uuid,
  status smallint, body text, refusal text, details json, sealed bytea
) returns boolean
language plpgsql
as $$
#variable_conflict use_column -- on conflict names columns, and nothing else here does
begin
  insert into app.idempotency_records as held (
    organisation_id, key_id, digest, fingerprint, request_id, status, body, refusal, details, sealed
  )
  values (
    coalesce(caller.organisation_id(), '00000000-0000-0000-0000-000000000000'),
    coalesce(caller.key_id(), caller.platform_key_id()),
    $1, $2, $3, $4, $5, $6, $7, $8
  )
  on conflict (organisation_id, key_id, digest) do update -- a forgotten one that retention has not yet removed
  set
    fingerprint = excluded.fingerprint, request_id = excluded.request_id, status = excluded.status,
    body = excluded.body, refusal = excluded.refusal, details = excluded.details, sealed = excluded.sealed,
    created_at = now();
  return true;
end
$$;
comment on function api.remember is 'Keeps an answer, or the refusal, for 24 hours.';
