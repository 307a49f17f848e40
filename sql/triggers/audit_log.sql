/*
 * Deferred triggers write the audit log as the transaction commits. An entry locks the chain head of its organisation,
 * and every other write of that organisation waits for the lock. So a transaction locks chain heads last: it holds them
 * only for the commit, and no two transactions wait for each other.
 *
 * Deferred triggers fire in the order in which rows were written, and some of them lock other rows. A transaction that
 * has such triggers, or writes for several organisations, first writes pending entries. The deferred trigger of that
 * table fires after all triggers queued before it, and locks the chain heads in the order of their organisations' ids.
 */
create function triggers.log_change(
  organisation uuid, resource text, subject uuid, action app.audit_action, changed text[], before json, after json
) returns boolean
language plpgsql
as $$
declare
  actor app.audit_actor := 'key';
  key uuid;
  person uuid;
  operator text;
  reason text;
  request uuid;
  id constant uuid := uuidv7();
  entry_text text;
  head app.audit_chain_heads;
  ignored text;
begin
  -- The identity in settings is valid for the API, where caller.authenticate sets it in every call, and for operators.
  if session_user = 'server' then
    key := caller.key_id();
    person := caller.person_id();
    request := caller.request_id();
    if key is null then
      key := coalesce(caller.platform_key_id(), caller.invitation_id(), caller.approval_id(), caller.hook_id());
      actor := case key
        when caller.platform_key_id() then 'platform_key'
        when caller.invitation_id() then 'invitation'
        when caller.approval_id() then 'approval'
        when caller.hook_id() then 'hook'
      end;
    end if;
  else
    actor := triggers.actor(session_user);
    if actor = 'operator' then
      operator := caller.operator();
      reason := nullif(current_setting('caller.reason', true), '');
      request := caller.request_id();
    end if;
  end if;

  if session_user = 'server' and current_setting('audit.deferred', true) is distinct from 'yes' then
    entry_text := audit.entry_text(
      actor, key, person, operator, reason, request, action, resource, subject, changed, before, after
    );
    update app.audit_chain_heads chain_head
    set
      sequence = chain_head.sequence + 1,
      entry_id = triggers.later_id(id, chain_head.entry_id),
      hash = audit.entry_hash(
        chain_head.hash, organisation, chain_head.sequence + 1, triggers.later_id(id, chain_head.entry_id), entry_text
      )
    where chain_head.organisation_id = organisation
    returning chain_head.sequence, chain_head.entry_id, chain_head.hash into head.sequence, head.entry_id, head.hash;
    if found then
      insert into app.audit_log (
        organisation_id, id, sequence, actor, key_id, person_id, operator, reason, request_id, action, resource, resource_id,
        changed, before, after, hash
      )
      values (
        organisation, head.entry_id, head.sequence, actor, key, person, operator, reason, request, action, resource, subject,
        changed, before, after, head.hash
      );
      ignored := set_config('audit.deferred', 'yes', true); -- further entries become pending and advance the head once
      return true;
    end if;
  end if;

  insert into app.audit_pending_entries (
    organisation_id, actor, key_id, person_id, operator, reason, request_id, action, resource, resource_id, changed,
    before, after
  )
  values (
    organisation, actor, key, person, operator, reason, request, action, resource, subject, changed, before, after
  );
  return true;
end
$$;
comment on function triggers.log_change is 'Adds an entry to the audit log of an organisation. For definer functions of triggers only.';

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

create function triggers.actor(login name) returns app.audit_actor
language sql stable
set search_path = ''
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
  insert into app.audit_chain_heads (organisation_id, hash) values (organisation, sha256(convert_to(organisation::text, 'UTF8')))
  on conflict do nothing
$$;
comment on function triggers.begin_audit_log is 'Writes the chain head of an organisation that has none. For definer functions of triggers only.';

create function triggers.tg_audit_pending_entries__append() returns trigger
language plpgsql
security definer
set search_path = ''
set enable_seqscan = off
as $$
-- In place of row-level security: it moves the pending entries of this transaction into the audit logs of their
-- organisations. It never sees pending entries of other transactions, which delete them before they commit.
declare
  organisation uuid;
  head app.audit_chain_heads;
  entry app.audit_pending_entries;
