/*
 * The checkpoint job (src/worker/checkpoints). It runs in one transaction with one snapshot: it reads the new entries of
 * all chains, checks, appends to the tree, and stores the signed head. The signing key never reaches the database.
 */
create function jobs.begin_checkpoint(pause interval)
returns table (
  number bigint, tree_size bigint, root bytea, public_key text, note text,
  verified_leaves bigint, verified_organisation uuid
)
language plpgsql
security definer set search_path = ''
as $$
begin
  update app.audit_tree tree
  set attempted_at = clock_timestamp()
  from (
    select free.singleton
    from app.audit_tree free
    where free.attempted_at is null or free.attempted_at not between clock_timestamp() - pause and clock_timestamp()
    for no key update skip locked
  ) free
  where tree.singleton = free.singleton;
  if not found then
    return;
  end if;
  return query
    select latest.number, coalesce(latest.tree_size, 0), latest.root, latest.public_key, latest.note,
      tree.verified_leaves, tree.verified_organisation
    from app.audit_tree tree
    left join (select * from app.audit_checkpoints checkpoint order by checkpoint.number desc limit 1) latest on true;
end
$$;
comment on function jobs.begin_checkpoint is 'Instead of row-level security: tables of the tree, which belong to no organisation. Locks the tree until the end of the transaction; returns its newest checkpoint, or no row if another job has the lock or ran less than the pause ago.';
grant execute on function jobs.begin_checkpoint to worker;

create function jobs.read_tiles(levels integer[], numbers bigint[])
returns table (level integer, tile bigint, hashes bytea)
language sql stable
security definer set search_path = ''
as $$
  select part.level::integer, part.tile, string_agg(part.hashes, '' order by part.position)
  from unnest(levels, numbers) wanted (level, tile)
  join app.audit_tiles part on part.level = wanted.level and part.tile = wanted.tile
  group by part.level, part.tile
$$;
comment on function jobs.read_tiles is 'Instead of row-level security: tiles of the tree, which belong to no organisation.';
grant execute on function jobs.read_tiles to worker;

-- The lag is over the entries that were read: the first follows the last entry in the tree.
create function jobs.unlogged_entries(max_entries integer)
returns table (
  organisation_id uuid, sequence bigint, id uuid, hash bytea, previous_sequence bigint, previous_hash bytea,
  follows boolean, is_truncation_valid boolean
)
language sql stable
security definer set search_path = ''
set enable_seqscan = off
as $$
  select entry.organisation_id, entry.sequence, entry.id, entry.hash, entry.previous_sequence, entry.previous_hash,
    audit.entry_follows(entry.whole, entry.previous_hash),
    (entry.whole).resource <> 'audit_log' or (entry.whole).action <> 'deleted' or chain.logged_id is null
      or audit.is_truncation_valid(entry.whole)
  from audit.logged_chains chain
  cross join lateral (
    select added.*,
      coalesce(lag(added.sequence) over in_order, chain.logged_sequence) as previous_sequence,
      coalesce(lag(added.hash) over in_order, chain.logged_hash) as previous_hash
    from (
      select candidate.organisation_id, candidate.sequence, candidate.id, candidate.hash, candidate as whole
      from app.audit_log candidate
      where candidate.organisation_id = chain.organisation_id
        and candidate.id > coalesce(chain.logged_id, '00000000-0000-0000-0000-000000000000')
      order by candidate.id
      limit max_entries
    ) added
    window in_order as (order by added.id)
  ) entry
  where chain.head_sequence is distinct from chain.logged_sequence
  order by entry.organisation_id, entry.id
  limit max_entries
$$;
comment on function jobs.unlogged_entries is 'Instead of row-level security: ids, numbers and hashes of entries of all organisations, without their content. Entries that are not in the tree, in the order of each chain.';
grant execute on function jobs.unlogged_entries to worker;

