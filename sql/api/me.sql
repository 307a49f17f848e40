/*
 * GET /me: the key, its person, the organisation, its limits and how much of them is used.
 * (docs/specification/organisation-and-me.md#me)
 */
create function api.get_me(input jsonb) returns text
language sql stable
as $$
  select row_to_json(me)::text
  from (
    select
      (select row_to_json(key) from rows.api_keys key where key.id = caller.key_id()) as key,
      (
        select row_to_json(member)
        from (
          select person.id as "userId", person.email, person.display_name as "displayName", caller.role() as role
          from app.people person
          where person.id = caller.person_id()
        ) member
      ) as person,
      (select row_to_json(organisation) from rows.organisations organisation) as organisation,
      api_private.own_limits() as limits
  ) me
$$;
grant execute on function api.get_me to tenant;
