/*
 * Streams of audit logs. A job names an organisation, has no key, and sends the next part if it is due. The lease of the
 * stream's row lets one worker send at a time, so parts arrive in order. (docs/specification/audit-log.md#stream)
 */
create function jobs.may_hang(stream app.audit_streams) returns boolean
language sql stable
return stream.degraded_since is not null or stream.last_delivery_at is null;
comment on function jobs.may_hang is 'Whether the receiver of a stream may not answer: the last attempt failed, or there was none.';

-- Receivers that do not answer hold a job for 10 seconds each. Beyond this number they wait, and delay no delivery.
create function jobs.are_streams_hanging() returns boolean
language sql stable
as $$
  select count(*) >= 20
  from app.audit_streams stream
  where stream.lease_id is not null and stream.lease_until > times.clock()
    and (jobs.may_hang(stream) or uuid_extract_timestamp(stream.lease_id) < times.clock() - interval '2 seconds')
$$;
comment on function jobs.are_streams_hanging is 'Whether 20 streams have an attempt under way that takes more than 2 seconds, or may.';

create function jobs.lease_audit_part(organisation uuid)
returns table (lease_id uuid, part_id uuid, url text, secret_sealed bytea, body text)
language plpgsql
security definer set search_path = ''
as $$
declare
  stream app.audit_streams;
begin
  select due.* into stream
  from app.audit_streams due
  where due.organisation_id = organisation and due.state = 'active' and due.next_attempt_at <= times.clock()
    and (due.lease_until is null or due.lease_until <= times.clock())
  for no key update;
  if not found then
    return;
  elsif jobs.may_hang(stream) and jobs.are_streams_hanging() then
    perform jobs.queue_audit_stream(organisation, now() + interval '1 second');
    return;
  end if;
  stream := jobs.next_audit_part(stream);
  if stream.part_id is null then
    return;
  end if;
  update app.audit_streams leased
  set part_id = stream.part_id, part_first_sequence = stream.part_first_sequence, part_entry_id = stream.part_entry_id,
    part_sequence = stream.part_sequence, part_checkpoint = stream.part_checkpoint, checkpoint = stream.checkpoint, lease_id = uuidv7(), lease_until = times.clock() + jobs.lease_time()
  where leased.organisation_id = organisation
  returning leased.* into stream;
  return query select stream.lease_id, stream.part_id, stream.url, stream.secret_sealed, jobs.audit_part_body(stream);
end
$$;
comment on function jobs.lease_audit_part is 'Instead of row-level security: only worker may execute it. The stream of the named organisation. The next part, if the stream is active and due and no other worker has the lease.';
grant execute on function jobs.lease_audit_part to worker;

-- The rules of endpoints: a round of attempts stands in place of a delivery. (jobs.end_attempts, jobs.rate_endpoints)
create function jobs.delay_audit_stream(stream app.audit_streams, status_code integer, retry_after_seconds integer, is_lost boolean)
returns app.audit_streams
language plpgsql
as $$
declare
  retry_at constant timestamptz := case when not is_lost then (
    select jobs.retry_time(stream.attempts + 1, settings.delivery_max_attempts, retry_after_seconds, false) from app.service_settings settings
  ) end;
begin
  stream.degraded_since := coalesce(stream.degraded_since, times.clock());
  stream.unreadable_since := case when is_lost then coalesce(stream.unreadable_since, times.clock()) end;
  stream.next_attempt_at := coalesce(retry_at, jobs.retry_time(0, 0, retry_after_seconds, true));
  if not is_lost then
    stream.attempts := case when retry_at is null then 0 else stream.attempts + 1 end;
    stream.consecutive_failures := stream.consecutive_failures + (retry_at is null)::integer;
  end if;
  if stream.state = 'active' and (status_code is not distinct from 410 or stream.consecutive_failures >= 10) then
    stream.state := 'disabled';
    stream.disabled_reason := case when status_code is not distinct from 410 then 'gone' else 'consecutive_failures' end;
    stream.disabled_at := times.clock();
  end if;
  return stream;
end
$$;
comment on function jobs.delay_audit_stream is 'The stream after a failed attempt: delayed, or disabled after ten rounds of attempts or a 410. is_lost: the secret could not be opened. Such an attempt does not count.';

