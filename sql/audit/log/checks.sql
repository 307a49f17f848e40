/*
 * Checks of chains that read a few entries for each organisation. The checkpoint job makes them before it signs;
 * audit.verify_chain reads whole chains.
 */
create view audit.logged_chains as
select chain.*, logged.first_id as run_id, logged.first_sequence as run_sequence, logged.previous_hash as run_previous_hash,
  logged.last_id as logged_id, oldest.first_id,
  coalesce(logged.last_sequence, chain.truncated_sequence) as logged_sequence, coalesce(logged.last_hash, chain.truncated_hash) as logged_hash
from audit.chains chain
left join lateral (
  select leaves.*
  from app.audit_leaves leaves
  where leaves.organisation_id = chain.organisation_id
  order by leaves.first_id desc
  limit 1
) logged on true
left join lateral (
  select leaves.first_id
  from app.audit_leaves leaves
  where leaves.organisation_id = chain.organisation_id
  order by leaves.first_id
  limit 1
) oldest on true;
comment on view audit.logged_chains is 'Chains, and the last and the first entry of each that is in the tree. Before the first one: where the chain begins. The run of leaves that ends with the last entry begins with run_sequence.';
grant select on audit.logged_chains to auditor;

create function audit.content_of(entry app.audit_log) returns text
language sql stable
as $$
  select audit.entry_text(
    entry.actor, entry.key_id, entry.person_id, entry.operator, entry.reason, entry.request_id, entry.action,
    entry.resource, entry.resource_id, entry.changed, entry.before, entry.after
  )
$$;
comment on function audit.content_of is 'The content of an entry as one text. For functions of owner only.';

-- One statement for all chains: a function for each chain would start a scan of every partition each time. Not by coalesce,
-- which would not be leakproof: as a filter behind the policy, it would read all entries of the organisation.
create view audit.chain_ends as
select chain.*, coalesce(
    latest.sequence, case when chain.logged_id is null then chain.truncated_sequence else chain.logged_sequence - 1 end
  ) as latest_sequence,
  case when latest.id is null then chain.logged_id is not null or chain.truncated_hash = chain.head_hash
    else latest.id = chain.head_id and latest.hash = chain.head_hash end as is_head,
  first.sequence as first_sequence, first.hash = audit.entry_hash(
    chain.truncated_hash, chain.organisation_id, first.sequence, first.id, first.content
  ) as first_follows,
  chain.logged_id is null or logged.id is not null as has_logged,
  logged.sequence = chain.logged_sequence and logged.hash = chain.logged_hash and logged.hash = audit.entry_hash(
    case when chain.truncated_sequence = chain.logged_sequence - 1 then chain.truncated_hash else coalesce(previous.hash, chain.run_previous_hash) end,
    chain.organisation_id, logged.sequence, logged.id, logged.content
  ) as logged_follows
from audit.logged_chains chain
left join lateral (
  select entry.id, entry.sequence, entry.hash
  from app.audit_log entry
  where entry.organisation_id = chain.organisation_id and entry.id >= case when chain.logged_id is null then '00000000-0000-0000-0000-000000000000' else chain.logged_id end
  order by entry.id desc
  limit 1
) latest on true
left join lateral (
  select entry.id, entry.sequence, entry.hash, audit.content_of(entry) as content
  from app.audit_log entry
  where entry.organisation_id = chain.organisation_id
    and entry.id >= case when chain.first_id is null then '00000000-0000-0000-0000-000000000000' else chain.first_id end -- skips partitions from before
  order by entry.id
  limit 1
) first on true
left join lateral (
  select entry.id, entry.sequence, entry.hash, audit.content_of(entry) as content
  from app.audit_log entry
  where entry.organisation_id = chain.organisation_id and entry.id = chain.logged_id
  limit 1 -- else PostgreSQL joins with all entries of the organisation
) logged on true
left join lateral (
  select entry.hash
  from app.audit_log entry
  where entry.organisation_id = chain.organisation_id and entry.id < chain.logged_id and entry.id >= chain.run_id
  order by entry.id desc
  limit 1
) previous on true;
comment on view audit.chain_ends is 'Chains with their newest entry, their oldest entry and the last entry that is in the tree: whether the newest entry equals the chain head, and the others follow from the entry before.';

/*
 * - The newest entry must equal the chain head.
 * - The oldest entry must follow from the truncation, or from nothing.
 * - The last entry in the tree must be there, with the hash that was logged and the content of that hash.
 */
