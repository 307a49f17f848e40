/* Entries for the checkpoint job: their numbers and hashes, without their content. */
/*
 * The functions return a row for consecutive entries, not for each entry, which costs the job less than half. `faulty`
 * lists the entries that do not follow from the previous one; null if there are none.
 */

-- The lag is over the entries that were read: the first follows the last entry in the tree.
create function jobs.linked_entries(organisations uuid[], max_entries integer)
returns table (
  organisation_id uuid, id uuid, sequence bigint, hash bytea, previous_sequence bigint, previous_hash bytea, follows boolean,
  is_allowed boolean
)
language sql stable
as $$
  select chain.organisation_id, added.id, added.sequence, added.hash,
    greatest(lag(added.sequence) over in_order, chain.logged_sequence), coalesce(lag(added.hash) over in_order, chain.logged_hash),
    added.hash = audit.entry_hash(
      coalesce(lag(added.hash) over in_order, chain.logged_hash), chain.organisation_id, added.sequence, added.id, added.content
    ), added.is_allowed
  from audit.logged_chains chain
  cross join lateral (
    select candidate.id, candidate.sequence, candidate.hash, audit.content_of(candidate) as content,
      candidate.resource <> 'audit_log' or candidate.action <> 'deleted' or chain.logged_id is null
        or audit.is_truncation_valid(candidate) as is_allowed
    from app.audit_log candidate
    where candidate.organisation_id = chain.organisation_id
      and candidate.id > case when chain.logged_id is null then '00000000-0000-0000-0000-000000000000' else chain.logged_id end -- as in audit.chain_ends
    order by candidate.id
    limit max_entries
  ) added
  where chain.organisation_id = any (organisations) and chain.head_sequence is distinct from chain.logged_sequence
  window in_order as (partition by chain.organisation_id order by added.id)
  order by chain.organisation_id, added.id
  limit max_entries
$$;
comment on function jobs.linked_entries is 'Entries of these chains that are not in the tree, each with the number and hash of the previous one. For functions of owner only.';

create function jobs.unlogged_entries(organisations uuid[], max_entries integer)
returns table (
  organisation_id uuid, first_sequence bigint, last_sequence bigint, first_id uuid, last_id uuid, previous_hash bytea,
  hashes bytea, faulty json
)
language sql stable
security definer set search_path = ''
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
  select entry.organisation_id, min(entry.sequence), max(entry.sequence), (array_agg(entry.id order by entry.id))[1],
    (array_agg(entry.id order by entry.id))[count(*)], (array_agg(entry.previous_hash order by entry.id))[1],
    string_agg(entry.hash, '' order by entry.id),
    json_agg(
      json_build_object(
        'sequence', entry.sequence, 'previous', entry.previous_sequence, 'follows', entry.follows, 'isAllowed', entry.is_allowed
      ) order by entry.id
    ) filter (where entry.sequence <> entry.previous_sequence + 1 or not entry.follows or not entry.is_allowed)
  from (
    select linked.*, linked.sequence - row_number() over (partition by linked.organisation_id order by linked.id) as run
    from jobs.linked_entries(organisations, max_entries) linked
  ) entry
  group by entry.organisation_id, entry.run
  order by entry.organisation_id, 4
$$;
comment on function jobs.unlogged_entries is 'Instead of row-level security: only worker may execute it. Ids, numbers and hashes of entries of all organisations, without their content. Entries of these chains that are not in the tree, in the order of each chain.';
grant execute on function jobs.unlogged_entries to worker;

-- Whole runs of leaves, until they hold this many entries; with all entries between the previous run and the end of each.
create function jobs.runs_of_leaves(from_index bigint, max_entries integer)
returns table (
  first_index bigint, organisation_id uuid, first_sequence bigint, last_sequence bigint, after_id uuid, last_id uuid,
  begin_sequence bigint, begin_hash bytea
)
language sql stable
as $$
  select run.first_index, run.organisation_id, run.first_sequence, run.last_sequence,
    case when before.last_id is null then '00000000-0000-0000-0000-000000000000' else before.last_id end, run.last_id, greatest(run.first_sequence - 1, truncation.sequence),
    case when truncation.sequence >= run.first_sequence then truncation.hash else run.previous_hash end
  from (
    select listed.*, sum(listed.last_sequence - listed.first_sequence + 1) over (order by listed.first_index) as entries
    from (select * from app.audit_leaves leaves where leaves.first_index >= from_index order by leaves.first_index limit max_entries) listed
  ) run
  left join app.audit_truncations truncation on truncation.organisation_id = run.organisation_id
  left join lateral (
    select earlier.last_id
    from app.audit_leaves earlier
    where earlier.organisation_id = run.organisation_id and earlier.first_id < run.first_id
    order by earlier.first_id desc
    limit 1
  ) before on true
  where run.entries - (run.last_sequence - run.first_sequence + 1) < max_entries
