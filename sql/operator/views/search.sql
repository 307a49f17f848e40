/*
 * Search of the console. It finds a row by:
 * - an id, an e-mail address or its start, or the start of a key
 * - the start of a person's first or last name
 * - part of the name of an organisation, bot or key, or of the host or description of an endpoint
 *
 * Ids, addresses and names of people use an index. Organisations, bots, keys and endpoints are few enough to scan, since limits
 * bound them.
 */
create function operator.search_by_address(address text)
returns setof operator.found_row
language sql stable
security definer set search_path = ''
as $$
  select 'person', found.id, null, found.email from app.people found where names.address(found.email) = names.address(address)
  union all
  (
    select 'invitation', found.id, found.organisation_id,
      rows.invitation_state(found.accepted_at, found.revoked_at, found.expires_at) || ', as ' || found.role
    from app.invitations found
    where found.email_key = names.address(address)
    order by found.id desc
    limit 20
  )
  union all
  (
    select 'mail', found.id, found.organisation_id, found.kind || case when found.sent_at is null then ', waits' else ', sent' end
    from app.mails found
    where found.recipient_key = names.address(address)
    order by found.id desc
    limit 20
  )
$$;
comment on function operator.search_by_address is 'Instead of row-level security: only operator may execute it. The person with this address, and the latest invitations and mails to it.';
grant execute on function operator.search_by_address to operator;

create function operator.search_by_start_of_address(term text)
returns setof operator.found_row
language sql stable
security definer set search_path = ''
as $$
  select 'person', found.id, null::uuid, found.email
  from app.people found
  where names.address(found.email) ~>=~ names.address(term) and names.address(found.email) ~<~ (names.address(term) || chr(1114111))
  order by names.address(found.email) using ~<~
  limit 20
$$;
comment on function operator.search_by_start_of_address is 'Instead of row-level security: only operator may execute it. People whose address starts with these characters.';
grant execute on function operator.search_by_start_of_address to operator;

create function operator.search_by_name_of_person(term text)
returns setof operator.found_row
language sql stable
security definer set search_path = ''
as $$
  (
    select 'person', found.id, null::uuid, found.display_name || ', ' || found.email
    from app.people found
    where found.display_name is not null
      and names.spelled(found.display_name) ~>=~ names.spelled(term) and names.spelled(found.display_name) ~<~ (names.spelled(term) || chr(1114111))
    order by names.spelled(found.display_name) using ~<~
    limit 20
  )
  union -- a name of one word is its last word
  (
    select 'person', found.id, null::uuid, found.display_name || ', ' || found.email
    from app.people found
    where found.display_name is not null
      and names.spelled(regexp_replace(found.display_name collate "pg_unicode_fast", '^.*\s', '')) ~>=~ names.spelled(term)
      and names.spelled(regexp_replace(found.display_name collate "pg_unicode_fast", '^.*\s', '')) ~<~ (names.spelled(term) || chr(1114111))
    order by names.spelled(regexp_replace(found.display_name collate "pg_unicode_fast", '^.*\s', '')) using ~<~
    limit 20
  )
$$;
comment on function operator.search_by_name_of_person is 'Instead of row-level security: only operator may execute it. People whose name, or the last word of it, starts with these characters.';
grant execute on function operator.search_by_name_of_person to operator;

create function operator.search_by_name_of_resource(term text)
returns setof operator.found_row
language sql stable
as $$
  (
    select 'bot', found.id, found.organisation_id, found.name || case when found.state = 'live' then '' else ', deleted' end
    from operator.bots found
    where strpos(names.spelled(found.name), names.spelled(term)) > 0
    order by names.spelled(found.name) = names.spelled(term) desc, found.id desc
    limit 20
  )
  union all
  (
    select 'api_key', found.id, found.organisation_id, found.prefix || ' ' || found.name
    from operator.api_keys found
    where strpos(names.spelled(found.name), names.spelled(term)) > 0
    order by names.spelled(found.name) = names.spelled(term) desc, found.id desc
    limit 20
  )
$$;
grant execute on function operator.search_by_name_of_resource to operator;

create function operator.search_by_name(term text)
returns setof operator.found_row
language sql stable
as $$
  (
    select 'api_key', found.id, found.organisation_id, found.prefix || ' ' || found.name
    from operator.api_keys found
    where starts_with(found.prefix, left(term, 12)) and char_length(term) > char_length('bsk_')
    order by found.id desc
    limit 20
  )
  union all
  (
    select 'platform_key', found.id, null, found.prefix || ' ' || found.name
    from operator.platform_keys found
    where starts_with(found.prefix, left(term, 12)) and char_length(term) > char_length('bsp_')
    order by found.id desc
    limit 20
  )
  union all
  (
    select 'organisation', found.id, found.id, found.name
    from operator.organisations found
    where strpos(names.spelled(found.name), names.spelled(term)) > 0
    order by names.spelled(found.name) = names.spelled(term) desc, found.id desc
    limit 20
  )
  union all
  (
    select 'webhook_endpoint', found.id, found.organisation_id, concat_ws(', ', concat_ws('/', found.host, found.path), found.description)
    from operator.webhook_endpoints found
    where found.deleted_at is null and (strpos(found.host, names.address(term)) > 0 or strpos(names.spelled(found.description), names.spelled(term)) > 0)
    order by found.id desc
    limit 20
  )
$$;
grant execute on function operator.search_by_name to operator;

create function operator.search_rows(query text) returns setof operator.found_row
language plpgsql stable
as $$
declare
  term constant text := btrim(query);
begin
  if term = '' then
    return;
  elsif pg_input_is_valid(term, 'uuid') then
    return query select * from operator.search_by_id(term::uuid);
  elsif term like '%@%' then
    return query select * from operator.search_by_address(term);
    if not found then
      return query select * from operator.search_by_start_of_address(term);
    end if;
  elsif names.spelled(term) <> '' then -- else each name would contain it
    return query
    select * from operator.search_by_name(term)
    union all
    select * from operator.search_by_name_of_person(term)
    union all
    select * from operator.search_by_name_of_resource(term);
  end if;
end
$$;
grant execute on function operator.search_rows to operator;

create function operator.search(query text)
returns table (kind text, id uuid, organisation_id uuid, organisation_name text, label text)
language sql stable
as $$
  select found.kind, found.id, found.organisation_id,
    (select organisation.name from operator.organisations organisation where organisation.id = found.organisation_id),
    found.label
  from operator.search_rows(query) found
$$;
comment on function operator.search is $$
@behavior +queryField +list -connection
The row of an id (also of a request), an address or its start, the start of a key, the start of the name of a person, or part of the name of an organisation, bot or key, or of the host or description of an endpoint. id is that of the page which shows it.$$;
grant execute on function operator.search to operator;
