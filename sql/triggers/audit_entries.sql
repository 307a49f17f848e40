/* Entries of the audit log, and the chain head that numbers and links them. For definer functions of triggers only. */
create function triggers.entry_by_caller(
  organisation uuid, resource text, subject uuid, action app.audit_action, changed text[], before json, after json
) returns app.audit_pending_entries
language plpgsql
as $$
declare
  entry app.audit_pending_entries;
begin
  -- The identity in settings is valid for the API, where caller.authenticate sets it in every call, and for operators.
  if session_user = 'server' then
    entry.actor := nullif(split_part(caller.credential(), ' ', 1), '');
    entry.key_id := nullif(split_part(caller.credential(), ' ', 2), '');
    entry.person_id := caller.person_id();
    entry.request_id := caller.request_id();
  else
    entry.actor := triggers.actor(session_user);
    if entry.actor = 'operator' then
      entry.operator := caller.operator();
      entry.reason := nullif(current_setting('caller.reason', true), '');
      entry.request_id := caller.request_id();
    end if;
  end if;
  return (
    organisation, uuidv7(), entry.actor, entry.key_id, entry.person_id, entry.operator, entry.reason, entry.request_id,
    action, resource, subject, changed, before, after
  )::app.audit_pending_entries;
end
$$;
comment on function triggers.entry_by_caller is 'An entry with the actor of this session.';

create function triggers.hash_after(previous bytea, sequence bigint, id uuid, entry app.audit_pending_entries) returns bytea
language sql stable
as $$
  select audit.entry_hash(
    previous, entry.organisation_id, sequence, id, audit.entry_text(
      entry.actor, entry.key_id, entry.person_id, entry.operator, entry.reason, entry.request_id, entry.action,
      entry.resource, entry.resource_id, entry.changed, entry.before, entry.after
    )
  )
$$;
comment on function triggers.hash_after is 'The hash of an entry with this sequence number and id, after the hash of the previous one.';

create function triggers.next_id(last uuid) returns uuid
language sql immutable parallel safe
as $$
  select (left(hex, 17) || lpad(to_hex(('x' || right(hex, 15))::bit(60)::bigint + 1), 15, '0'))::uuid
  from replace(last::text, '-', '') hex
$$;
comment on function triggers.next_id is 'The UUID after this one, of the same time.';

-- An id is made before the wait for the chain head, and a clock can be set back.
create function triggers.later_id(id uuid, last uuid) returns uuid
language sql immutable parallel safe
as $$ select case when id <= last then triggers.next_id(last) else id end $$;
comment on function triggers.later_id is 'This id, or the one after the last id if it is not greater. So ids follow the order of sequence numbers.';

-- The head is found by its whole key: a search by organisation would read all versions that a snapshot keeps.
create function triggers.append_entry(entry app.audit_pending_entries) returns boolean
language plpgsql
as $$
declare
  head constant app.audit_chain_heads := triggers.lock_chain_head(entry.organisation_id);
  new_id constant uuid := triggers.later_id(entry.id, head.entry_id);
  new_hash constant bytea := triggers.hash_after(head.hash, head.sequence + 1, new_id, entry);
begin
  update app.audit_chain_heads chain_head
  set sequence = head.sequence + 1, entry_id = new_id, hash = new_hash
  where chain_head.organisation_id = entry.organisation_id
    and chain_head.event_position = head.event_position
    and chain_head.sequence = head.sequence;
  insert into app.audit_log (
    organisation_id, id, sequence, actor, key_id, person_id, operator, reason, request_id, action, resource, resource_id,
    changed, before, after, hash
  )
  values (
    entry.organisation_id, new_id, head.sequence + 1, entry.actor, entry.key_id, entry.person_id, entry.operator,
    entry.reason, entry.request_id, entry.action, entry.resource, entry.resource_id, entry.changed, entry.before,
    entry.after, new_hash
  );
  return true;
end
$$;
comment on function triggers.append_entry is 'Appends an entry to the audit log of its organisation. For definer functions of triggers only.';

create function triggers.actor(login name) returns app.audit_actor
language sql stable
as $$
  select case
    when login = 'worker' then 'worker'
    when login in ('operator', 'cli') then 'operator'
    when exists (
      select from pg_catalog.pg_auth_members granted
      join pg_catalog.pg_roles executor on executor.oid = granted.member
      where granted.roleid = 'executor'::regrole and executor.rolname = login
    ) then 'executor'
    else 'system'
  end::app.audit_actor
$$;
comment on function triggers.actor is 'The actor that the login of a session stands for, unless it is the API. System is any other login, such as an administrator.';

create function triggers.pick_fields(names text[], of json) returns json
language sql immutable parallel safe
as $$ select json_object_agg(key, value) from json_each(of) where key = any (names) $$;
comment on function triggers.pick_fields is 'The fields with these names; null if there are none.';

-- An organisation restored without triggers has no chain head, and its writes must not fail for that. If a head was
-- lost, audit.verify_chain finds the sequence numbers that occur twice.
create function triggers.begin_audit_log(organisation uuid) returns void
language sql
as $$
  insert into app.audit_chain_heads (organisation_id, hash, event_position)
  select
    organisation, sha256(convert_to(organisation::text, 'UTF8')),
    coalesce((select max(event.position) from app.events event where event.organisation_id = organisation), 0)
  where not exists (select from app.audit_chain_heads present where present.organisation_id = organisation)
$$;
comment on function triggers.begin_audit_log is 'Writes the chain head of an organisation that has none. For definer functions of triggers only.';

-- No index makes heads unique by organisation, so two transactions that find none write one after the other.
create function triggers.lock_chain_head(organisation uuid) returns app.audit_chain_heads
language plpgsql
as $$
declare
  head app.audit_chain_heads;
begin
  loop
    select chain_head.* into head
    from app.audit_chain_heads chain_head
    where chain_head.organisation_id = organisation
    order by chain_head.event_position desc, chain_head.sequence desc
    limit 1
    for no key update;
    if found then
      return head;
    end if;
    perform service.lock('audit_chain_heads');
    perform triggers.begin_audit_log(organisation);
  end loop;
end
$$;
comment on function triggers.lock_chain_head is 'The chain head of an organisation, locked. The newest version comes first in the index.';