-- Whole runs of leaves, until they hold this many entries.
create function jobs.logged_entries(from_index bigint, max_entries integer)
returns table (
  first_index bigint, organisation_id uuid, first_sequence bigint, last_sequence bigint, truncated_sequence bigint,
  sequence bigint, hash bytea, follows boolean
)
language sql stable
security definer set search_path = ''
set enable_seqscan = off
as $$
  select leaves.first_index, leaves.organisation_id, leaves.first_sequence, leaves.last_sequence,
    coalesce(truncation.sequence, 0), entry.sequence, entry.hash,
    audit.entry_follows(entry.whole, coalesce(
      entry.previous_hash, case when truncation.sequence >= leaves.first_sequence then truncation.hash end, leaves.previous_hash
    ))
  from (
    select counted.*
    from (
      select run.*, sum(run.last_sequence - run.first_sequence + 1) over (order by run.first_index) as entries
      from (select * from app.audit_leaves run where run.first_index >= from_index order by run.first_index limit max_entries) run
    ) counted
    where counted.entries - (counted.last_sequence - counted.first_sequence + 1) < max_entries
  ) leaves
  left join app.audit_truncations truncation on truncation.organisation_id = leaves.organisation_id
  left join lateral (
    select present.sequence, present.hash, present as whole, lag(present.hash) over (order by present.id) as previous_hash
    from app.audit_log present
    where present.organisation_id = leaves.organisation_id and present.id between leaves.first_id and leaves.last_id
  ) entry on true
  order by leaves.first_index, entry.sequence
$$;
comment on function jobs.logged_entries is 'Instead of row-level security: numbers and hashes of entries of all organisations, without their content. Entries of leaves from this one on, and whether each follows from the previous one; a null entry if none is left.';
grant execute on function jobs.logged_entries to worker;

create function jobs.append_checkpoint(leaves json, tiles json, checkpoint json, leaves_verified bigint, organisation_verified uuid)
returns bigint
language plpgsql
security definer set search_path = ''
as $$
declare
  made bigint;
begin
  insert into app.audit_leaves (
    organisation_id, first_id, last_id, first_sequence, last_sequence, first_index, previous_hash, last_hash
  )
  select run.organisation_id, run.first_id, run.last_id, run.first_sequence, run.last_sequence, run.first_index,
    decode(run.previous_hash, 'hex'), decode(run.last_hash, 'hex')
  from json_to_recordset(leaves) run (
    organisation_id uuid, first_id uuid, last_id uuid, first_sequence bigint, last_sequence bigint, first_index bigint,
    previous_hash text, last_hash text
  );
  insert into app.audit_tiles (level, tile, position, hashes)
  select part.level, part.tile, part.position, decode(part.hashes, 'hex')
  from json_to_recordset(tiles) part (level smallint, tile bigint, position smallint, hashes text);
  if checkpoint is not null then
    insert into app.audit_checkpoints (tree_size, root, public_key, note)
    select head.tree_size, decode(head.root, 'hex'), head.public_key, head.note
    from json_to_record(checkpoint) head (tree_size bigint, root text, public_key text, note text)
    returning number into made;
  end if;
  update app.audit_tree set checked_at = clock_timestamp(), verified_leaves = leaves_verified,
    verified_organisation = organisation_verified;
  return made;
end
$$;
comment on function jobs.append_checkpoint is 'Instead of row-level security: adds numbers and hashes to the tree, and returns the number of the new checkpoint.';
grant execute on function jobs.append_checkpoint to worker;

create function jobs.store_cosignature(checkpoint bigint, witness text, line text) returns void
language sql
security definer set search_path = ''
as $$
  insert into app.audit_cosignatures (checkpoint, witness, line) values (checkpoint, witness, line) on conflict do nothing
$$;
comment on function jobs.store_cosignature is 'Instead of row-level security: signatures of checkpoints, which belong to no organisation.';
grant execute on function jobs.store_cosignature to worker;

create function jobs.is_checkpoint_due(pause interval) returns boolean
language sql volatile
security definer set search_path = ''
as $$
  select tree.attempted_at is null or tree.attempted_at not between clock_timestamp() - pause and clock_timestamp()
  from app.audit_tree tree
$$;
comment on function jobs.is_checkpoint_due is 'Instead of row-level security: the state of the checkpoint job, which belongs to no organisation.';
grant execute on function jobs.is_checkpoint_due to worker;

create function jobs.newest_checkpoint() returns table (number bigint, tree_size bigint, note text)
language sql stable
security definer set search_path = ''
as $$
  select latest.number, latest.tree_size, latest.note from app.audit_checkpoints latest order by latest.number desc limit 1
$$;
comment on function jobs.newest_checkpoint is 'Instead of row-level security: the newest checkpoint, which belongs to no organisation.';
grant execute on function jobs.newest_checkpoint to worker;
