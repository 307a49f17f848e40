/*
 * Search of the console by an id, also of a request. docs/console.md lists which ids are found: those with a page of their own,
 * not attempts, steps, audit entries, changes of restrictions or deleted memories.
 */
create type operator.found_row as (kind text, id uuid, organisation_id uuid, label text);

create function operator.search_identities(wanted uuid)
returns setof operator.found_row
language sql stable
as $$
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
  select 'executor', found.id, null, found.name from app.executors found where found.id = wanted
$$;
comment on function operator.search_identities is 'The organisation, person, credential or executor with an id.';

create function operator.search_resources(wanted uuid)
returns setof operator.found_row
language sql stable
as $$
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
  select 'routine', found.id, found.organisation_id, found.name from app.routines found where found.id = wanted
  union all
  select 'hook', found.id, found.organisation_id, found.name from app.hooks found where found.id = wanted
$$;
comment on function operator.search_resources is 'The resource of an organisation with an id.';

create function operator.search_records(wanted uuid)
returns setof operator.found_row
language sql stable
as $$
  select 'delivery', found.id, found.organisation_id, found.event || ', ' || found.state from app.deliveries found where found.id = wanted
  union all
  (
    select 'delivery', found.id, found.organisation_id, 'of this event, ' || found.state
    from app.deliveries found where found.event_id = wanted
    limit 50
  )
  union all
  select 'mail', found.id, found.organisation_id, found.kind || ' to ' || found.recipient from app.mails found where found.id = wanted
  union all
  select 'erasure', found.id, found.organisation_id, 'of a ' || replace(found.subject_kind::text, '_', ' ')
  from app.erasures found where found.id = wanted
  union all
  select 'operator_action', found.id, found.organisation_id, found.action || ' by ' || found.operator
  from app.operator_actions found where found.id = wanted
  union all
  -- A record is written shortly after the time in its request id; clocks of two machines may differ slightly.
  select 'request', found.request_id, found.organisation_id, coalesce(found.status::text, found.refusal)
  from app.idempotency_records found
  where found.request_id = wanted
    and found.created_at >= uuid_extract_timestamp(wanted) - interval '10 seconds'
    and found.created_at < uuid_extract_timestamp(wanted) + interval '1 minute'
  union all
  (
    select 'request', found.request_id, found.organisation_id, found.resource || ' ' || found.action
    from app.audit_log found
    where found.request_id = wanted
    limit 50
  )
$$;
comment on function operator.search_records is 'The delivery, mail, record or request with an id.';

create function operator.search_by_id(wanted uuid)
returns setof operator.found_row
language sql stable
security definer set search_path = ''
as $$
  select * from operator.search_identities(wanted)
  union all
  select * from operator.search_resources(wanted)
  union all
  select * from operator.search_records(wanted)
$$;
comment on function operator.search_by_id is 'Instead of row-level security: only operator may execute it. The row with an id, by indexes on ids.';
grant execute on function operator.search_by_id to operator;
