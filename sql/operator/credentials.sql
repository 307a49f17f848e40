/*
 * Credentials minted by the operators' command line. The process generates them and passes only digest and prefix.
 * (docs/specification/service.md#command-line)
 */
create function operator.insert_key(
  organisation uuid, person uuid, name text, scope app.key_scope, days integer, prefix text, digest bytea
) returns uuid
language sql
as $$
  insert into app.api_keys (organisation_id, name, prefix, digest, scope, created_by, expires_at)
  values (organisation, name, prefix, digest, scope, person, now() + make_interval(days => days))
  returning id
$$;
comment on function operator.insert_key is 'Creates a key of an organisation, bound to a person. For definer functions that have authorised the caller.';

create function operator.mint_key(
  organisation text, person text, name text, scope app.key_scope, days integer, prefix text, digest bytea
) returns uuid
language plpgsql
security definer set search_path = ''
as $$
declare
  owner_or_admin app.memberships;
  minted uuid;
begin
  select memberships.* into strict owner_or_admin
  from app.memberships
  join app.organisations tenant on tenant.id = memberships.organisation_id
  join app.people human on human.id = memberships.person_id
  where (tenant.id::text = lower(organisation) or tenant.name = organisation)
    and (human.id::text = lower(person) or names.address(human.email) = names.address(person))
    and memberships.role >= 'admin';
  perform limits.lock_organisation(owner_or_admin.organisation_id);
  select member.* into strict owner_or_admin -- who may be demoted or removed meanwhile
  from app.memberships member
  where member.organisation_id = owner_or_admin.organisation_id and member.person_id = owner_or_admin.person_id
    and member.role >= 'admin';
  minted := operator.insert_key(
    owner_or_admin.organisation_id, owner_or_admin.person_id, name, scope, days, prefix, digest
  );
  perform operator.note_command(
    'mint_key', minted,
    jsonb_build_object('name', name, 'scope', scope, 'days', days, 'person', owner_or_admin.person_id), null,
    owner_or_admin.organisation_id
  );
  return minted;
exception
  when no_data_found then
    perform errors.refuse('not_found');
  when too_many_rows then
    perform errors.refuse('conflict');
end
$$;
comment on function operator.mint_key is 'Instead of row-level security: only cli may execute it. Organisation by id or name, person by id or address; not_found unless that person is an admin or owner there.';
grant execute on function operator.mint_key to cli;

create function operator.mint_platform_key(name text, days integer, prefix text, digest bytea) returns uuid
language plpgsql
security definer set search_path = ''
as $$
declare
  minted uuid;
begin
  insert into app.platform_keys (name, prefix, digest, expires_at)
  values (name, prefix, digest, now() + make_interval(days => days))
  returning id into minted;
  perform operator.note_command('mint_platform_key', minted, jsonb_build_object('name', name, 'days', days));
  return minted;
end
$$;
comment on function operator.mint_platform_key is 'Instead of row-level security: only cli may execute it.';
grant execute on function operator.mint_platform_key to cli;

create function operator.revoke_platform_key(wanted text) returns boolean
language plpgsql
security definer set search_path = ''
as $$
declare
  revoked app.platform_keys;
  any_revoked boolean := false;
begin
  for revoked in
    update app.platform_keys key
    set revoked_at = coalesce(key.revoked_at, now())
    where key.id::text = lower(wanted) or key.prefix = wanted
    returning key.*
  loop
    any_revoked := true;
    perform operator.note_command('revoke_platform_key', revoked.id, jsonb_build_object('name', revoked.name));
  end loop;
  return any_revoked;
end
$$;
comment on function operator.revoke_platform_key is 'Instead of row-level security: only cli may execute it. Returns false if no key has that id or prefix.';
grant execute on function operator.revoke_platform_key to cli;
