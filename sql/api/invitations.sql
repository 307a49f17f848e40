/*
 * Invitations. Node creates the token. The database stores its digest, and the sealed token in the mail's row for the
 * worker. (docs/specification/invitations.md#creating)
 */
create function api.list_invitations(input jsonb) returns text
language plpgsql stable
as $$
begin
  perform caller.require_team();
  return (
    select rows.page(array_agg(row_to_json(invitation) order by invitation.id desc), input)
    from (
      select shown.*
      from rows.invitations shown
      join app.invitations on invitations.id = shown.id
      where shown.id < rows.before(input)
        and input ->> 'status' in (
          'all', rows.invitation_state(invitations.accepted_at, invitations.revoked_at, invitations.expires_at)
        )
      order by shown.id desc
      limit (input ->> 'limit')::integer + 1
    ) invitation
  );
end
$$;
grant execute on function api.list_invitations to tenant;

create function api.get_invitation(input jsonb) returns text
language plpgsql stable
as $$
begin
  perform caller.require_team();
  return caller.invitation_row((input ->> 'id')::uuid);
end
$$;
grant execute on function api.get_invitation to tenant;

create function api.create_invitation(input jsonb) returns text
language plpgsql
as $$
declare
  created uuid;
begin
  perform caller.require_team();
  perform caller.require_payment();
  insert into app.invitations (organisation_id, email, role, invited_by, token_digest)
  values (
    caller.organisation_id(), input ->> 'email', (input ->> 'role')::app.member_role, caller.person_id(),
    decode(input ->> 'tokenDigest', 'hex')
  )
  returning id into created;
  perform caller.require_current_membership(); -- the organisation is locked by now; the mail names the inviter
  perform caller.mail_invitation(created, input);
  return caller.invitation_row(created);
end
$$;
grant execute on function api.create_invitation to tenant;

create function api.resend_invitation(input jsonb) returns text
language plpgsql
as $$
declare
  invitation uuid := caller.lock_invitation_to_resend(input);
begin
  update app.invitations
  set token_digest = decode(input ->> 'tokenDigest', 'hex'), expires_at = now() + interval '7 days'
  where id = invitation;
  perform caller.mail_invitation(invitation, input);
  return caller.invitation_row(invitation);
end
$$;
grant execute on function api.resend_invitation to tenant;

-- Revoking twice changes nothing. An accepted invitation is a member now, and is removed as a member.
create function api.revoke_invitation(input jsonb) returns text
language plpgsql
as $$
begin
  perform caller.require_team();
  update app.invitations
  set revoked_at = now()
  where id = (input ->> 'id')::uuid and revoked_at is null and accepted_at is null;
  if not found and exists (
    select from app.invitations invitation
    where invitation.id = (input ->> 'id')::uuid and invitation.accepted_at is not null
  ) then
    perform caller.refuse('conflict', reason => 'invitation_accepted');
  end if;
  return caller.invitation_row((input ->> 'id')::uuid);
end
$$;
grant execute on function api.revoke_invitation to tenant;

-- Locks the organisation before the invitation, in the same order as the creation of an invitation.
create function caller.lock_invitation_to_resend(input jsonb) returns uuid
language plpgsql
as $$
declare
  found_invitation record;
begin
  perform caller.require_team();
  perform caller.lock_organisation();
  select invitation.id, invitation.accepted_at, invitation.revoked_at into found_invitation
  from app.invitations invitation
  where invitation.id = (input ->> 'id')::uuid
  for no key update;
  if found_invitation.id is null then
    perform caller.refuse('not_found');
  end if;
  perform caller.require_current_membership();
  perform caller.require_payment();
  if found_invitation.accepted_at is not null or found_invitation.revoked_at is not null then
    perform caller.refuse(
      'conflict',
      reason => case when found_invitation.accepted_at is null then 'invitation_revoked' else 'invitation_accepted' end
    );
  end if;
  return found_invitation.id;
end
$$;
comment on function caller.lock_invitation_to_resend is 'Locks the invitation. Refuses, in the order of checks, if it does not exist, is not paid for, is accepted or is revoked.';
grant execute on function caller.lock_invitation_to_resend to tenant;

create function caller.invitation_row(invitation uuid) returns text
language plpgsql stable
as $$
declare
  answer text;
begin
  select row_to_json(shown)::text into answer from rows.invitations shown where shown.id = invitation;
  if answer is null then
    perform caller.refuse('not_found');
  end if;
  return answer;
end
$$;
grant execute on function caller.invitation_row to tenant;

create function caller.mail_invitation(invitation uuid, input jsonb) returns void
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
comment on function caller.mail_invitation is 'Writes the mail of an invitation. Its id is for withdrawing the mail (triggers/invitations.sql) and not part of the text.';
grant execute on function caller.mail_invitation to tenant;
