/*
 * Validity of memories, memories that replace others, and the mark of contested ones.
 * (docs/specification/memories.md#superseding, docs/decisions/0037-memories-over-time.md)
 */
create function triggers.tg_memories__refuse_validity() returns trigger
language plpgsql
as $$
begin
  perform errors.refuse('invalid_request', '[{"path": "body.validTo", "message": "must be after validFrom"}]');
  return null;
end
$$;
comment on function triggers.tg_memories__refuse_validity is 'Refuses a memory that ends before it begins.';

create trigger _100_refuse_validity before insert or update of valid_from, valid_to on app.memories
  for each row when (new.valid_from >= new.valid_to)
  execute function triggers.tg_memories__refuse_validity();

-- Both functions run with the rights of the writer: its policies decide which memory it may replace.
create function triggers.tg_memories__require_superseded() returns trigger
language plpgsql
as $$
declare
  former app.memories;
begin
  if new.valid_to <= coalesce(new.valid_from, now()) then
    perform errors.refuse('invalid_request', '[{"path": "body.validTo", "message": "must be later than the end of the former memory"}]');
  end if;
  select memories.* into former
  from app.memories
  where memories.organisation_id = new.organisation_id and memories.id = new.supersedes;
  if former.id is null then
    perform errors.refuse('not_found');
  elsif former.scope = 'member' and new.scope <> 'member' then
    perform errors.refuse('forbidden', reason => 'member_memory');
  elsif (former.scope, former.bot_id, former.member_id) is distinct from (new.scope, new.bot_id, new.member_id) then
    perform errors.refuse('conflict', reason => 'memory_of_another_owner');
  elsif new.run_id is not null
    and (former.subject_kind, names.spelled(former.subject), names.spelled(former.kind))
      is distinct from (new.subject_kind, names.spelled(new.subject), names.spelled(new.kind)) then
    -- The page of an approval shows the new memory only. So its subject and kind must say what ends.
    perform errors.refuse('conflict');
  end if;
  -- Before the foreign key looks for it: a memory that is deleted meanwhile is not found.
  perform from app.memories
  where memories.organisation_id = new.organisation_id and memories.id = new.supersedes
  for no key update;
  perform errors.require_row(found);
  return new;
end
$$;
comment on function triggers.tg_memories__require_superseded is 'Refuses to replace a memory that the writer cannot read, or of another owner. A run replaces only memories of the same subject and kind.';

create trigger _100_require_superseded before insert on app.memories
  for each row when (new.supersedes is not null)
  execute function triggers.tg_memories__require_superseded();

-- The former memory is locked, so one of several writers replaces it.
create function triggers.tg_memories__close_superseded() returns trigger
language plpgsql
as $$
declare
  begins constant timestamptz := coalesce(new.valid_from, date_trunc('milliseconds', now()));
begin
  update app.memories replaced
  set valid_to = least(replaced.valid_to, begins), superseded_by = new.id
  where replaced.organisation_id = new.organisation_id
    and replaced.id = new.supersedes
    and replaced.superseded_by is null
    and (replaced.valid_to is null or replaced.valid_to > now())
    and (replaced.valid_from is null or replaced.valid_from < begins);
  if not found then
    perform errors.refuse('conflict', reason => 'memory_not_current');
  end if;
  return null;
end
$$;
comment on function triggers.tg_memories__close_superseded is 'Ends the replaced memory where the new memory begins. Refuses a memory that has ended, begins later or is replaced.';

create trigger _500_close_superseded after insert on app.memories
  for each row when (new.supersedes is not null)
  execute function triggers.tg_memories__close_superseded();

/*
 * The entry of the audit log is written under the lock of the organisation's chain head. So of two concurrent writers about one
 * subject, the second one sees the memory of the first. A memory that another transaction changes is skipped: that
 * transaction writes an entry too, and marks it then. So this never waits.
 */
create function triggers.tg_audit_log__mark_contested() returns trigger
language plpgsql
security definer set search_path = ''
as $$
declare
  changed uuid[];
  differing uuid[];
begin
  -- A comparison of two values ends at a different length. A minimum would read each value whole.
  with beside as materialized (
    select other.id, other.value, other.contested, other.valid_to is null or other.valid_to > now() as is_open
    from app.memories memory
    cross join lateral (
      select * from rows.memories_beside(new.organisation_id, memory, rows.max_id()) newest where newest.id <> memory.id
      union all
      select memory.* -- it may be older than the newest 100
    ) other
    where memory.organisation_id = new.organisation_id and memory.id = new.resource_id
  ), contradiction as (
    select from beside, (select value from beside where is_open limit 1) one where is_open and beside.value <> one.value
  )
  select array_agg(peer.id), array_agg(peer.id) filter (where peer.differs) into changed, differing
  from (select beside.*, is_open and exists (select from contradiction) as differs from beside) peer
  where peer.contested <> peer.differs;
  if changed is not null then
    update app.memories memory
    set contested = coalesce(memory.id = any (differing), false)
    where memory.organisation_id = new.organisation_id and memory.id in (
      select free.id from app.memories free
      where free.organisation_id = new.organisation_id and free.id = any (changed)
      for no key update skip locked
    );
  end if;
  return null;
end
$$;
comment on function triggers.tg_audit_log__mark_contested is 'Instead of row-level security: memory.organisation_id = new.organisation_id. Marks the memories of one owner, subject and kind that differ and have not ended.';

create trigger _500_mark_contested after insert on app.audit_log
  for each row when (new.resource = 'memory' and new.action <> 'deleted')
  execute function triggers.tg_audit_log__mark_contested();
