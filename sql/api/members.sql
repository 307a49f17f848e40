/*
 * Members. Changes run as the key's person, under the rules of rank in policies/memberships.sql. A personal
 * organisation has no members to manage. (docs/specification/members.md)
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
grant execute on function api.list_members to tenant;

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
grant execute on function api.get_member to tenant;

-- A policy that prevents the change refuses with 403 and not 404, because the caller sees the member.
create function api.change_member(input jsonb) returns text
language plpgsql
as $$
begin
  perform caller.lock_members();
  perform api.get_member(input);
  if (input ->> 'role')::app.member_role > caller.role() then
    perform caller.refuse('forbidden', reason => 'role_above_own');
  end if;
  update app.memberships set role = (input ->> 'role')::app.member_role where person_id = (input ->> 'userId')::uuid;
  if not found then
    perform caller.refuse('forbidden', reason => 'member_above_own');
  end if;
  return api.get_member(input);
end
$$;
grant execute on function api.change_member to tenant;

create function api.remove_member(input jsonb) returns text
language plpgsql
as $$
begin
  perform caller.lock_members();
  perform api.get_member(input);
  delete from app.memberships where person_id = (input ->> 'userId')::uuid;
  if not found then
    perform caller.refuse(
      'forbidden',
      reason => case when (input ->> 'userId')::uuid = caller.person_id() then 'own_membership' else 'member_above_own' end
    );
  end if;
  return rows.deleted(jsonb_build_object('id', input ->> 'userId'));
end
$$;
grant execute on function api.remove_member to tenant;

-- Serialises changes of members. The role of the caller is checked again, because the change before may have lowered
-- it. The organisation is locked before any membership, as in triggers/members.sql, to avoid deadlocks.
create function caller.lock_members() returns void
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
comment on function caller.lock_members is 'Waits for other changes of members of the organisation; refuses a caller whose own role changed meanwhile.';
grant execute on function caller.lock_members to tenant;

create function caller.require_current_membership() returns void
language plpgsql stable
as $$
begin
  if not exists (select from app.memberships member where member.person_id = caller.person_id()) then
    perform caller.refuse('unauthenticated');
  end if;
end
$$;
comment on function caller.require_current_membership is 'Refuses a caller who was removed since authentication. Needs the organisation''s lock, for which a removal waits.';
grant execute on function caller.require_current_membership to tenant;

create function caller.require_team() returns void
language plpgsql stable
as $$
begin
  if (select organisation.kind from app.organisations organisation where organisation.id = caller.organisation_id())
    is distinct from 'team'
  then
    perform caller.refuse('forbidden', reason => 'personal_organisation');
  end if;
end
$$;
comment on function caller.require_team is 'Refuses in a personal organisation, which has one person only.';
grant execute on function caller.require_team to tenant;
