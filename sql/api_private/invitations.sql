-- Locks the organisation before the invitation, in the same order as the creation of an invitation.
create function api_private.lock_invitation_to_resend(input jsonb) returns uuid
language plpgsql
as $$
declare
  to_resend record;
begin
  perform api_private.require_team();
  perform api_private.lock_organisation();
  select invitation.id, invitation.accepted_at, invitation.revoked_at into to_resend
  from app.invitations invitation
  where invitation.id = (input ->> 'id')::uuid
  for no key update;
  if to_resend.id is null then
    perform errors.refuse('not_found');
  end if;
  perform api_private.require_current_membership();
  perform limits.require_payment();
  if to_resend.accepted_at is not null or to_resend.revoked_at is not null then
    perform errors.refuse(
      'conflict',
      reason => case when to_resend.accepted_at is null then 'invitation_revoked' else 'invitation_accepted' end
    );
  end if;
  return to_resend.id;
end
$$;
comment on function api_private.lock_invitation_to_resend is 'Locks the invitation. Refuses, in the order of checks, if it does not exist, is not paid for, is accepted or is revoked.';
grant execute on function api_private.lock_invitation_to_resend to tenant;

-- Locks the organisation before the invitation, as the removal of the inviter does.
create function api_private.invitation_to_accept() returns app.invitations
language plpgsql
as $$
declare
  invitation app.invitations;
begin
  perform limits.lock_organisation(found.organisation_id) from app.invitations found where found.id = caller.invitation_id();
  select invitations.* into invitation
  from app.invitations
  where invitations.id = caller.invitation_id()
  for no key update;
  return invitation;
end
$$;
comment on function api_private.invitation_to_accept is 'The invitation of the presented link, locked: no change of its inviter follows before the commit.';
grant execute on function api_private.invitation_to_accept to tenant;

create function api_private.invitation_row(invitation uuid) returns text
language plpgsql stable
as $$
begin
  return errors.found((select row_to_json(listed)::text from rows.invitations listed where listed.id = invitation));
end
$$;
grant execute on function api_private.invitation_row to tenant;

create function api_private.mail_invitation(invitation uuid, input jsonb) returns void
language sql
as $$
  insert into app.mails (organisation_id, kind, recipient, data, token_sealed)
  select invitations.organisation_id, 'invitation', invitations.email,
    json_build_object(
      'invitationId', invitations.id,
      'organisation', organisation.name,
      'invitedBy', inviter.display_name,
      'role', invitations.role,
      'expiresAt', rows.time(invitations.expires_at)
    ),
    decode(input ->> 'tokenSealed', 'hex')
  from app.invitations
  join app.organisations organisation on organisation.id = invitations.organisation_id
  join app.people inviter on inviter.id = caller.person_id()
  where invitations.id = invitation
$$;
comment on function api_private.mail_invitation is 'Writes the mail of an invitation. Its id is for withdrawing the mail (triggers/invitations.sql) and not part of the text.';
grant execute on function api_private.mail_invitation to tenant;
