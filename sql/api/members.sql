/*
 * Members. Written as the person the key is bound to, under the rules of rank in policies/memberships.sql; a personal
 * organisation has none to manage. (Part 4, "Members and invitations"; part 7.)
 */
create function api.list_members(input jsonb) returns text
language plpgsql stable
as $$
begin
  perform caller.require_team();
  return (
    select rows.page(
      array_agg(member.shown order by member.id desc), input, array_agg(member.id order by member.id desc)
    )
    from (
      select * from rows.members
      where id < rows.before(input)
      order by id desc
      limit (input ->> 'limit')::integer + 1
    ) member
  );
end
$$;

create function api.get_member(input jsonb) returns text
language plpgsql stable
as $$
declare
  answer text;
begin
  perform caller.require_team();
  select member.shown::text into answer
  from rows.members member
  where member.person_id = (input ->> 'userId')::uuid;
  if answer is null then
    perform caller.refuse('not_found');
  end if;
  return answer;
end
$$;

-- What the policies hold back is a member there to be seen and not to be changed: 403 and not 404.
create function api.change_member(input jsonb) returns text
language plpgsql
as $$
begin
  perform caller.line_up_to_change_members();
  perform api.get_member(input);
  if (input ->> 'role')::app.member_role > caller.role() then
    perform caller.refuse('forbidden');
  end if;
  update app.memberships set role = (input ->> 'role')::app.member_role where person_id = (input ->> 'userId')::uuid;
  if not found then
    perform caller.refuse('forbidden');
  end if;
  return api.get_member(input);
end
$$;

create function api.remove_member(input jsonb) returns text
language plpgsql
as $$
begin
  perform caller.line_up_to_change_members();
  perform api.get_member(input);
  delete from app.memberships where person_id = (input ->> 'userId')::uuid;
  if not found then
    perform caller.refuse('forbidden');
  end if;
  return rows.deleted(jsonb_build_object('id', input ->> 'userId'));
end
$$;

-- Two who act on each other at once act one after the other: the second is asked again who they are. The
-- organisation is locked before any membership, as triggers/members.sql does it, so that nobody waits in a ring.
create function caller.line_up_to_change_members() returns void
language plpgsql
as $$
begin
  perform from app.organisations organisation
  where organisation.id = caller.organisation_id()
  for no key update;
  if (select member.role from app.memberships member where member.person_id = caller.person_id())
    is distinct from caller.role()
  then
    perform caller.refuse('unauthenticated');
  end if;
end
$$;
comment on function caller.line_up_to_change_members is 'Waits for others who change members of the organisation; refuses a caller whose own role they changed meanwhile.';

create function caller.require_membership_still() returns void
language plpgsql stable
as $$
begin
  if not exists (select from app.memberships member where member.person_id = caller.person_id()) then
    perform caller.refuse('unauthenticated');
  end if;
end
$$;
comment on function caller.require_membership_still is 'Refuses whoever was removed since they were let in. For whoever holds the organisation, which a removal waits for.';

create function caller.require_team() returns void
language plpgsql stable
as $$
begin
  if (select organisation.kind from app.organisations organisation where organisation.id = caller.organisation_id())
    is distinct from 'team'
  then
    perform caller.refuse('forbidden');
  end if;
end
$$;
comment on function caller.require_team is 'Refuses in a personal organisation, which is one person''s.';
