/*
 * The page of an invitation's mailed link. The invitee has no account yet. The token of the link is the credential, and
 * gives access to its invitation only. (docs/specification/invitations.md#accepting)
 */
create function api.read_invitation(input jsonb) returns text
language sql stable
security definer set search_path = ''
as $$
  select row_to_json(page)::text
  from (
    select
      rows.invitation_state(invitation.accepted_at, invitation.revoked_at, invitation.expires_at) as state,
      organisation.name as organisation,
      inviter.display_name as "invitedBy",
      invitation.role,
      invitation.email,
      rows.time(invitation.expires_at) as "expiresAt"
    from app.invitations invitation
    join app.organisations organisation on organisation.id = invitation.organisation_id
    join app.people inviter on inviter.id = invitation.invited_by
    where invitation.id = caller.invitation_id()
  ) page
$$;
comment on function api.read_invitation is 'Instead of row-level security: invitation.id = caller.invitation_id().';
grant execute on function api.read_invitation to tenant;

create function api.accept_invitation(input jsonb) returns text
language plpgsql
security definer set search_path = ''
as $$
declare
  invitation app.invitations := api_private.invitation_to_accept();
  person uuid;
begin
  if rows.invitation_state(invitation.accepted_at, invitation.revoked_at, invitation.expires_at) <> 'open' then
    perform errors.refuse('conflict');
  end if;
  if names.is_visible(input ->> 'displayName') is not true then
    perform errors.refuse('invalid_request', '[{"path": "body.displayName", "message": "must contain a visible character"}]');
  end if;
  -- A person with this address keeps an existing name.
  insert into app.people (id, email, display_name)
  values (coalesce((input ->> 'personId')::uuid, uuidv7()), invitation.email, input ->> 'displayName')
  on conflict (lower(email collate "pg_c_utf8")) do update set display_name = coalesce(people.display_name, excluded.display_name)
  returning id into person;
  perform set_config('caller.person_id', person::text, true); -- for the audit log
  insert into app.memberships (organisation_id, person_id, role)
  values (invitation.organisation_id, person, invitation.role)
  on conflict do nothing;
  update app.invitations
  set accepted_at = now(), accepted_by = person
  where invitations.organisation_id = invitation.organisation_id and invitations.id = invitation.id;
  return api.read_invitation(input);
end
$$;
comment on function api.accept_invitation is 'Instead of row-level security: api_private.invitation_to_accept, for the token of the invitation.';
grant execute on function api.accept_invitation to tenant;
