/*
 * Seats. A member takes a seat, and so does an invitation as long as it is open. The organisation's row is locked first
 * and its seats are counted second. (Part 8; decisions: "Seats and payment".)
 */
create function triggers.open_invitations(organisation uuid) returns integer
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: a count alone, and within a request of the caller's own organisation.
  select count(*)::integer
  from app.invitations invitation
  where invitation.organisation_id = organisation
    and invitation.accepted_at is null
    and invitation.revoked_at is null
    and invitation.expires_at > now()
$$;
comment on function triggers.open_invitations is 'Instead of row-level security: answers a count, within a request of the caller''s organisation alone.';

create function triggers.members(organisation uuid) returns integer
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: a count alone, and within a request of the caller's own organisation.
  select count(*)::integer from app.memberships member where member.organisation_id = organisation
$$;
comment on function triggers.members is 'Instead of row-level security: answers a count, within a request of the caller''s organisation alone.';

-- Payment before conflict, conflict before the ceilings: the order of refusals (decisions: "Order of checks").
create function triggers.tg_invitations__take_a_seat() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it looks at nothing but the organisation of the row being written.
declare
  held app.organisations := triggers.lock_organisation(new.organisation_id);
  opened integer := triggers.open_invitations(new.organisation_id);
  -- In one expression and so at one instant: who accepts in between is counted once.
  taken integer := triggers.open_invitations(new.organisation_id) + triggers.members(new.organisation_id);
begin
  if taken >= held.seats_bought then
    perform caller.refuse('payment_required');
  end if;
  if exists (
    select from app.memberships member
    join app.people person on person.id = member.person_id
    where member.organisation_id = new.organisation_id and lower(person.email) = lower(new.email)
  ) or exists (
    select from app.invitations other
    where other.organisation_id = new.organisation_id
      and lower(other.email) = lower(new.email)
      and other.id <> new.id
      and other.accepted_at is null
      and other.revoked_at is null
      and other.expires_at > now()
  ) then
    perform caller.refuse('conflict');
  end if;
  if opened >= held.open_invitation_ceiling or taken >= held.seat_ceiling then
    perform caller.refuse('quota_exceeded');
  end if;
  return new;
end
$$;
comment on function triggers.tg_invitations__take_a_seat is 'Instead of row-level security: looks at the organisation of the row alone.';

create trigger _100_take_a_seat before insert on app.invitations
  for each row execute function triggers.tg_invitations__take_a_seat();

-- An expired invitation that is sent again takes its seat again; an open one has it.
create trigger _100_take_a_seat_again before update on app.invitations
  for each row when (old.expires_at <= now() and new.expires_at > now() and new.revoked_at is null)
  execute function triggers.tg_invitations__take_a_seat();

-- A link that has ended is not mailed any more: a mail that still waits is withdrawn, and its job finds nothing to send. One
-- that a worker has taken may have left already: it stays as if it were sent, so that it counts and nobody tries it again.
create function triggers.tg_invitations__withdraw_mail() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it looks at the unsent mails of the invitation being written.
begin
  delete from app.mails mail
  where mail.organisation_id = new.organisation_id
    and mail.kind = 'invitation'
    and mail.sent_at is null
    and mail.taken_at is null
    and mail.data ->> 'invitationId' = new.id::text;
  update app.mails mail
  set sent_at = now(), token_sealed = null
  where mail.organisation_id = new.organisation_id
    and mail.kind = 'invitation'
    and mail.sent_at is null
    and mail.data ->> 'invitationId' = new.id::text;
  return null;
end
$$;
comment on function triggers.tg_invitations__withdraw_mail is 'Instead of row-level security: looks at the unsent mails of the invitation being written.';

create trigger _500_withdraw_mail after update on app.invitations
  for each row when (
    old.token_digest <> new.token_digest or (old.revoked_at is null and new.revoked_at is not null)
  )
  execute function triggers.tg_invitations__withdraw_mail();

/*
 * A mail in our name to whomever one likes is worth an abuse: revoking frees the seat and sending again takes none. So in an
 * hour an organisation sends twice as many as it may have open, and five to one address. What a worker has taken counts,
 * whatever became of it.
 */
create function triggers.tg_mails__hold_ceiling() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: counts the mails of the organisation of the row alone.
declare
  held app.organisations := triggers.lock_organisation(new.organisation_id);
  sent record;
begin
  select count(*) as altogether, count(*) filter (where lower(mail.recipient) = lower(new.recipient)) as to_address into sent
  from app.mails mail
  where mail.organisation_id = new.organisation_id
    and mail.id >= jobs.least_id(now() - interval '1 hour')
    and mail.kind = 'invitation';
  if sent.altogether >= 2 * held.open_invitation_ceiling or sent.to_address >= 5 then
    perform caller.refuse('quota_exceeded');
  end if;
  return new;
end
$$;
comment on function triggers.tg_mails__hold_ceiling is 'Instead of row-level security: counts the mails of the organisation of the row alone.';

create trigger _100_hold_ceiling before insert on app.mails
  for each row when (new.kind = 'invitation')
  execute function triggers.tg_mails__hold_ceiling();
