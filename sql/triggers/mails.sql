create function triggers.mail_members(organisation uuid, least_role app.member_role, kind app.mail_kind, data json) returns void
language sql
as $$
  insert into app.mails (organisation_id, kind, recipient, data)
  select member.organisation_id, mail_members.kind, person.email,
    (jsonb_build_object('organisation', owned.name) || mail_members.data::jsonb)::json
  from app.memberships member
  join app.people person on person.id = member.person_id
  join app.organisations owned on owned.id = member.organisation_id
  where member.organisation_id = mail_members.organisation and member.role >= least_role
$$;
comment on function triggers.mail_members is 'Writes a mail for each member of at least this role, with the name of the organisation. For definer functions.';

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