$$;
comment on function jobs.runs_of_leaves is 'Runs of leaves from this one on, and the entry that each begins after. For functions of owner only.';

create function jobs.logged_entries(from_index bigint, max_entries integer)
returns table (
  first_index bigint, organisation_id uuid, first_sequence bigint, last_sequence bigint, begin_sequence bigint,
  hashes bytea, faulty json, present json
)
language sql stable
security definer set search_path = ''
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
  select run.first_index, run.organisation_id, run.first_sequence, run.last_sequence, run.begin_sequence,
    string_agg(entry.hash, '' order by entry.id),
    json_agg(
      json_build_object('sequence', entry.sequence, 'previous', entry.previous_sequence, 'follows', entry.follows, 'isAllowed', true)
      order by entry.id
    ) filter (where entry.sequence <> entry.previous_sequence + 1 or not entry.follows),
    case when count(entry.id) <> greatest(run.last_sequence - run.begin_sequence, 0)
      or bool_or(entry.sequence <> entry.previous_sequence + 1) then json_agg(entry.sequence order by entry.id) end
  from jobs.runs_of_leaves(from_index, max_entries) run
  left join lateral (
    select present.id, present.sequence, present.hash,
      greatest(lag(present.sequence) over in_order, run.begin_sequence) as previous_sequence,
      present.hash = audit.entry_hash(
        coalesce(lag(present.hash) over in_order, run.begin_hash), run.organisation_id, present.sequence, present.id, present.content
      ) as follows
    from (
      select entry.id, entry.sequence, entry.hash, audit.content_of(entry) as content
      from app.audit_log entry
      where entry.organisation_id = run.organisation_id and entry.id > run.after_id and entry.id <= run.last_id
    ) present
    window in_order as (order by present.id)
  ) entry on true
  group by run.first_index, run.organisation_id, run.first_sequence, run.last_sequence, run.begin_sequence
  order by run.first_index
$$;
comment on function jobs.logged_entries is 'Instead of row-level security: only worker may execute it. Numbers and hashes of entries of all organisations, without their content. Entries of leaves from this one on; present lists the numbers where they are not consecutive or not all there.';
grant execute on function jobs.logged_entries to worker;

/*
 * Rows of the log and of the tree are never updated or deleted, chain heads and truncations are never deleted. No entry
 * is added to a past week. So these counters of PostgreSQL change only by an administrator's hand, or with the statistics
 * themselves after a crash.
 */
create function jobs.count_rewrites() returns table (relation bigint, name text, rewrites bigint, late bigint)
language sql stable
security definer set search_path = ''
as $$
  select relation.oid::bigint, relation.relname::text, pg_catalog.pg_stat_get_tuples_deleted(relation.oid)
      + case when relation.oid in ('app.audit_chain_heads'::regclass, 'app.audit_truncations'::regclass)
        then 0 else pg_catalog.pg_stat_get_tuples_updated(relation.oid) end,
    case when to_date(substring(relation.relname from '_(\d{8})$'), 'YYYYMMDD') + 8 < now()
      then pg_catalog.pg_stat_get_tuples_inserted(relation.oid) end
  from pg_catalog.pg_class relation
  left join pg_catalog.pg_inherits inheritance on inheritance.inhrelid = relation.oid
  where inheritance.inhparent = 'app.audit_log'::regclass
    or relation.oid in (
      'app.audit_tiles'::regclass, 'app.audit_leaves'::regclass, 'app.audit_checkpoints'::regclass, 'app.audit_cosignatures'::regclass,
      'app.audit_chain_heads'::regclass, 'app.audit_truncations'::regclass
    )
  union all
  select 0, '', 0, coalesce(extract(epoch from pg_catalog.pg_stat_get_db_stat_reset_time(database.oid)), 0)::bigint
  from pg_catalog.pg_database database
  where database.datname = current_database()
$$;
comment on function jobs.count_rewrites is 'Instead of row-level security: only worker may execute it. Statistics, and no row. How often rows of the log and of the tree were changed or deleted, and how many were added to a past week. As relation 0 when the statistics were reset.';
grant execute on function jobs.count_rewrites to worker;