create view audit.end_faults as
select chain.organisation_id, found.sequence, found.last_sequence, found.fault
from audit.chain_ends chain
cross join lateral (
  select chain.latest_sequence + 1, chain.head_sequence, 'removed' where chain.latest_sequence < chain.head_sequence
  union all
  select chain.head_sequence + 1, chain.latest_sequence, 'inserted' where chain.latest_sequence > chain.head_sequence
  union all
  select coalesce(chain.head_sequence, chain.latest_sequence), coalesce(chain.head_sequence, chain.latest_sequence), 'head'
  where chain.head_sequence is null or chain.latest_sequence = chain.head_sequence and not chain.is_head
  union all
  select chain.truncated_sequence + 1, chain.first_sequence - 1, 'removed' where chain.first_sequence > chain.truncated_sequence + 1
  union all
  select chain.first_sequence, chain.truncated_sequence, 'inserted' where chain.first_sequence <= chain.truncated_sequence
  union all
  select chain.first_sequence, chain.first_sequence, 'altered' where chain.first_sequence = chain.truncated_sequence + 1 and not chain.first_follows
  union all
  select 1, chain.truncated_sequence, 'truncation'
  where chain.truncated_sequence > 0 and not audit.is_truncation_proven(
    chain.organisation_id, chain.truncated_sequence, chain.truncated_hash, chain.truncation_id
  )
  union all
  select chain.logged_sequence, chain.logged_sequence, 'removed' where not chain.has_logged
  union all
  select chain.logged_sequence, chain.logged_sequence, 'altered' where not chain.logged_follows
) found (sequence, last_sequence, fault);
comment on view audit.end_faults is 'Faults at the beginning and the end of chains.';

create function audit.verify_ends(
  out organisation_id uuid, out sequence bigint, out last_sequence bigint, out fault text
) returns setof record
language sql stable
security definer set search_path = ''
set enable_seqscan = off
as $$ select ends.organisation_id, ends.sequence, ends.last_sequence, ends.fault from audit.end_faults ends $$;
comment on function audit.verify_ends is 'Instead of row-level security: only auditor may execute it. The auditor sees no content. Faults at the beginning and the end of chains, also of the last entries in the tree.';
grant execute on function audit.verify_ends to auditor;

create function audit.logged_retention() returns interval
language sql stable
as $$
  select coalesce(
    (
      select coalesce(entry.after ->> 'auditRetention', entry.before ->> 'retention')::interval
      from app.audit_log entry
      where entry.organisation_id = '00000000-0000-0000-0000-000000000000'
        and ('auditRetention' = any (entry.changed) or entry.resource = 'audit_log' and entry.action = 'deleted')
      order by entry.id desc
      limit 1
    ),
    '1 year' -- the default of the column
  )
$$;
comment on function audit.logged_retention is 'The retention that the chain of the service records last: a change of the setting, or a truncation under it. For functions of owner only.';

create function audit.is_retention_recorded() returns boolean
language sql stable
security definer set search_path = ''
as $$ select settings.audit_retention = audit.logged_retention() from app.service_settings settings $$;
comment on function audit.is_retention_recorded is 'Instead of row-level security: only auditor may execute it. A setting of the service. Whether the retention equals the value that the chain of the service records last.';
grant execute on function audit.is_retention_recorded to auditor;

-- A deletion also needs the entry of the operator who scheduled it, unless retention has dropped it.
create function audit.is_deletion_scheduled(organisation uuid) returns boolean
language sql stable
as $$
  select coalesce(
    (
      select entry.actor = 'operator' and entry.after ->> 'deletionAt' is not null
      from app.audit_log entry
      where entry.organisation_id = organisation and entry.resource = 'organisation' and 'deletionAt' = any (entry.changed)
      order by entry.id desc
      limit 1
    ),
    (select truncation.sequence > 0 from app.audit_truncations truncation where truncation.organisation_id = organisation),
    false
  )
$$;
comment on function audit.is_deletion_scheduled is 'Whether an operator scheduled the deletion of the organisation last, by its audit log. For functions of owner only.';

-- The check comes before the entries are dropped: the last dropped entry must be there, be named by this entry, and be old enough.
create function audit.is_truncation_valid(entry app.audit_log) returns boolean
language sql stable
as $$
  select entry.actor = 'worker' and exists (
    select
    from app.audit_log last
    where last.organisation_id = entry.organisation_id and last.id = (entry.before ->> 'throughId')::uuid
      and last.sequence = (entry.before ->> 'throughSequence')::bigint
      and encode(last.hash, 'hex') = entry.before ->> 'throughHash'
      and (
        last.created_at < uuid_extract_timestamp(entry.id) - (entry.before ->> 'retention')::interval
        or entry.before ->> 'deletion' = 'true'
      )
  ) and case when entry.before ->> 'deletion' = 'true' then audit.is_deletion_scheduled(entry.organisation_id)
    else (entry.before ->> 'retention')::interval = audit.logged_retention() end
$$;
comment on function audit.is_truncation_valid is 'Whether the entry of a truncation names the last entry that it drops, and that is past the retention, or its organisation is being deleted. For functions of owner only.';
