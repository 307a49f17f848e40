/*
 * Members. Changes run as the key's person, under the rules of rank in policies/memberships.sql. A personal
 * organisation has no members to manage. (docs/specification/members.md)
 */
create function api.list_members(input jsonb) returns text
language plpgsql stable
as $$
begin
  perform api_private.require_team();
  if input ? 'email' then
    return (
      select rows.page(array_agg(member.answer), input, array_agg(member.id))
      from rows.members member
      where member.person_id = api_private.member_with_address(input ->> 'email') and member.id < rows.before(input)
    );
  end if;
  return (
    select rows.page(
      array_agg(member.answer order by member.id desc), input, array_agg(member.id order by member.id desc)
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
begin
  perform api_private.require_team();
  return errors.found((
    select member.answer::text
    from rows.members member
    where member.person_id = (input ->> 'userId')::uuid
  ));
end
$$;
grant execute on function api.get_member to tenant;

-- A policy that prevents the change refuses with 403 and not 404, because the caller sees the member.
create function api.change_member(input jsonb) returns text
language plpgsql
as $$
begin
  perform api_private.lock_members();
  perform api.get_member(input);
  if (input ->> 'role')::app.member_role > caller.role() then
    perform errors.refuse('forbidden', reason => 'role_above_own');
  end if;
  update app.memberships set role = (input ->> 'role')::app.member_role where person_id = (input ->> 'userId')::uuid;
  if not found then
    perform errors.refuse('forbidden', reason => 'member_above_own');
  end if;
  return api.get_member(input);
end
$$;
grant execute on function api.change_member to tenant;

create function api.remove_member(input jsonb) returns text
language plpgsql
as $$
begin
  perform api_private.lock_members();
  perform api.get_member(input);
  delete from app.memberships where person_id = (input ->> 'userId')::uuid;
  if not found then
    perform errors.refuse(
      'forbidden',
      reason => case when (input ->> 'userId')::uuid = caller.person_id() then 'own_membership' else 'member_above_own' end
    );
  end if;
  return rows.deleted(jsonb_build_object('id', input ->> 'userId'));
end
$$;
grant execute on function api.remove_member to tenant;
