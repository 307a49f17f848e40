/* Checkpoints, proofs, truncations, retention and faults for auditors. None of it contains text of entries. */
create view audit.checkpoints as
select checkpoint.number, checkpoint.created_at, checkpoint.tree_size, encode(checkpoint.root, 'hex') as root,
  checkpoint.public_key, checkpoint.note || coalesce(cosignature.lines, '') as note, coalesce(cosignature.witnesses, '{}') as witnesses
from app.audit_checkpoints checkpoint
left join lateral (
  select string_agg(cosigned.line, '' order by cosigned.witness) as lines, array_agg(cosigned.witness order by cosigned.witness) as witnesses
  from app.audit_cosignatures cosigned
  where cosigned.checkpoint = checkpoint.number
) cosignature on true;
comment on view audit.checkpoints is 'Signed heads of the tree, with the signatures of witnesses.';
grant select on audit.checkpoints to auditor;

create view audit.tiles as
select part.level, part.tile, string_agg(part.hashes, '' order by part.position) as hashes
from app.audit_tiles part
group by part.level, part.tile;
comment on view audit.tiles is 'The tree: tiles of up to 256 hashes (C2SP tlog-tiles).';
grant select on audit.tiles to auditor;

create view audit.leaves as
select leaves.organisation_id, leaves.first_sequence, leaves.last_sequence, leaves.first_index, leaves.first_id, leaves.last_id
from app.audit_leaves leaves;
comment on view audit.leaves is 'The entries of the leaves of the tree.';
grant select on audit.leaves to auditor;

create view audit.entry_hashes as
select entry.organisation_id, entry.sequence, entry.id, entry.hash
from app.audit_log entry;
comment on view audit.entry_hashes is 'The hash of each entry, without its content.';
grant select on audit.entry_hashes to auditor;

create view audit.truncations as
select truncation.organisation_id, truncation.sequence, encode(truncation.hash, 'hex') as hash, truncation.entry_id,
  uuid_extract_timestamp(truncation.entry_id) as recorded_at, truncation.next_sequence, truncation.next_entry_id
from app.audit_truncations truncation
where truncation.sequence > 0 or truncation.next_sequence is not null;
comment on view audit.truncations is 'The last dropped entry of each chain, the entry that records it, and the next week to drop.';
grant select on audit.truncations to auditor;

create view audit.retention as
select entry.created_at as changed_at, entry.sequence, entry.actor::text as actor, entry.operator,
  entry.before ->> 'auditRetention' as before, entry.after ->> 'auditRetention' as after
from app.audit_log entry
where entry.organisation_id = '00000000-0000-0000-0000-000000000000' and entry.resource = 'service'
  and 'auditRetention' = any (entry.changed)
union all
select null, null, null, null, null, settings.audit_retention::text
from app.service_settings settings;
comment on view audit.retention is 'Changes of the retention of the audit log. The row without a time is the present setting.';
grant select on audit.retention to auditor;

create view audit.log_faults as
select fault.organisation_id, fault.fault, fault.sequence, fault.last_sequence, fault.first_found_at, fault.last_found_at,
  fault.accepted_at, fault.accepted_by, fault.accepted_reason,
  fault.accepted_at is null and fault.last_found_at > coalesce(tree.checked_at, '-infinity') as is_open
from app.audit_faults fault
cross join app.audit_tree tree;
comment on view audit.log_faults is 'Faults that the checkpoint job found. It signs nothing while one is open: found by its last run, and not accepted by an operator.';
grant select on audit.log_faults to auditor;

create function audit.proof(organisation uuid, entry_sequence bigint)
returns table (leaf text, leaf_index bigint, leaf_hash bytea, tree_size bigint, hashes bytea[], checkpoint text)
language sql stable
security definer set search_path = ''
as $$
  select case when entry.hash is not null then audit.leaf_data(organisation, entry_sequence, entry.hash) end, place.index, audit.hash_of_complete(place.index, 1),
    head.tree_size, audit.inclusion_hashes(place.index, head.tree_size), head.note
  from (select * from audit.checkpoints latest order by latest.number desc limit 1) head
  cross join lateral (
    select leaves.first_index + entry_sequence - leaves.first_sequence as index, leaves.first_id, leaves.last_id
    from app.audit_leaves leaves
    where leaves.organisation_id = organisation and entry_sequence between leaves.first_sequence and leaves.last_sequence
    order by leaves.first_id desc
    limit 1
  ) place
  left join app.audit_log entry
    on entry.organisation_id = organisation and entry.id between place.first_id and place.last_id and entry.sequence = entry_sequence
$$;
comment on function audit.proof is 'Instead of row-level security: only auditor may execute it. The API passes the organisation of the request. The inclusion proof of an entry in the newest checkpoint; no row if it is in none. The leaf is null if retention has dropped the entry.';
grant execute on function audit.proof to auditor;

create function audit.consistency(old_size bigint)
returns table (tree_size bigint, hashes bytea[], checkpoint text)
language sql stable
security definer set search_path = ''
as $$
  select latest.tree_size, audit.consistency_hashes(old_size, latest.tree_size), latest.note
  from (select * from audit.checkpoints newest order by newest.number desc limit 1) latest
  where coalesce(old_size between 0 and latest.tree_size, false) or audit.refuse(
    format('No checkpoint has the size %s.', coalesce(old_size::text, 'null')), format('The newest has %s leaves.', latest.tree_size)
  )
$$;
comment on function audit.consistency is 'Instead of row-level security: only auditor may execute it. Reads hashes of the tree only. The proof that the newest checkpoint extends the tree of its first leaves.';
grant execute on function audit.consistency to auditor;
