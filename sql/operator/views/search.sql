/*
 * Search: who or what is this? By an id whole, a request's too; an address whole; the first twelve characters of a key;
 * or a part of an organisation's name. All but the last are found by an index, whatever the table holds; organisations are
 * few enough to be read. Which ids these are docs/console.md says: of all that is shown by itself, and not of what is only
 * ever shown with something else (attempts, steps, entries of the trail, changes of restrictions, former claims).
 */
create function operator.found_by_id(wanted uuid)
returns table (kind text, id uuid, organisation_id uuid, label text)
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: operators alone, who are told what an id is of and whose, and nothing that is said.
  select 'organisation', found.id, found.id, found.name from app.organisations found where found.id = wanted
  union all
  select 'person', found.id, null, found.email from app.people found where found.id = wanted
  union all
  select 'person', found.person_id, found.organisation_id, 'as ' || found.role from app.memberships found where found.id = wanted
  union all
  select 'invitation', found.id, found.organisation_id, found.email from app.invitations found where found.id = wanted
  union all
  select 'api_key', found.id, found.organisation_id, found.prefix || ' ' || found.name from app.api_keys found where found.id = wanted
  union all
  select 'platform_key', found.id, null, found.prefix || ' ' || found.name from app.platform_keys found where found.id = wanted
  union all
  select 'bot', found.id, found.organisation_id, found.name from app.bots found where found.id = wanted
  union all
  select 'conversation', found.id, found.organisation_id, null from app.conversations found where found.id = wanted
  union all
  select 'run', found.id, found.organisation_id, found.state::text from app.runs found where found.id = wanted
  union all
  select 'run', found.run_id, found.organisation_id, 'by a message in it' from app.messages found where found.id = wanted
  union all
  select 'approval', found.id, found.organisation_id, found.kind::text from app.approvals found where found.id = wanted
  union all
  select 'memory', found.id, found.organisation_id, found.scope::text from app.memories found where found.id = wanted
  union all
  select 'webhook_endpoint', found.id, found.organisation_id, rows.host_of(found.url) from app.webhook_endpoints found where found.id = wanted
  union all
  select 'delivery', found.id, found.organisation_id, found.event || ', ' || found.state from app.deliveries found where found.id = wanted
  union all
  (
    select 'delivery', found.id, found.organisation_id, 'of this event, ' || found.state
    from app.deliveries found where found.event_id = wanted
    limit 50
  )
  union all
  select 'routine', found.id, found.organisation_id, found.name from app.routines found where found.id = wanted
  union all
  select 'hook', found.id, found.organisation_id, found.name from app.hooks found where found.id = wanted
  union all
  select 'mail', found.id, found.organisation_id, found.kind || ' to ' || found.recipient from app.mails found where found.id = wanted
  union all
  select 'erasure', found.id, found.organisation_id, 'of a ' || replace(found.subject_kind::text, '_', ' ')
  from app.erasures found where found.id = wanted
  union all
  select 'act', found.id, found.organisation_id, found.action || ' by ' || found.operator
  from app.operator_acts found where found.id = wanted
  union all
  select 'executor', found.id, null, found.name from app.executors found where found.id = wanted
  union all
  -- A record is written within moments of the time that its request's id tells; clocks of two machines may differ a little.
  select 'request', found.request_id, found.organisation_id, coalesce(found.status::text, found.refusal)
  from app.idempotency_records found
  where found.request_id = wanted
    and found.created_at >= uuid_extract_timestamp(wanted) - interval '10 seconds'
    and found.created_at < uuid_extract_timestamp(wanted) + interval '1 minute'
  union all
  (
    select 'request', found.request_id, found.organisation_id, found.resource || ' ' || found.action
    from app.audit_trail found
    where found.request_id = wanted
    limit 50
  )
$$;
comment on function operator.found_by_id is 'Instead of row-level security: operators alone. What an id is of and whose, by the indexes of ids.';

create function operator.found_by_address(address text)
returns table (kind text, id uuid, organisation_id uuid, label text)
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: operators alone, who name a person's whole address.
  select 'person', found.id, null, found.email from app.people found where lower(found.email) = lower(address)
  union all
  (
    select 'invitation', found.id, found.organisation_id,
      rows.invitation_state(found.accepted_at, found.revoked_at, found.expires_at) || ', as ' || found.role
    from app.invitations found
    where found.email_key = lower(address)
    order by found.id desc
    limit 20
  )
  union all
  (
    select 'mail', found.id, found.organisation_id, found.kind || case when found.sent_at is null then ', waits' else ', sent' end
    from app.mails found
    where found.recipient_key = lower(address)
    order by found.id desc
    limit 20
  )
$$;
comment on function operator.found_by_address is 'Instead of row-level security: operators alone. Whom an address is of, and the latest invitations and mails to it.';

create function operator.found_by_name(words text)
returns table (kind text, id uuid, organisation_id uuid, label text)
language sql stable
as $$
  select 'api_key', found.id, found.organisation_id, found.prefix || ' ' || found.name
  from operator.api_keys found where found.prefix = left(words, 12)
  union all
  select 'platform_key', found.id, null, found.prefix || ' ' || found.name
  from operator.platform_keys found where found.prefix = left(words, 12)
  union all
  (
    select 'organisation', found.id, found.id, found.name
    from operator.organisations found
    where strpos(lower(found.name), lower(words)) > 0
    order by lower(found.name) = lower(words) desc, found.id desc
    limit 20
  )
$$;

create function operator.search(query text) returns table (kind text, id uuid, organisation_id uuid, label text)
language plpgsql stable
as $$
declare
  words constant text := btrim(query);
begin
  if words = '' then
    return;
  elsif pg_input_is_valid(words, 'uuid') then
    return query select * from operator.found_by_id(words::uuid);
  elsif words like '%@%' then
    return query select * from operator.found_by_address(words);
  else
    return query select * from operator.found_by_name(words);
  end if;
end
$$;
comment on function operator.search is $$
@behavior +queryField +list -connection
Who or what this is: an id, a request's too; an address; the first twelve characters of a key; a part of an organisation's name. The id is that of the page which shows it.$$;
