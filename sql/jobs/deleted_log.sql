/*
 * The audit log of a deleted organisation. As for retention, an entry records the removal first. Once it is in a checkpoint, the
 * older entries are deleted. That entry and the entry of the receipt stay: they have ids, numbers and hashes.
 */
create function jobs.append_to_log(organisation uuid, resource text, before json) returns void
language plpgsql
as $$
begin
  perform triggers.append_entry((
    organisation, uuidv7(), triggers.actor(session_user), null, null, null, null, null, 'deleted', resource,
    case resource when 'organisation' then organisation end, '{}', before, null
  )::app.audit_pending_entries);
end
$$;
comment on function jobs.append_to_log is 'Appends an entry to the log of an organisation that is being deleted.';

create function jobs.remove_log(deletion app.organisation_deletions) returns text
language plpgsql
as $$
declare
  organisation constant uuid := deletion.organisation_id;
  head app.audit_chain_heads;
  removed bigint;
begin
  select chain_head.* into head from app.audit_chain_heads chain_head where chain_head.organisation_id = organisation;
  if coalesce(head.sequence, 0) = 0 then
    return null;
  end if;
  select truncation.sequence into removed from app.audit_truncations truncation where truncation.organisation_id = organisation;
  if deletion.log_entry_id is null then
    perform jobs.append_to_log(organisation, 'audit_log', json_build_object(
      'entries', head.sequence - coalesce(removed, 0), 'throughSequence', head.sequence, 'throughHash', encode(head.hash, 'hex'),
      'throughId', head.entry_id, 'deletion', true
    ));
    update app.organisation_deletions present
    set log_sequence = head.sequence,
      log_entry_id = (select chain_head.entry_id from app.audit_chain_heads chain_head where chain_head.organisation_id = organisation)
    where present.organisation_id = organisation;
    return 'more';
  elsif removed >= deletion.log_sequence then
    return null;
  elsif not exists (
    select from app.audit_leaves leaves where leaves.organisation_id = organisation and leaves.last_id >= deletion.log_entry_id
  ) then
    return 'waiting';
  end if;
  perform jobs.accept_removal(organisation);
  return 'log';
end
$$;
comment on function jobs.remove_log is 'Records the removal of all entries, and waits until a checkpoint covers the record. Then ''log'': the next call is jobs.delete_log_entries. Null if they are removed.';

create function jobs.oldest_entries(organisation uuid) returns table (partition regclass, id uuid, sequence bigint, hash bytea)
language sql stable
set enable_seqscan = off
as $$
  select entry.tableoid, entry.id, entry.sequence, entry.hash
  from app.organisation_deletions deletion
  join app.audit_log entry on entry.organisation_id = deletion.organisation_id and entry.sequence <= deletion.log_sequence
  where deletion.organisation_id = organisation and deletion.ended_at is null
  order by entry.id
  limit 2000
$$;
comment on function jobs.oldest_entries is 'The entries that the next transaction removes.';

-- PostgreSQL also counts deletions of a transaction that was rolled back, so each attempt is accepted before, in a transaction of
-- its own.
create function jobs.accept_removal(organisation uuid) returns void
language sql
as $$
  select service.accept_rewrites(counted.partition, counted.entries, 'An organisation was deleted.')
  from (select oldest.partition, count(*) as entries from jobs.oldest_entries(organisation) oldest group by 1) counted
$$;
comment on function jobs.accept_removal is 'Accepts that the next transaction deletes entries of the log.';

create function jobs.delete_log_entries(organisation uuid) returns text
language plpgsql
security definer set search_path = ''
as $$
declare
  deletion app.organisation_deletions;
  last record;
begin
  select present.* into deletion
  from app.organisation_deletions present
  where present.organisation_id = organisation and present.ended_at is null
  for update skip locked;
  select oldest.id, oldest.sequence, oldest.hash, count(*) over () as entries into last
  from jobs.oldest_entries(organisation) oldest
  order by oldest.id desc
  limit 1;
  if deletion.organisation_id is null or last.id is null or exists (
    select from audit.logged_chains chain where chain.organisation_id = organisation and chain.logged_id < deletion.log_entry_id
  ) then
    return null;
  end if;
  perform jobs.begin_step(organisation);
  update app.audit_tree set attempted_at = attempted_at; -- as jobs.truncate_audit_log
  delete from app.audit_log entry where entry.organisation_id = organisation and entry.id <= last.id;
  insert into app.audit_truncations (organisation_id, sequence, hash, entry_id)
  values (organisation, last.sequence, last.hash, deletion.log_entry_id)
  on conflict on constraint audit_truncations_pkey do update set
    sequence = excluded.sequence, hash = excluded.hash, entry_id = excluded.entry_id, next_sequence = null, next_hash = null,
    next_entry_id = null;
  perform jobs.count_deleted(organisation, 'audit_log', last.entries);
  perform jobs.end_step(organisation, true);
  return null;
exception
  when others then -- such as a table of the operator's own that refers to an entry
    perform jobs.put_deletion_off(organisation, sqlstate, sqlerrm);
    return sqlerrm;
end
$$;
comment on function jobs.delete_log_entries is 'Instead of row-level security: only worker may execute it, and it deletes rows only of an organisation that is being deleted. Deletes at most 2,000 entries whose removal jobs.delete_organisations has just accepted. Returns why it failed, and is then tried again after a minute; else null.';
grant execute on function jobs.delete_log_entries to worker;
