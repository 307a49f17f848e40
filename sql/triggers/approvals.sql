/*
 * Approvals. A new approval is announced, and mailed to the person who answers it. A waiting run continues when its
 * question is settled. An approval that no longer needs an answer is withdrawn. Writers lock the run before its
 * approvals.
 */

-- Only the executor that holds a run's lease raises approvals, and only one run of a conversation is leased at a time.
-- So these counts need no lock.
create function triggers.tg_approvals__enforce_limit() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  if (
    select count(*) from app.approvals other
    where other.organisation_id = new.organisation_id and other.run_id = new.run_id
  ) >= 20 or (
    select count(*) from app.approvals other
    where other.organisation_id = new.organisation_id
      and other.conversation_id = new.conversation_id
      and other.state = 'pending'
      and other.expires_at > now()
  ) >= 20 then
    perform errors.refuse('quota_exceeded');
  end if;
  return new;
end
$$;
comment on function triggers.tg_approvals__enforce_limit is 'Instead of row-level security: other.organisation_id = new.organisation_id. Refuses an approval beyond the limits of its run and its conversation.';

create trigger _100_enforce_limit before insert on app.approvals
  for each row execute function triggers.tg_approvals__enforce_limit();

create function triggers.tg_approvals__announce() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  insert into app.events (organisation_id, kind, data)
  select new.organisation_id, 'approval.needed', row_to_json(raised)
  from (
    select
      new.id as "approvalId", new.run_id as "runId", new.bot_id as "botId", new.conversation_id as "conversationId",
      new.kind, new.state, rows.time(new.created_at) as "createdAt", rows.time(new.expires_at) as "expiresAt"
  ) raised;
  return null;
end
$$;
comment on function triggers.tg_approvals__announce is 'Instead of row-level security: inserts with new.organisation_id. Writes the event approval.needed.';

create trigger _500_announce after insert on app.approvals
  for each row execute function triggers.tg_approvals__announce();

-- The mail quotes nothing from the run, because that text may come from an outsider and would appear in our name. The
-- page shows it, and says where it comes from.
create function triggers.mail_approval(approval app.approvals) returns void
language sql
as $$
  insert into app.mails (organisation_id, kind, recipient, data)
  select approval.organisation_id, 'approval', person.email,
    json_build_object(
      'approvalId', approval.id,
      'organisation', organisation.name,
      'bot', bot.name,
      'kind', approval.kind,
      'expiresAt', rows.time(approval.expires_at)
    )
  from app.people person
  join app.organisations organisation on organisation.id = approval.organisation_id
  join app.bots bot on bot.organisation_id = approval.organisation_id and bot.id = approval.bot_id
  where person.id = approval.person_id
$$;
comment on function triggers.mail_approval is 'Writes the mail of an approval. Only definer functions call it.';

create function triggers.tg_approvals__mail() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  perform triggers.mail_approval(new);
  return null;
end
$$;
comment on function triggers.tg_approvals__mail is 'Instead of row-level security: triggers.mail_approval, for the approval being written. Mails the person who may answer.';

create trigger _500_mail after insert on app.approvals
  for each row execute function triggers.tg_approvals__mail();

create function triggers.tg_approvals__settle() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  delete from app.mails mail
  where mail.organisation_id = new.organisation_id
    and mail.kind = 'approval'
    and mail.sent_at is null
    and mail.data ->> 'approvalId' = new.id::text;
  update app.runs run
  set state = 'queued'
  where run.organisation_id = new.organisation_id
    and run.id = new.run_id
    and run.state = 'waiting_approval'
    and new.kind = 'question';
  return null;
end
$$;
comment on function triggers.tg_approvals__settle is 'Instead of row-level security: run.organisation_id = new.organisation_id. Deletes the unsent mail, and queues the run that waited for the answer to a question.';

create trigger _500_settle after update on app.approvals
  for each row when (old.state = 'pending' and new.state <> 'pending')
  execute function triggers.tg_approvals__settle();

-- A question ends when its run no longer waits for the answer. A proposal remains open after its run, unless the run
-- was cancelled.
create function triggers.tg_runs__withdraw_approvals() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  update app.approvals approval
  set state = 'withdrawn'
  where approval.organisation_id = new.organisation_id
    and approval.run_id = new.id
    and approval.state = 'pending'
    and (approval.kind = 'question' or new.state = 'cancelled');
  return null;
end
$$;
comment on function triggers.tg_runs__withdraw_approvals is 'Instead of row-level security: approval.organisation_id = new.organisation_id. Withdraws open questions of a run that no longer waits, and all open approvals of a cancelled run.';

create trigger _500_withdraw_approvals after update on app.runs
  for each row
  when (old.state <> new.state and (old.state = 'waiting_approval' or new.state = 'cancelled'))
  execute function triggers.tg_runs__withdraw_approvals();
