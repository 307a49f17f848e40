/*
 * The stream of the audit log: what a change of it does to the part and its attempts, and who learns that it was
 * disabled. (docs/specification/audit-log.md#stream)
 */
create function triggers.tg_audit_streams__close_part() returns trigger
language plpgsql
as $$
begin
  new.part_id := null;
  new.part_first_sequence := null;
  new.part_entry_id := null;
  new.part_sequence := null;
  new.part_checkpoint := null;
  return new;
end
$$;
comment on function triggers.tg_audit_streams__close_part is 'Forgets the part, since the next one begins elsewhere or has another format. An attempt under way then moves no position.';

create trigger _300_close_part before update on app.audit_streams
  for each row when (old.format <> new.format or old.after_entry_id is distinct from new.after_entry_id)
  execute function triggers.tg_audit_streams__close_part();

-- Not by the outcome of an attempt, which ends the lease. A new time queues a job, so two changes of one millisecond have two times.
create function triggers.tg_audit_streams__attempt_now() returns trigger
language plpgsql
as $$
begin
  new.attempts := 0;
  new.next_attempt_at := times.clock();
  if new.next_attempt_at = old.next_attempt_at then
    new.next_attempt_at := old.next_attempt_at + interval '1 millisecond';
  end if;
  return new;
end
$$;
comment on function triggers.tg_audit_streams__attempt_now is 'Starts a new round of attempts at once.';

create trigger _310_attempt_now before update on app.audit_streams
  for each row when (
    old.lease_id is not distinct from new.lease_id and new.state = 'active' and (
      old.state <> 'active' or old.url <> new.url or old.format <> new.format or old.secret_sealed <> new.secret_sealed
      or old.after_entry_id is distinct from new.after_entry_id
    )
  )
  execute function triggers.tg_audit_streams__attempt_now();

create function triggers.tg_audit_streams__queue_job() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  perform jobs.queue_audit_stream(new.organisation_id);
  return null;
end
$$;
comment on function triggers.tg_audit_streams__queue_job is 'Instead of row-level security: jobs.queue_audit_stream, for new.organisation_id. Queues a job for the next part.';

create trigger _500_queue_job after insert on app.audit_streams
  for each row execute function triggers.tg_audit_streams__queue_job();
create trigger _500_queue_job_again after update on app.audit_streams
  for each row when (old.lease_id is not distinct from new.lease_id and old.next_attempt_at <> new.next_attempt_at and new.state = 'active')
  execute function triggers.tg_audit_streams__queue_job();

-- The entries of a checkpoint can be sent. The job's snapshot is older than what streams have sent since, so this only reads
-- their rows and adds jobs without a key: it waits for no lock and cannot fail on one.
create function triggers.tg_audit_checkpoints__queue_streams() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  perform jobs.queue_audit_streams();
  return null;
end
$$;
comment on function triggers.tg_audit_checkpoints__queue_streams is 'Instead of row-level security: jobs.queue_audit_streams. A checkpoint has entries of all organisations. Queues a job for each stream that has more to send.';

create trigger _500_queue_streams after insert on app.audit_checkpoints
  for each row execute function triggers.tg_audit_checkpoints__queue_streams();

create function triggers.tg_audit_streams__mail_admins() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  perform triggers.mail_members(
    new.organisation_id, 'admin', 'audit_stream_disabled',
    json_build_object(
      'host', rows.host_of(new.url),
      'reason', new.disabled_reason,
      'disabledAt', rows.time(new.disabled_at),
      'lastDeliveryAt', rows.time(new.last_delivery_at)
    )
  );
  return null;
end
$$;
comment on function triggers.tg_audit_streams__mail_admins is 'Instead of row-level security: triggers.mail_members, for new.organisation_id. Mails owners and admins that the stream was disabled.';

create trigger _500_mail_admins after update on app.audit_streams
  for each row when (old.state <> 'disabled' and new.state = 'disabled')
  execute function triggers.tg_audit_streams__mail_admins();
