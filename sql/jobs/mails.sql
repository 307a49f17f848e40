/*
 * Mail. A row of app.mails is a mail to send. Its insert queues a job; the worker renders and sends the mail.
 * (docs/specification/service.md#mail)
 */

-- leased_at is written before sending: from then on the mail may have left. It excludes no other worker, so that a mail
-- of a lost worker is sent again.
create function jobs.lease_mail(organisation uuid, mail uuid) returns json
language sql
security definer set search_path = ''
as $$
  update app.mails
  set leased_at = now()
  where mails.organisation_id = organisation and mails.id = mail and mails.sent_at is null
  returning json_build_object(
    'kind', mails.kind,
    'recipient', mails.recipient,
    'data', mails.data,
    'tokenSealed', encode(mails.token_sealed, 'hex')
  )
$$;
comment on function jobs.lease_mail is 'Instead of row-level security: only worker may execute it. One unsent mail, by its organisation and id.';
grant execute on function jobs.lease_mail to worker;

create function jobs.record_mail(organisation uuid, mail uuid) returns void
language sql
security definer set search_path = ''
as $$
  update app.mails
  set sent_at = now(), token_sealed = null
  where mails.organisation_id = organisation and mails.id = mail and mails.sent_at is null
$$;
comment on function jobs.record_mail is 'Instead of row-level security: only worker may execute it. One mail, by its organisation and id.';
grant execute on function jobs.record_mail to worker;

-- The queue waits e^n seconds after the n-th try, up to 6 hours, and gives up after 25 tries. An unreachable mail
-- server is no fault of the mail. So its mails wait at most 1 minute: mail flows soon after the server returns, and
-- none is lost.
create function jobs.expedite_mails() returns void
language sql
as $$
  select from graphile_worker.reschedule_jobs(
    array(
      select job.id
      from app.mails mail
      join graphile_worker.jobs job on job.key = 'mail:' || mail.id::text
      where mail.sent_at is null
        and job.locked_at is null
        and job.run_at > now() + interval '1 minute'
        and starts_with(job.last_error, 'MailServerAway')
    ),
    run_at => now() + interval '1 minute',
    attempts => 4
  )
$$;
comment on function jobs.expedite_mails is 'Limits the retry delay to 1 minute for mails that found the mail server unreachable. (src/worker/mailer.ts)';

-- A job is not failed for good while its worker holds it, so maintenance does so. Lowering the maximum keeps the number of
-- attempts, which permanently_fail_jobs would overwrite.
create function jobs.end_refused_mails() returns void
language sql
as $$
  select from graphile_worker.reschedule_jobs(
    array(
      select job.id
      from app.mails mail
      join graphile_worker.jobs job on job.key = 'mail:' || mail.id::text
      where mail.sent_at is null
        and job.locked_at is null
        and job.attempts < job.max_attempts
        and starts_with(job.last_error, 'MailRefused')
    ),
    max_attempts => 1
  )
$$;
comment on function jobs.end_refused_mails is 'Ends the retries of mails that the mail server refused for good. (src/worker/mailer.ts)';

-- Only the worker makes the token of an approval's link: the executor that raises an approval must not be able to
-- answer it.
create function jobs.link_approval(organisation uuid, approval uuid, token_digest bytea) returns void
language sql
security definer set search_path = ''
as $$
  update app.approvals
  set token_digest = link_approval.token_digest
  where approvals.organisation_id = organisation and approvals.id = approval
$$;
comment on function jobs.link_approval is 'Instead of row-level security: only worker may execute it. One approval, by its organisation and id. Stores the digest of the token that opens it.';
grant execute on function jobs.link_approval to worker;
