/*
 * Deferred triggers write the audit log as the transaction commits. An entry locks the chain head of its organisation,
 * and every other write of that organisation waits for the lock. So a transaction locks chain heads last: it holds them
 * only for the commit, and no two transactions wait for each other.
 *
 * Deferred triggers fire in the order in which rows were written, and some of them lock other rows. A transaction that
 * has such triggers, or writes for several organisations, first writes pending entries. The deferred trigger of that
 * table fires after all triggers queued before it, and locks the chain heads in the order of their organisations' ids.
 * The chain head also numbers the events of the feed; an event waits for its number as a pending row without an action.
 */
create function triggers.log_change(
  organisation uuid, resource text, subject uuid, action app.audit_action, changed text[], before json, after json
) returns boolean
language plpgsql
as $$
declare
  entry constant app.audit_pending_entries
    := triggers.entry_by_caller(organisation, resource, subject, action, changed, before, after);
  ignored text; -- unused: assigning the result avoids a separate SQL statement
begin
  if session_user = 'server' and current_setting('audit.deferred', true) is distinct from 'yes' then
    ignored := triggers.append_entry(entry);
    ignored := set_config('audit.deferred', 'yes', true); -- further entries become pending and advance the head once
    return true;
  end if;
  insert into app.audit_pending_entries select entry.*;
  return true;
end
$$;
comment on function triggers.log_change is 'Adds an entry to the audit log of an organisation. For definer functions of triggers only.';

create function triggers.append_entries(organisation uuid, entries app.audit_pending_entries[], events uuid[]) returns boolean
language plpgsql
as $$
declare
  former constant app.audit_chain_heads := triggers.lock_chain_head(organisation);
  head app.audit_chain_heads := former;
  entry app.audit_pending_entries;
  ids uuid[] := '{}';
  hashes bytea[] := '{}';
begin
  foreach entry in array entries loop
    head.sequence := head.sequence + 1;
    head.entry_id := triggers.later_id(entry.id, head.entry_id);
    head.hash := triggers.hash_after(head.hash, head.sequence, head.entry_id, entry);
    ids := ids || head.entry_id;
    hashes := hashes || head.hash;
  end loop;
  insert into app.audit_log (
    organisation_id, id, sequence, actor, key_id, person_id, operator, reason, request_id, action, resource, resource_id,
    changed, before, after, hash
  )
  select
    listed.organisation_id, ids[place], head.sequence - cardinality(entries) + place, listed.actor, listed.key_id,
    listed.person_id, listed.operator, listed.reason, listed.request_id, listed.action, listed.resource,
    listed.resource_id, listed.changed, listed.before, listed.after, hashes[place]
  from unnest(entries) with ordinality listed, lateral (select listed.ordinality) numbered (place);
  update app.audit_chain_heads chain_head
  set sequence = head.sequence, entry_id = head.entry_id, hash = head.hash,
    event_position = former.event_position + cardinality(events)
  where chain_head.organisation_id = organisation
    and chain_head.event_position = former.event_position
    and chain_head.sequence = former.sequence;
  if events <> '{}' then
    perform triggers.set_positions(organisation, events, head.event_position);
  end if;
  return true;
end
$$;
comment on function triggers.append_entries is 'Appends entries of an organisation to its audit log, and numbers its events, in this order. For definer functions of triggers only.';

create function triggers.tg_audit_pending_entries__append() returns trigger
language plpgsql
security definer set search_path = ''
set enable_seqscan = off
set enable_bitmapscan = off -- the newest chain head comes first in the index; a bitmap has all kept versions
as $$
declare
  organisation uuid;
  entries app.audit_pending_entries[];
  events uuid[];
  appended boolean; -- unused: assigning the result avoids a separate SQL statement
begin
  if not exists (select from app.audit_pending_entries pending where pending.id = new.id) then
    return null; -- moved together with the first entry
  end if;
  for organisation, entries, events in
    with moved as (
      delete from app.audit_pending_entries pending where pending.id >= new.id returning pending
    )
    select (moved.pending).organisation_id,
      coalesce(array_agg(moved.pending order by (moved.pending).id) filter (where (moved.pending).action is not null), '{}'),
      coalesce(array_agg((moved.pending).resource_id order by (moved.pending).id) filter (where (moved.pending).action is null), '{}')
    from moved
    group by 1
    order by 1
  loop
    appended := cardinality(entries) = 1 and events = '{}' and triggers.append_entry(entries[1])
      or triggers.append_entries(organisation, entries, events);
  end loop;
  return null;
end
$$;
comment on function triggers.tg_audit_pending_entries__append is 'Instead of row-level security: pending.id >= new.id. Moves the pending entries of this transaction into the audit logs of their organisations, and numbers its events.';

create constraint trigger _900_append after insert on app.audit_pending_entries
  deferrable initially deferred
  for each row execute function triggers.tg_audit_pending_entries__append();

/*
 * Tables whose deferred triggers lock rows, and events, so that the head is moved once. After the first write to one of them, entries of the transaction are
 * pending. Only for the API: entries of other logins are always pending.
 */
create function triggers.defer_audit_entry() returns trigger
language plpgsql
as $$
declare
  ignored text := set_config('audit.deferred', 'yes', true);
begin
  return null;
end
$$;
comment on function triggers.defer_audit_entry is 'Makes this transaction of the API collect its audit log entries until the commit.';

create trigger _900_defer_audit_entry after insert or update on app.runs
  for each statement when (session_user = 'server') execute function triggers.defer_audit_entry();
create trigger _900_defer_audit_entry after insert or update on app.deliveries
  for each statement when (session_user = 'server') execute function triggers.defer_audit_entry();
create trigger _900_defer_audit_entry after insert on app.events
  for each statement when (session_user = 'server') execute function triggers.defer_audit_entry();
create trigger _900_defer_audit_entry after update on app.bots
  for each statement when (session_user = 'server') execute function triggers.defer_audit_entry();

create function triggers.tg_organisations__begin_audit_log() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  perform triggers.begin_audit_log(new.id);
  return null;
end
$$;
comment on function triggers.tg_organisations__begin_audit_log is 'Instead of row-level security: triggers.begin_audit_log, for new.id. Writes the chain head of the new organisation.';

create trigger _500_begin_audit_log after insert on app.organisations
  for each row execute function triggers.tg_organisations__begin_audit_log();

/*
 * An entry never changes; retention drops its whole partition. Each partition inherits the row trigger. The deletion of an
 * organisation deletes entries whose removal a later entry records (sql/jobs/deleted_log.sql).
 */
create function triggers.refuse_to_rewrite_audit_log() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'DELETE' then
    if triggers.is_deletion_step(old.organisation_id) and exists (
      select
      from app.organisation_deletions deletion
      where deletion.organisation_id = old.organisation_id and deletion.log_sequence >= old.sequence
    ) then
      return old;
    end if;
  end if;
  raise restrict_violation using message = 'an entry of the audit log stays as it is until its partition is dropped';
end
$$;
comment on function triggers.refuse_to_rewrite_audit_log is 'Refuses every change of an entry, except that the deletion of its organisation removes recorded entries.';

create trigger _100_refuse_to_rewrite before update or delete on app.audit_log
  for each row execute function triggers.refuse_to_rewrite_audit_log();
create trigger _100_refuse_to_truncate before truncate on app.audit_log
  for each statement execute function triggers.refuse_to_rewrite_audit_log();
