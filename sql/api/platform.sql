/*
 * The four operations of a platform key. They concern no single organisation, so each is a definer function that first
 * checks the platform key. (docs/specification/platform.md#operations)
 */
create function api.create_organisation(input jsonb) returns text
language plpgsql
security definer set search_path = ''
as $$
declare
  created uuid;
begin
  perform api_private.require_platform_key();
  created := operator.create_organisation(
    input ->> 'name',
    (input ->> 'kind')::app.organisation_kind,
    input -> 'owner' ->> 'email',
    input -> 'owner' ->> 'displayName',
    (input ->> 'personId')::uuid
  );
  return api.get_organisation(jsonb_build_object('id', created));
end
$$;
comment on function api.create_organisation is 'Instead of row-level security: api_private.require_platform_key.';
grant execute on function api.create_organisation to tenant;

create function api.list_organisations(input jsonb) returns text
language plpgsql stable
security definer set search_path = ''
as $$
begin
  perform api_private.require_platform_key();
  return (
    select rows.page(array_agg(row_to_json(organisation) order by organisation.id desc), input)
    from (
      select * from rows.created_organisations
      where id < rows.before(input)
      order by id desc
      limit (input ->> 'limit')::integer + 1
    ) organisation
  );
end
$$;
comment on function api.list_organisations is 'Instead of row-level security: api_private.require_platform_key.';
grant execute on function api.list_organisations to tenant;

create function api.get_organisation(input jsonb) returns text
language plpgsql stable
security definer set search_path = ''
as $$
begin
  perform api_private.require_platform_key();
  return errors.found((
    select row_to_json(organisation)::text
    from rows.created_organisations organisation
    where organisation.id = (input ->> 'id')::uuid
  ));
end
$$;
comment on function api.get_organisation is 'Instead of row-level security: api_private.require_platform_key.';
grant execute on function api.get_organisation to tenant;

create function api.create_owner_key(input jsonb) returns text
language plpgsql
security definer set search_path = ''
as $$
declare
  owner uuid;
  created uuid;
begin
  perform api_private.require_platform_key();
  perform limits.lock_organisation((input ->> 'id')::uuid); -- an owner who is demoted or removed meanwhile gets no key
  select (organisation.owner ->> 'userId')::uuid into owner
  from rows.created_organisations organisation
  where organisation.id = (input ->> 'id')::uuid;
  if owner is null then
    perform errors.refuse('not_found');
  end if;
  created := operator.insert_key(
    (input ->> 'id')::uuid, owner, input ->> 'name', 'admin', (input ->> 'expiresInDays')::integer,
    input ->> 'prefix', decode(input ->> 'digest', 'hex')
  );
  return (select row_to_json(key)::text from rows.api_keys key where key.id = created);
end
$$;
comment on function api.create_owner_key is 'Instead of row-level security: api_private.require_platform_key.';
grant execute on function api.create_owner_key to tenant;
