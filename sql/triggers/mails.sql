create function triggers.tg_mails__queue() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  perform jobs.queue_mail(new.organisation_id, new.id);
  return null;
end
$$;
comment on function triggers.tg_mails__queue is 'Instead of row-level security: jobs.queue_mail, for new.id. Queues the job that sends the mail.';

create trigger _500_queue after insert on app.mails
  for each row execute function triggers.tg_mails__queue();
