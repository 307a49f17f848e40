/*
 * The page behind a mailed link. Who comes here is nobody yet: the token of the link is their credential, and reaches
 * the one invitation it belongs to. (decisions: section 4.)
 */
create function api.read_invitation(input jsonb) returns text
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: the invitation whose token was presented, and nothing where none was.
  select row_to_json(shown)::text
  from (
    select
      rows.invitation_state(held.accepted_at, held.revoked_at, held.expires_at) as state,
      organisation.name as organisation,
      inviter.display_name as "invitedBy",
      held.role,
      held.email,
      rows.time(held.expires_at) as "expiresAt"
    from app.invitations held
    join app.organisations organisation on organisation.id = held.organisation_id
    join app.people inviter on inviter.id = held.invited_by
    where held.id = caller.invitation_id()
  ) shown
$$;
comment on function api.read_invitation is 'Instead of row-level security: the token of the invitation.';

create function api.accept_invitation(input jsonb) returns text
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: the token of the invitation. It is locked, so that a link opened twice is used once.
declare
  invitation app.invitations;
  person uuid;
begin
  select held.* into invitation
  from app.invitations held
  where held.id = caller.invitation_id()
  for no key update;
  if rows.invitation_state(invitation.accepted_at, invitation.revoked_at, invitation.expires_at) <> 'open' then
    perform caller.refuse('conflict');
  end if;
  -- The person of a known address keeps the name they have, if they have one.
  insert into app.people (email, display_name)
  values (invitation.email, input ->> 'displayName')
  on conflict (lower(email)) do update set display_name = coalesce(people.display_name, excluded.display_name)
  returning id into person;
  perform set_config('caller.person_id', person::text, true); -- who it was, as the trail tells
  insert into app.memberships (organisation_id, person_id, role)
  values (invitation.organisation_id, person, invitation.role)
  on conflict do nothing;
  update app.invitations held
  set accepted_at = now(), accepted_by = person
  where held.organisation_id = invitation.organisation_id and held.id = invitation.id;
  return api.read_invitation(input);
end
$$;
comment on function api.accept_invitation is 'Instead of row-level security: the token of the invitation.';
