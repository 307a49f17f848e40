/*
 * Members. An organisation always has an owner: the removal of an owner locks the organisation before it counts the
 * others. (docs/specification/members.md#roles)
 */
create function triggers.tg_memberships__keep_an_owner() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  if triggers.is_deletion_step(old.organisation_id) then
    return coalesce(new, old);
  end if;
  perform limits.lock_organisation(old.organisation_id);
  if not exists (
    select from app.memberships other
    where other.organisation_id = old.organisation_id and other.role = 'owner' and other.person_id <> old.person_id
  ) then
    perform errors.refuse('forbidden', reason => 'last_owner');
  end if;
  return coalesce(new, old);
end
$$;
comment on function triggers.tg_memberships__keep_an_owner is 'Instead of row-level security: other.organisation_id = old.organisation_id. Refuses to remove or demote the last owner.';

create trigger _100_keep_an_owner before update on app.memberships
  for each row when (old.role = 'owner' and new.role <> 'owner')
  execute function triggers.tg_memberships__keep_an_owner();

create trigger _100_keep_an_owner_on_delete before delete on app.memberships
  for each row when (old.role = 'owner')
  execute function triggers.tg_memberships__keep_an_owner();

/*
 * The removal of a member deletes the member's personal bots, which no other person can see, and cancels the member's
 * open runs. Routines and hooks of the member on team bots remain, and pause when they are due.
 * (docs/specification/members.md#removal)
 */
create function triggers.tg_memberships__end_work() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  if triggers.is_deletion_step(old.organisation_id) then
    return null;
  end if;
  perform limits.lock_organisation(old.organisation_id);
  update app.bots
  set deleted_at = now()
  where organisation_id = old.organisation_id
    and owner_id = old.person_id
    and visibility = 'personal'
    and deleted_at is null;
  update app.runs
  set state = 'cancelled'
  where organisation_id = old.organisation_id
    and id = any (array(select runs.open_runs(old.organisation_id, null, old.person_id)))
    and state not in ('completed', 'failed', 'cancelled');
  return null;
end
$$;
comment on function triggers.tg_memberships__end_work is 'Instead of row-level security: organisation_id = old.organisation_id and owner_id = old.person_id. Deletes personal bots of the removed member, and cancels the member''s runs.';

create trigger _500_end_work after delete on app.memberships
  for each row execute function triggers.tg_memberships__end_work();

-- Invitations and portal sessions need a person who may still make them. They stay ended if the person is an admin again.
-- The lock of the organisation orders this and their creation or acceptance. (docs/specification/invitations.md#inviter)
create function triggers.tg_memberships__end_authority() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  if triggers.is_deletion_step(old.organisation_id) then
    return null;
  end if;
  perform limits.lock_organisation(old.organisation_id);
  update app.invitations
  set revoked_at = now(), token_digest = sha256(token_digest) -- the link finds nothing: no token has this digest
  where organisation_id = old.organisation_id
    and invited_by = old.person_id
    and accepted_at is null
    and revoked_at is null;
  update app.portal_sessions
  set revoked_at = now()
  where organisation_id = old.organisation_id
    and created_by = old.person_id
    and revoked_at is null
    and expires_at > now();
  return null;
end
$$;
comment on function triggers.tg_memberships__end_authority is 'Instead of row-level security: organisation_id = old.organisation_id and created_by = old.person_id. Ends invitations and portal sessions that the person made and may not make any more.';

create trigger _510_end_authority after delete on app.memberships
  for each row when (old.role >= 'admin') execute function triggers.tg_memberships__end_authority();

create trigger _510_end_authority_of_demoted after update on app.memberships
  for each row when (old.role >= 'admin' and new.role < 'admin')
  execute function triggers.tg_memberships__end_authority();
