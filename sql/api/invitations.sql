/*
 * Invitations. Node creates the token. The database stores its digest, and the sealed token in the mail's row for the
 * worker. (docs/specification/invitations.md#creating)
 */
create function api.list_invitations(input jsonb) returns text
language plpgsql stable
as $$
begin
  perform api_private.require_team();
  return (
    select rows.page(array_agg(row_to_json(invitation) order by invitation.id desc), input)
    from (
      select listed.*
      from rows.invitations listed
      join app.invitations on invitations.id = listed.id
      where listed.id < rows.before(input)
        and input ->> 'status' in (
          'all', rows.invitation_state(invitations.accepted_at, invitations.revoked_at, invitations.expires_at)
        )
      order by listed.id desc
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
  perform api_private.require_team();
  return api_private.invitation_row((input ->> 'id')::uuid);
end
$$;
grant execute on function api.get_invitation to tenant;

create function api.create_invitation(input jsonb) returns text
language plpgsql
as $$
declare
  created uuid;
begin
  perform api_private.require_team();
  perform limits.require_payment();
  insert into app.invitations (organisation_id, email, role, invited_by, token_digest)
  values (
    caller.organisation_id(), input ->> 'email', (input ->> 'role')::app.member_role, caller.person_id(),
    decode(input ->> 'tokenDigest', 'hex')
  )
  returning id into created;
  perform api_private.require_current_membership(); -- the organisation is locked by now; the mail names the inviter
  perform api_private.mail_invitation(created, input);
  return api_private.invitation_row(created);
end
$$;
grant execute on function api.create_invitation to tenant;

create function api.resend_invitation(input jsonb) returns text
language plpgsql
as $$
declare
  invitation uuid := api_private.lock_invitation_to_resend(input);
begin
  update app.invitations
  set token_digest = decode(input ->> 'tokenDigest', 'hex'), expires_at = now() + interval '7 days'
  where id = invitation;
  perform api_private.mail_invitation(invitation, input);
  return api_private.invitation_row(invitation);
end
$$;
grant execute on function api.resend_invitation to tenant;

-- Revoking twice changes nothing. An accepted invitation is a member now, and is removed as a member.
create function api.revoke_invitation(input jsonb) returns text
language plpgsql
as $$
begin
  perform api_private.require_team();
  update app.invitations
  set revoked_at = now()
  where id = (input ->> 'id')::uuid and revoked_at is null and accepted_at is null;
  if not found and exists (
    select from app.invitations invitation
    where invitation.id = (input ->> 'id')::uuid and invitation.accepted_at is not null
  ) then
    perform errors.refuse('conflict', reason => 'invitation_accepted');
  end if;
  perform errors.require_row(found or not exists (
    select from app.invitations invitation where invitation.id = (input ->> 'id')::uuid and invitation.revoked_at is null
  ), 'forbidden');
  return api_private.invitation_row((input ->> 'id')::uuid);
end
$$;
grant execute on function api.revoke_invitation to tenant;
