-- Serialises changes of members. The role of the caller is checked again, because the change before may have lowered
-- it. The organisation is locked before any membership, as in triggers/members.sql, to avoid deadlocks.
create function api_private.lock_members() returns void
language plpgsql
as $$
begin
  perform from app.organisations organisation
  where organisation.id = caller.organisation_id()
  for no key update;
  if (select member.role from app.memberships member where member.person_id = caller.person_id())
    is distinct from caller.role()
  then
    perform errors.refuse('unauthenticated');
  end if;
end
$$;
comment on function api_private.lock_members is 'Waits for other changes of members of the organisation; refuses a caller whose own role changed meanwhile.';
grant execute on function api_private.lock_members to tenant;

create function api_private.require_current_membership() returns void
language plpgsql stable
as $$
begin
  if not exists (
    select from app.memberships member where member.person_id = caller.person_id() and member.role >= caller.role()
  ) then
    perform errors.refuse('unauthenticated');
  end if;
end
$$;
comment on function api_private.require_current_membership is 'Refuses a caller who was removed or demoted since authentication. Needs the organisation''s lock, for which a removal waits.';
grant execute on function api_private.require_current_membership to tenant;

-- lower() is not leakproof: behind the policy of people, the index of addresses would not be used.
create function api_private.member_with_address(address text) returns uuid
language sql stable
security definer set search_path = ''
as $$
  select member.person_id
  from app.people person
  join app.memberships member on member.organisation_id = caller.organisation_id() and member.person_id = person.id
  where names.address(person.email) = names.address(address)
$$;
comment on function api_private.member_with_address is 'Instead of row-level security: member.organisation_id = caller.organisation_id().';
grant execute on function api_private.member_with_address to tenant;

create function api_private.require_team() returns void
language plpgsql stable
as $$
begin
  if (select organisation.kind from app.organisations organisation where organisation.id = caller.organisation_id())
    is distinct from 'team'
  then
    perform errors.refuse('forbidden', reason => 'personal_organisation');
  end if;
end
$$;
comment on function api_private.require_team is 'Refuses in a personal organisation, which has one person only.';
grant execute on function api_private.require_team to tenant;