begin
  if not exists (select from app.audit_pending_entries pending where pending.id = new.id) then
    return null; -- moved together with the first entry
  end if;
  for organisation in
    select distinct pending.organisation_id
    from app.audit_pending_entries pending
    where pending.id >= new.id
    order by pending.organisation_id
  loop
    loop
      select chain_head.* into head
      from app.audit_chain_heads chain_head
      where chain_head.organisation_id = organisation
      for no key update;
      exit when found;
      perform triggers.begin_audit_log(organisation);
    end loop;
    for entry in
      select * from app.audit_pending_entries pending
      where pending.id >= new.id and pending.organisation_id = organisation
      order by pending.id
    loop
      head.sequence := head.sequence + 1;
      head.entry_id := triggers.later_id(entry.id, head.entry_id);
      head.hash := audit.entry_hash(
        head.hash, organisation, head.sequence, head.entry_id,
        audit.entry_text(
          entry.actor, entry.key_id, entry.person_id, entry.operator, entry.reason, entry.request_id, entry.action,
          entry.resource, entry.resource_id, entry.changed, entry.before, entry.after
        )
      );
      insert into app.audit_log (
        organisation_id, id, sequence, actor, key_id, person_id, operator, reason, request_id, action, resource,
        resource_id, changed, before, after, hash
      )
      values (
        organisation, head.entry_id, head.sequence, entry.actor, entry.key_id, entry.person_id, entry.operator,
        entry.reason, entry.request_id, entry.action, entry.resource, entry.resource_id, entry.changed, entry.before,
        entry.after, head.hash
      );
    end loop;
    update app.audit_chain_heads chain_head
    set sequence = head.sequence, entry_id = head.entry_id, hash = head.hash
    where chain_head.organisation_id = organisation;
  end loop;
  delete from app.audit_pending_entries pending where pending.id >= new.id;
  return null;
end
$$;
comment on function triggers.tg_audit_pending_entries__append is 'Instead of row-level security: moves the pending entries of this transaction into the audit logs of their organisations.';

create constraint trigger _900_append after insert on app.audit_pending_entries
  deferrable initially deferred
  for each row execute function triggers.tg_audit_pending_entries__append();

/*
 * Tables whose deferred triggers lock rows. After the first write to one of them, entries of the transaction are
 * pending. Only for the API: entries of other logins are always pending.
 */
create function triggers.defer_audit_entry() returns trigger
language plpgsql
set search_path = ''
as $$
declare
  ignored text := set_config('audit.deferred', 'yes', true);
begin
  return null;
end
$$;

create trigger _900_defer_audit_entry after insert or update on app.runs
  for each statement when (session_user = 'server') execute function triggers.defer_audit_entry();
create trigger _900_defer_audit_entry after insert or update on app.deliveries
  for each statement when (session_user = 'server') execute function triggers.defer_audit_entry();
create trigger _900_defer_audit_entry after update on app.bots
  for each statement when (session_user = 'server') execute function triggers.defer_audit_entry();

create function triggers.tg_organisations__begin_audit_log() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it writes the chain head of the new organisation only.
begin
  perform triggers.begin_audit_log(new.id);
  return null;
end
$$;
comment on function triggers.tg_organisations__begin_audit_log is 'Instead of row-level security: writes the chain head of the new organisation only.';

create trigger _500_begin_audit_log after insert on app.organisations
  for each row execute function triggers.tg_organisations__begin_audit_log();

/*
 * An entry never changes; retention drops its whole partition. Each partition inherits the row trigger.
 */
create function triggers.refuse_to_rewrite_audit_log() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  raise restrict_violation using message = 'an entry of the audit log stays as it is until its partition is dropped';
end
$$;

create trigger _100_refuse_to_rewrite before update or delete on app.audit_log
  for each row execute function triggers.refuse_to_rewrite_audit_log();
create trigger _100_refuse_to_truncate before truncate on app.audit_log
  for each statement execute function triggers.refuse_to_rewrite_audit_log();
