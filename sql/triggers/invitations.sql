/*
 * Seats. A member takes a seat, and so does an open invitation. The trigger locks the organisation's row before it counts.
 * (docs/specification/organisation-and-me.md#payment)
 */
-- Payment before conflict, conflict before limits (sql/limits/limits.sql): the order of refusals
-- (docs/specification/conventions.md#order-of-checks).
create function triggers.tg_invitations__take_a_seat() returns trigger
language plpgsql
security definer set search_path = ''
as $$
declare
  organisation app.organisations := limits.lock_organisation(new.organisation_id);
begin
  if exists (
    select from limits.used
    where used.organisation_id = organisation.id and used.name = 'seats' and used.used >= organisation.seats_bought
  ) then
    perform errors.refuse('payment_required', reason => 'bought_seats_taken');
  end if;
  if exists (
    select from app.memberships member
    join app.people person on person.id = member.person_id
    where member.organisation_id = new.organisation_id and names.address(person.email) = names.address(new.email)
  ) then
    perform errors.refuse('conflict', reason => 'member_exists');
  end if;
  if exists (
    select from app.invitations other
    where other.organisation_id = new.organisation_id
      and other.email_key = names.address(new.email)
      and other.id <> new.id
      and other.accepted_at is null and other.revoked_at is null and other.expires_at > now()
  ) then
    perform errors.refuse('conflict', reason => 'invitation_open');
  end if;
  return new;
end
$$;
comment on function triggers.tg_invitations__take_a_seat is 'Instead of row-level security: limits.lock_organisation, for new.organisation_id. Refuses an invitation beyond the seats that are bought, of a member, or of an invited address.';

create trigger _100_take_a_seat before insert on app.invitations
  for each row execute function triggers.tg_invitations__take_a_seat();

-- An expired invitation that is sent again needs a seat again; an open invitation has one.
create trigger _100_take_a_seat_again before update on app.invitations
  for each row when (old.expires_at <= now() and new.expires_at > now() and new.revoked_at is null)
  execute function triggers.tg_invitations__take_a_seat();

-- The mail of the new link names the person who sends it. From then on their authority counts.
create function triggers.tg_invitations__take_over() returns trigger
language plpgsql
as $$
begin
  new.invited_by := coalesce(caller.person_id(), new.invited_by);
  return new;
end
$$;
comment on function triggers.tg_invitations__take_over is 'The person who sends a new link becomes the inviter.';

create trigger _050_take_over before update on app.invitations
  for each row when (old.token_digest <> new.token_digest and new.revoked_at is null)
  execute function triggers.tg_invitations__take_over();

-- The mail of an ended link is withdrawn, and its job finds nothing to send. A mail that a worker has leased may have
-- been sent already: it is marked as sent, so that it counts and no worker sends it again.
create function triggers.tg_invitations__withdraw_mail() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  delete from app.mails mail
  where mail.organisation_id = new.organisation_id
    and mail.kind = 'invitation'
    and mail.sent_at is null
    and mail.leased_at is null
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
comment on function triggers.tg_invitations__withdraw_mail is 'Instead of row-level security: mail.organisation_id = new.organisation_id. Withdraws the unsent mails of an ended link.';

create trigger _500_withdraw_mail after update on app.invitations
  for each row when (
    old.token_digest <> new.token_digest or (old.revoked_at is null and new.revoked_at is not null)
  )
  execute function triggers.tg_invitations__withdraw_mail();

-- Not a constraint: an invitation that is sent again gets a new expiry.
create function triggers.tg_invitations__refuse_late_expiry() returns trigger
language plpgsql
as $$
begin
  raise exception 'An invitation expires within 7 days.' using errcode = 'check_violation';
end
$$;
comment on function triggers.tg_invitations__refuse_late_expiry is 'Refuses an expiry more than 7 days ahead.';

create trigger _100_refuse_late_expiry before insert on app.invitations
  for each row when (new.expires_at > now() + interval '7 days 1 second')
  execute function triggers.tg_invitations__refuse_late_expiry();
create trigger _100_refuse_late_expiry_later before update on app.invitations
  for each row when (new.expires_at > old.expires_at and new.expires_at > now() + interval '7 days 1 second')
  execute function triggers.tg_invitations__refuse_late_expiry();
