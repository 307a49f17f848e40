/*
 * Seats. A member takes a seat, and so does an open invitation. Triggers lock the organisation's row before they count.
 * (docs/specification/organisation-and-me.md#payment)
 */
create function triggers.open_invitations(organisation uuid) returns integer
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: a count only, and within a request of the caller's own organisation.
  select count(*)::integer
  from app.invitations invitation
  where invitation.organisation_id = organisation
    and invitation.accepted_at is null
    and invitation.revoked_at is null
    and invitation.expires_at > now()
$$;
comment on function triggers.open_invitations is 'Instead of row-level security: returns a count, within a request of the caller''s organisation only.';
grant execute on function triggers.open_invitations to tenant, operator;

create function triggers.members(organisation uuid) returns integer
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: a count only, and within a request of the caller's own organisation.
  select count(*)::integer from app.memberships member where member.organisation_id = organisation
$$;
comment on function triggers.members is 'Instead of row-level security: returns a count, within a request of the caller''s organisation only.';
grant execute on function triggers.members to tenant, operator;

-- Payment before conflict, conflict before limits: the order of refusals
-- (docs/specification/conventions.md#order-of-checks).
create function triggers.tg_invitations__take_a_seat() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it reads only the organisation of the row being written.
declare
  organisation app.organisations := triggers.lock_organisation(new.organisation_id);
  open_invitations integer := triggers.open_invitations(new.organisation_id);
  -- One expression has one snapshot: an invitation accepted meanwhile counts once.
  seats_taken integer := triggers.open_invitations(new.organisation_id) + triggers.members(new.organisation_id);
begin
  if seats_taken >= organisation.seats_bought then
    perform errors.refuse('payment_required', reason => 'bought_seats_taken');
  end if;
  if exists (
    select from app.memberships member
    join app.people person on person.id = member.person_id
    where member.organisation_id = new.organisation_id and lower(person.email) = lower(new.email)
  ) then
    perform errors.refuse('conflict', reason => 'member_exists');
  end if;
  if exists (
    select from app.invitations other
    where other.organisation_id = new.organisation_id
      and lower(other.email) = lower(new.email)
      and other.id <> new.id
      and other.accepted_at is null
      and other.revoked_at is null
      and other.expires_at > now()
  ) then
    perform errors.refuse('conflict', reason => 'invitation_open');
  end if;
  if open_invitations >= organisation.open_invitation_limit then
    perform errors.refuse('quota_exceeded', reason => 'limit_open_invitations');
  end if;
  if seats_taken >= organisation.seat_limit then
    perform errors.refuse('quota_exceeded', reason => 'limit_seats');
  end if;
  return new;
end
$$;
comment on function triggers.tg_invitations__take_a_seat is 'Instead of row-level security: reads the organisation of the row only.';

create trigger _100_take_a_seat before insert on app.invitations
  for each row execute function triggers.tg_invitations__take_a_seat();

-- An expired invitation that is sent again needs a seat again; an open invitation has one.
create trigger _100_take_a_seat_again before update on app.invitations
  for each row when (old.expires_at <= now() and new.expires_at > now() and new.revoked_at is null)
  execute function triggers.tg_invitations__take_a_seat();

-- The mail of an ended link is withdrawn, and its job finds nothing to send. A mail that a worker has leased may have
-- been sent already: it is marked as sent, so that it counts and no worker sends it again.
create function triggers.tg_invitations__withdraw_mail() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it writes the unsent mails of the invitation being written.
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
comment on function triggers.tg_invitations__withdraw_mail is 'Instead of row-level security: writes the unsent mails of the invitation being written.';

create trigger _500_withdraw_mail after update on app.invitations
  for each row when (
    old.token_digest <> new.token_digest or (old.revoked_at is null and new.revoked_at is not null)
  )
  execute function triggers.tg_invitations__withdraw_mail();

/*
 * Limits of invitation mails. Seats do not limit mails: revoking an invitation frees its seat, and sending it again
 * takes none. A mail that a worker has leased counts, sent or not. (docs/specification/invitations.md#mail)
 */
create function triggers.invitations_mailed(organisation uuid) returns integer
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: a count only, and within a request of the caller's own organisation.
  select count(*)::integer
  from app.mails mail
  where mail.organisation_id = organisation and mail.kind = 'invitation'
    and mail.id >= times.least_id(now() - interval '1 hour')
$$;
comment on function triggers.invitations_mailed is 'Instead of row-level security: returns a count, within a request of the caller''s organisation alone. Of the last hour.';
grant execute on function triggers.invitations_mailed to tenant, operator;

create function triggers.invitations_to_one_address(organisation uuid) returns integer
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: a count only, and within a request of the caller's own organisation.
  select coalesce(max(address.mails), 0)::integer
  from (
    select count(*) as mails
    from app.mails mail
    where mail.organisation_id = organisation and mail.kind = 'invitation'
      and mail.id >= times.least_id(now() - interval '1 day')
    group by mail.recipient_key
  ) address
$$;
comment on function triggers.invitations_to_one_address is 'Instead of row-level security: returns a count, within a request of the caller''s organisation alone. Mails of the last day to the address that got most of them.';
grant execute on function triggers.invitations_to_one_address to tenant, operator;

create function triggers.tg_mails__enforce_limits() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: counts the mails of the organisation of the row only.
declare
  organisation app.organisations := triggers.lock_organisation(new.organisation_id);
  day constant uuid := times.least_id(now() - interval '1 day');
begin
  if triggers.invitations_mailed(new.organisation_id) >= coalesce(organisation.hourly_invitation_limit, organisation.seat_limit)
  then
    perform errors.refuse('quota_exceeded', reason => 'limit_invitations_per_hour');
  end if;
  if (
    select count(*)
    from app.mails mail
    where mail.organisation_id = new.organisation_id and mail.kind = 'invitation' and mail.id >= day
      and mail.recipient_key = lower(new.recipient)
  ) >= organisation.daily_address_limit then
    perform errors.refuse('quota_exceeded', reason => 'limit_invitations_to_address');
  end if;
  return new;
end
$$;
comment on function triggers.tg_mails__enforce_limits is 'Instead of row-level security: counts the mails of the organisation of the row only.';

create trigger _100_enforce_limits before insert on app.mails
  for each row when (new.kind = 'invitation')
  execute function triggers.tg_mails__enforce_limits();
