/*
 * The checkpoint job (src/transparency/checkpoints). It runs in one transaction with one snapshot: it reads the new entries of
 * all chains, checks, appends to the tree, and stores the signed head. The signing key never reaches the database.
 */
create function jobs.begin_checkpoint(pause interval)
returns table (
  number bigint, tree_size bigint, root bytea, public_key text, note text,
  verified_leaves bigint, verified_organisation uuid, leaves bigint, is_first boolean, oldest_transaction xid8
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
      tree.verified_leaves, tree.verified_organisation, coalesce(last.first_index + last.last_sequence - last.first_sequence + 1, 0),
      tree.checked_at is null, pg_snapshot_xmin(pg_current_snapshot())
    from app.audit_tree tree
    left join (select * from app.audit_leaves run order by run.first_index desc limit 1) last on true
    left join (select * from app.audit_checkpoints checkpoint order by checkpoint.number desc limit 1) latest on true;
end
$$;
comment on function jobs.begin_checkpoint is 'Instead of row-level security: only worker may execute it. Tables of the tree, which belong to no organisation. Locks the tree until the end of the transaction. Returns the newest checkpoint, the number of leaves, whether this is the first run, and the oldest transaction that it does not see. No row if another job has the lock or ran less than the pause ago.';
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
comment on function jobs.read_tiles is 'Instead of row-level security: only worker may execute it. Tiles of the tree, which belong to no organisation.';
grant execute on function jobs.read_tiles to worker;

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
comment on function jobs.append_checkpoint is 'Instead of row-level security: only worker may execute it. Adds numbers and hashes to the tree, and returns the number of the new checkpoint.';
grant execute on function jobs.append_checkpoint to worker;

create function jobs.verify_leaves_again(from_index bigint) returns void
language sql
security definer set search_path = ''
as $$ update app.audit_tree tree set verified_leaves = from_index where tree.verified_leaves <> from_index $$;
comment on function jobs.verify_leaves_again is 'Instead of row-level security: only worker may execute it. The state of the checkpoint job, which belongs to no organisation. Where the next run begins with verifying older entries: at those in which it found a fault.';
grant execute on function jobs.verify_leaves_again to worker;

create function jobs.store_cosignature(checkpoint bigint, witness text, line text) returns void
language sql
security definer set search_path = ''
as $$
  insert into app.audit_cosignatures (checkpoint, witness, line) values (checkpoint, witness, line) on conflict do nothing
$$;
comment on function jobs.store_cosignature is 'Instead of row-level security: only worker may execute it. Signatures of checkpoints, which belong to no organisation.';
grant execute on function jobs.store_cosignature to worker;

create function jobs.is_checkpoint_due(pause interval) returns boolean
language sql volatile
security definer set search_path = ''
as $$
  select tree.attempted_at is null or tree.attempted_at not between clock_timestamp() - pause and clock_timestamp()
  from app.audit_tree tree
$$;
comment on function jobs.is_checkpoint_due is 'Instead of row-level security: only worker may execute it. The state of the checkpoint job, which belongs to no organisation.';
grant execute on function jobs.is_checkpoint_due to worker;

create function jobs.newest_checkpoint() returns table (number bigint, tree_size bigint, note text)
language sql stable
security definer set search_path = ''
as $$
  select latest.number, latest.tree_size, latest.note from app.audit_checkpoints latest order by latest.number desc limit 1
$$;
comment on function jobs.newest_checkpoint is 'Instead of row-level security: only worker may execute it. The newest checkpoint, which belongs to no organisation.';
grant execute on function jobs.newest_checkpoint to worker;
