/*
 * Credentials that the operator's command line mints. Made in Node; a digest and a prefix arrive here. (Part 5.3;
 * decisions: "The first key needs a key".)
 */
create function operator.insert_key(
  organisation uuid, person uuid, name text, scope app.key_scope, days integer, prefix text, digest bytea
) returns uuid
language sql
set search_path = ''
as $$
  insert into app.api_keys (organisation_id, name, prefix, digest, scope, created_by, expires_at)
  values (organisation, name, prefix, digest, scope, person, now() + make_interval(days => days))
  returning id
$$;
comment on function operator.insert_key is 'A key of an organisation, bound to a person. For definer functions that have checked who asks.';

create function operator.mint_key(
  organisation text, person text, name text, scope app.key_scope, days integer, prefix text, digest bytea
) returns uuid
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: the operator, who names an organisation and one of its owners or admins.
declare
  member app.memberships;
begin
  select held.* into strict member
  from app.memberships held
  join app.organisations tenant on tenant.id = held.organisation_id
  join app.people human on human.id = held.person_id
  where (tenant.id::text = lower(organisation) or tenant.name = organisation)
    and (human.id::text = lower(person) or lower(human.email) = lower(person))
    and held.role >= 'admin';
  return operator.insert_key(member.organisation_id, member.person_id, name, scope, days, prefix, digest);
exception
  when no_data_found then
    perform caller.refuse('not_found');
  when too_many_rows then
    perform caller.refuse('conflict');
end
$$;
comment on function operator.mint_key is 'Instead of row-level security: the operator. Organisation by id or name, person by id or address; not_found unless that person is an admin or owner there.';

create function operator.mint_platform_key(name text, days integer, prefix text, digest bytea) returns uuid
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: the operator.
  insert into app.platform_keys (name, prefix, digest, expires_at)
  values (name, prefix, digest, now() + make_interval(days => days))
  returning id
$$;
comment on function operator.mint_platform_key is 'Instead of row-level security: the operator.';

create function operator.revoke_platform_key(wanted text) returns boolean
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: the operator, who names a key by its id or its prefix.
  with revoked as (
    update app.platform_keys key
    set revoked_at = coalesce(key.revoked_at, now())
    where key.id::text = lower(wanted) or key.prefix = wanted
    returning 1
  )
  select exists (select from revoked)
$$;
comment on function operator.revoke_platform_key is 'Instead of row-level security: the operator. False when no key has that id or prefix.';
