/*
 * The four operations of a platform key. They belong to no organisation and so to no tenant: each is a definer
 * function that asks for the platform key first. (decisions: "Platform key".)
 */
create function api.create_organisation(input jsonb) returns text
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: a live platform key, which makes organisations and reads what it sees of them.
declare
  created uuid;
begin
  perform caller.require_platform_key();
  created := operator.found_organisation(
    input ->> 'name',
    (input ->> 'kind')::app.organisation_kind,
    input -> 'owner' ->> 'email',
    input -> 'owner' ->> 'displayName'
  );
  return api.get_organisation(jsonb_build_object('id', created));
end
$$;
comment on function api.create_organisation is 'Instead of row-level security: a live platform key.';

create function api.list_organisations(input jsonb) returns text
language plpgsql stable
security definer
set search_path = ''
as $$
-- In place of row-level security: a live platform key, which sees of an organisation its row and its owner.
begin
  perform caller.require_platform_key();
  return (
    select rows.page(array_agg(row_to_json(organisation) order by organisation.id desc), input)
    from (
      select * from rows.founded_organisations
      where id < rows.before(input)
      order by id desc
      limit (input ->> 'limit')::integer + 1
    ) organisation
  );
end
$$;
comment on function api.list_organisations is 'Instead of row-level security: a live platform key.';

create function api.get_organisation(input jsonb) returns text
language plpgsql stable
security definer
set search_path = ''
as $$
-- In place of row-level security: a live platform key, which sees of an organisation its row and its owner.
declare
  answer text;
begin
  perform caller.require_platform_key();
  select row_to_json(organisation)::text into answer
  from rows.founded_organisations organisation
  where organisation.id = (input ->> 'id')::uuid;
  if answer is null then
    perform caller.refuse('not_found');
  end if;
  return answer;
end
$$;
comment on function api.get_organisation is 'Instead of row-level security: a live platform key.';

create function api.create_owner_key(input jsonb) returns text
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: a live platform key. The key it makes belongs to the organisation's first owner.
declare
  owner uuid;
  created uuid;
begin
  perform caller.require_platform_key();
  select (organisation.owner ->> 'userId')::uuid into owner
  from rows.founded_organisations organisation
  where organisation.id = (input ->> 'id')::uuid;
  if owner is null then
    perform caller.refuse('not_found');
  end if;
  created := operator.insert_key(
    (input ->> 'id')::uuid, owner, input ->> 'name', 'admin', (input ->> 'expiresInDays')::integer,
    input ->> 'prefix', decode(input ->> 'digest', 'hex')
  );
  return (select row_to_json(key)::text from rows.api_keys key where key.id = created);
end
$$;
comment on function api.create_owner_key is 'Instead of row-level security: a live platform key.';

create function caller.require_platform_key() returns void
language plpgsql stable
set search_path = ''
as $$
begin
  if caller.platform_key_id() is null then
    perform caller.refuse('unauthenticated');
  end if;
end
$$;
comment on function caller.require_platform_key is 'Refuses unless this request carries a live platform key.';
