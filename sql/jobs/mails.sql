/*
 * Mail. A row is a mail that is to be sent; its insert queues the job; the worker words it and sends it. (decisions:
 * section 4.)
 */
create function triggers.tg_mails__queue() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it queues a job for the mail being written.
begin
  perform jobs.queue_mail(new.organisation_id, new.id);
  return null;
end
$$;
comment on function triggers.tg_mails__queue is 'Instead of row-level security: queues a job for the mail being written.';

create trigger _500_queue after insert on app.mails
  for each row execute function triggers.tg_mails__queue();

-- Written down before it is sent: from then on it may have left. It is taken again where whoever took it did not get to the
-- end, so this keeps nobody from sending it.
create function jobs.claim_mail(organisation uuid, mail uuid) returns json
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: the worker names one mail that has not been sent.
  update app.mails held
  set taken_at = now()
  where held.organisation_id = organisation and held.id = mail and held.sent_at is null
  returning json_build_object(
    'kind', held.kind,
    'recipient', held.recipient,
    'data', held.data,
    'tokenSealed', encode(held.token_sealed, 'hex')
  )
$$;
comment on function jobs.claim_mail is 'Instead of row-level security: one unsent mail, by its organisation and id.';

create function jobs.record_mail(organisation uuid, mail uuid) returns void
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: the worker names one mail that it has sent.
  update app.mails held
  set sent_at = now(), token_sealed = null
  where held.organisation_id = organisation and held.id = mail and held.sent_at is null
$$;
comment on function jobs.record_mail is 'Instead of row-level security: one mail, by its organisation and id.';

-- Nobody but the worker can make the token of a card's link: an executor raises cards, and who raises one must not be able
-- to answer it.
create function jobs.link_approval(organisation uuid, approval uuid, token_digest bytea) returns void
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: the worker names the one card that it is about to mail the link of.
  update app.approvals held
  set token_digest = link_approval.token_digest
  where held.organisation_id = organisation and held.id = approval
$$;
comment on function jobs.link_approval is 'Instead of row-level security: one card, by its organisation and id. Opens it to whoever holds the token of this digest.';
