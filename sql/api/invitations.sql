/*
 * Invitations. The token is made in Node; its digest is kept, and sealed it travels in the mail's row to the worker.
 * (Part 4, "Members and invitations"; decisions: "Members", "Invitation".)
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
      join app.invitations held on held.id = shown.id
      where shown.id < rows.before(input)
        and input ->> 'status' in (
          'all', rows.invitation_state(held.accepted_at, held.revoked_at, held.expires_at)
        )
      order by shown.id desc
      limit (input ->> 'limit')::integer + 1
    ) invitation
  );
end
$$;

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
  perform caller.require_membership_still(); -- the organisation is held by now; nobody would be there to be named in the mail
  perform caller.mail_invitation(created, input);
  return caller.invitation_row(created);
end
$$;

create function api.resend_invitation(input jsonb) returns text
language plpgsql
as $$
declare
  invitation uuid := caller.invitation_to_send_again(input);
begin
  update app.invitations
  set token_digest = decode(input ->> 'tokenDigest', 'hex'), expires_at = now() + interval '7 days'
  where id = invitation;
  perform caller.mail_invitation(invitation, input);
  return caller.invitation_row(invitation);
end
$$;

-- Revoking twice changes nothing; what was accepted is a member now and is removed as one.
create function api.revoke_invitation(input jsonb) returns text
language plpgsql
as $$
begin
  perform caller.require_team();
  update app.invitations
  set revoked_at = now()
  where id = (input ->> 'id')::uuid and revoked_at is null and accepted_at is null;
  if not found and exists (
    select from app.invitations held where held.id = (input ->> 'id')::uuid and held.accepted_at is not null
  ) then
    perform caller.refuse('conflict');
  end if;
  return caller.invitation_row((input ->> 'id')::uuid);
end
$$;

-- The organisation before the invitation, as whoever makes one and goes on to another in the same batch.
create function caller.invitation_to_send_again(input jsonb) returns uuid
language plpgsql
as $$
declare
  held record;
begin
  perform caller.require_team();
  perform caller.hold_organisation();
  select invitation.id, invitation.accepted_at, invitation.revoked_at into held
  from app.invitations invitation
  where invitation.id = (input ->> 'id')::uuid
  for no key update;
  if held.id is null then
    perform caller.refuse('not_found');
  end if;
  perform caller.require_membership_still();
  perform caller.require_payment();
  if held.accepted_at is not null or held.revoked_at is not null then
    perform caller.refuse('conflict');
  end if;
  return held.id;
end
$$;
comment on function caller.invitation_to_send_again is 'The invitation, locked, if it is there, is paid for and is neither accepted nor revoked: refused in the order of checks.';

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

create function caller.mail_invitation(invitation uuid, input jsonb) returns void
language sql
as $$
  insert into app.mails (organisation_id, kind, recipient, data, token_sealed)
  select held.organisation_id, 'invitation', held.email,
    json_build_object(
      'invitationId', held.id,
      'organisation', organisation.name,
      'invitedBy', inviter.display_name,
      'role', held.role,
      'expiresAt', rows.time(held.expires_at)
    ),
    decode(input ->> 'tokenSealed', 'hex')
  from app.invitations held
  join app.organisations organisation on organisation.id = held.organisation_id
  join app.people inviter on inviter.id = caller.person_id()
  where held.id = invitation
$$;
comment on function caller.mail_invitation is 'Writes the mail of an invitation: what the invitee needs to decide, and the way in. Its id is for withdrawing the mail (triggers/invitations.sql) and is not put into words.';