create function jobs.record_audit_part(organisation uuid, lease uuid, outcome json) returns app.endpoint_state
language plpgsql
security definer set search_path = ''
as $$
declare
  stream app.audit_streams;
  status_code constant integer := outcome ->> 'statusCode';
begin
  select leased.* into stream
  from app.audit_streams leased
  where leased.organisation_id = organisation and leased.lease_id = lease
  for no key update;
  if not found then
    return null; -- deleted, or leased again
  end if;
  if outcome ->> 'failure' is null and status_code between 200 and 299 then
    stream.attempts := 0;
    stream.consecutive_failures := 0;
    stream.degraded_since := null;
    stream.unreadable_since := null;
    stream.last_delivery_at := times.clock();
    stream.next_attempt_at := times.clock();
    if stream.part_id is not null then -- not if the position or the format was changed meanwhile
      stream.after_entry_id := stream.part_entry_id;
      stream.after_sequence := stream.part_sequence;
      stream.checkpoint := stream.part_checkpoint;
    end if;
  else
    stream := jobs.delay_audit_stream(
      stream, status_code, (outcome ->> 'retryAfterSeconds')::integer, outcome ->> 'failure' is not distinct from 'secret'
    );
  end if;
  perform jobs.store_audit_stream(stream, status_code, (outcome ->> 'failure')::app.attempt_failure);
  if stream.state = 'active' then
    perform jobs.queue_audit_stream(organisation, stream.next_attempt_at);
  end if;
  return stream.state;
end
$$;
comment on function jobs.record_audit_part is 'Instead of row-level security: only worker may execute it. The stream of the named organisation, under its lease. outcome: { statusCode, failure, retryAfterSeconds }. Returns the state of the stream; null if the lease is not current.';
grant execute on function jobs.record_audit_part to worker;

create function jobs.store_audit_stream(stream app.audit_streams, status_code integer, failure app.attempt_failure) returns void
language sql
as $$
  update app.audit_streams stored
  set lease_id = null, lease_until = null, last_status_code = status_code, last_failure = failure,
    after_entry_id = stream.after_entry_id, after_sequence = stream.after_sequence, checkpoint = stream.checkpoint,
    attempts = stream.attempts, consecutive_failures = stream.consecutive_failures, next_attempt_at = stream.next_attempt_at,
    degraded_since = stream.degraded_since, unreadable_since = stream.unreadable_since, last_delivery_at = stream.last_delivery_at,
    state = stream.state, disabled_reason = stream.disabled_reason, disabled_at = stream.disabled_at
  where stored.organisation_id = stream.organisation_id
$$;
comment on function jobs.store_audit_stream is 'Ends an attempt of a stream. The caller has locked the row.';

-- After each checkpoint, and as maintenance: a job can be lost, and a moved organisation comes without its jobs.
create function jobs.queue_audit_streams() returns void
language sql
security definer set search_path = ''
set enable_seqscan = off
as $$
  with due as materialized (
    select stream.organisation_id
    from app.audit_streams stream
    cross join lateral (
      select leaves.last_id
      from app.audit_leaves leaves
      where leaves.organisation_id = stream.organisation_id
      order by leaves.first_id desc
      limit 1
    ) logged
    where stream.state = 'active' and stream.next_attempt_at <= times.clock()
      and (stream.lease_until is null or stream.lease_until <= times.clock())
      and (stream.after_entry_id is null or logged.last_id > stream.after_entry_id)
  ), waiting as materialized (
    select job.payload ->> 'organisationId' as organisation
    from graphile_worker._private_jobs job
    join graphile_worker._private_tasks task on task.id = job.task_id and task.identifier = 'stream_audit_log'
    where job.locked_at is null and exists (select from due)
  )
  select jobs.queue_audit_stream(due.organisation_id)
  from due
  where due.organisation_id::text not in (select waiting.organisation from waiting)
$$;
comment on function jobs.queue_audit_streams is 'Instead of row-level security: only owner may execute it. Moves jobs only. Queues a job for each active stream with entries to send, and neither a lease nor a waiting job.';
