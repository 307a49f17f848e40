/*
 * Verification of the audit log. An entry's hash covers the hash of the previous entry. Changing, removing or inserting
 * an entry therefore requires new hashes for all later entries and the chain head. A chain head recorded elsewhere
 * reveals even that. (docs/specification/audit-log.md, docs/auditing.md)
 */
create function audit.entry_text(
  actor app.audit_actor, key_id uuid, person_id uuid, operator text, reason text, request_id uuid,
  action app.audit_action, resource text, resource_id uuid, changed text[], before json, after json
) returns text
language sql stable parallel safe
as $$
  -- One field per line; quoted where the text may come from outside, so that no value can imitate a line break.
  select format(
    E'%s\n%s\n%s\n%L\n%L\n%s\n%s\n%s\n%s\n%s\n%s\n%s', actor, key_id, person_id, operator, reason, request_id, action,
    resource, resource_id, changed, before, after
  )
$$;
comment on function audit.entry_text is 'The content of an entry as one text.';
grant execute on function audit.entry_text to auditor;

create function audit.entry_hash(previous bytea, organisation_id uuid, sequence bigint, id uuid, content text) returns bytea
language sql stable parallel safe
as $$
  select sha256(previous || convert_to(format(E'%s\n%s\n%s\n%s', organisation_id, sequence, id, content), 'UTF8'))
$$;
comment on function audit.entry_hash is 'SHA-256 of the previous entry''s hash, then organisation, sequence, id and content of this one.';
grant execute on function audit.entry_hash to auditor;

create view audit.chain_heads as
select head.organisation_id, head.sequence, head.entry_id, encode(head.hash, 'hex') as hash
from app.audit_chain_heads head;
comment on view audit.chain_heads is 'The last entry of each organisation''s audit log. A copy elsewhere proves later that nothing up to it was rewritten.';
grant select on audit.chain_heads to auditor;

create view audit.chains as
select chain.organisation_id, head.sequence as head_sequence, head.hash as head_hash, head.entry_id as head_id,
  coalesce(truncation.sequence, 0) as truncated_sequence,
  coalesce(truncation.hash, sha256(convert_to(chain.organisation_id::text, 'UTF8'))) as truncated_hash,
  truncation.entry_id as truncation_id
from (
  select id from app.organisations
  union all
  select '00000000-0000-0000-0000-000000000000' -- the service: changes of its settings
  union all
  select move.organisation_id from app.organisation_moves move -- is in another cluster; its log stays
  where move.state in ('departed', 'moved')
    and not exists (select from app.organisations organisation where organisation.id = move.organisation_id)
  union
  select deletion.organisation_id from app.organisation_deletions deletion -- what is left of its log: the record of its removal
  where not exists (select from app.organisations organisation where organisation.id = deletion.organisation_id)
) chain (organisation_id)
left join app.audit_chain_heads head on head.organisation_id = chain.organisation_id
left join app.audit_truncations truncation on truncation.organisation_id = chain.organisation_id;
comment on view audit.chains is 'The beginning and the head of each organisation''s chain. The service has a chain of its own, under the nil id.';
grant select on audit.chains to auditor;

-- If several entries have one number, the entry that follows from the previous entry counts as genuine.
create view audit.checked_entries as
select checked.organisation_id, checked.sequence, checked.hash, checked.previous_sequence, checked.follows,
  checked.sequence between checked.truncated_sequence + 1 and checked.head_sequence as is_within,
  row_number() over (
    partition by checked.organisation_id, checked.sequence order by checked.follows desc nulls last, checked.id
  ) as copy
from (
  select entry.*, (
    select bool_or(entry.hash = audit.entry_hash(previous, entry.organisation_id, entry.sequence, entry.id, entry.content))
    from unnest(entry.previous_hashes) previous
  ) as follows
  from (
    select entry.organisation_id, entry.id, entry.sequence, entry.hash, audit.entry_text(
        entry.actor, entry.key_id, entry.person_id, entry.operator, entry.reason, entry.request_id, entry.action,
        entry.resource, entry.resource_id, entry.changed, entry.before, entry.after
      ) as content,
      chain.head_sequence, chain.truncated_sequence,
      greatest(lag(entry.sequence) over in_order, chain.truncated_sequence) as previous_sequence,
      case when entry.sequence = chain.truncated_sequence + 1
        then array[chain.truncated_hash]
        else array_agg(entry.hash) over (in_order range between 1 preceding and 1 preceding)
      end as previous_hashes
    from app.audit_log entry
    join audit.chains chain on chain.organisation_id = entry.organisation_id
    window in_order as (partition by entry.organisation_id order by entry.sequence)
  ) entry
) checked;
comment on view audit.checked_entries is 'Every entry, and whether it follows from an entry with the previous number; null after a gap.';

create function audit.is_truncation_proven(organisation uuid, truncated_sequence bigint, truncated_hash bytea, entry uuid)
returns boolean
language sql stable
as $$
  select truncated_sequence = 0 or exists (
    select
    from app.audit_log proof
    where proof.organisation_id = organisation and proof.id = entry and proof.sequence > truncated_sequence
      and proof.resource = 'audit_log' and proof.action = 'deleted'
      and (
        (proof.before ->> 'throughSequence')::bigint = truncated_sequence
          and proof.before ->> 'throughHash' = encode(truncated_hash, 'hex')
        -- The entries of a deleted organisation are removed in parts.
        or proof.before ->> 'deletion' = 'true' and (proof.before ->> 'throughSequence')::bigint > truncated_sequence
      )
  )
$$;
comment on function audit.is_truncation_proven is 'Whether an entry of the chain records that entries up to this one were dropped. For functions of owner only.';

create view audit.unproven_truncations as
select chain.organisation_id, chain.truncated_sequence
from audit.chains chain
where not audit.is_truncation_proven(
  chain.organisation_id, chain.truncated_sequence, chain.truncated_hash, chain.truncation_id
);
comment on view audit.unproven_truncations is 'Chains whose beginning was dropped, and no entry records it.';

create function audit.require_chain(organisation uuid) returns boolean
language sql -- volatile, as audit.refuse
as $$
  select organisation is null or exists (select from audit.chains chain where chain.organisation_id = organisation)
    or audit.refuse(format('There is no organisation %s.', organisation), 'select organisation_id from audit.chain_heads;')
$$;
comment on function audit.require_chain is 'Refuses an unknown organisation. For functions of owner only.';

create function audit.verify_chain(
  organisation uuid default null,
  out organisation_id uuid, out sequence bigint, out last_sequence bigint, out fault text
) returns setof record
language sql stable
security definer set search_path = ''
as $$
  with entries as materialized (
    select * from audit.checked_entries entry
    where (select audit.require_chain(organisation)) and (organisation is null or entry.organisation_id = organisation)
  ), chains as (
    select chain.*, greatest(latest.sequence, chain.truncated_sequence) as latest_sequence,
      case when chain.head_sequence = chain.truncated_sequence then chain.truncated_hash else genuine.hash end as latest_hash
    from audit.chains chain
    left join (select entry.organisation_id, max(entry.sequence) from entries entry group by 1) latest (organisation_id, sequence)
      using (organisation_id)
    left join entries genuine
      on genuine.organisation_id = chain.organisation_id and genuine.sequence = chain.head_sequence and genuine.copy = 1
    where organisation is null or chain.organisation_id = organisation
  )
  select entry.organisation_id, entry.sequence, entry.sequence, case when entry.copy = 1 and entry.is_within then 'altered' else 'inserted' end
  from entries entry
  where entry.copy > 1 or not entry.is_within or entry.is_within and not entry.follows
  union all
  select entry.organisation_id, entry.previous_sequence + 1, entry.sequence - 1, 'removed'
  from entries entry
  where entry.sequence > entry.previous_sequence + 1
  union all
  select chain.organisation_id, chain.latest_sequence + 1, chain.head_sequence, 'removed'
  from chains chain
  where chain.head_sequence > chain.latest_sequence
  union all
  select chain.organisation_id, coalesce(chain.head_sequence, chain.latest_sequence), coalesce(chain.head_sequence, chain.latest_sequence), 'head'
  from chains chain
  where chain.head_hash is null or chain.head_hash <> chain.latest_hash
  union all
  select unproven.organisation_id, 1, unproven.truncated_sequence, 'truncation'
  from audit.unproven_truncations unproven
  where organisation is null or unproven.organisation_id = organisation
$$;
comment on function audit.verify_chain is 'Instead of row-level security: only auditor may execute it. The auditor sees where a chain is broken and no content of it. No row if all chains are intact. Faults: altered (this entry or the previous one), removed, inserted, head for a chain head that does not match its last entry. Truncation: no entry of the chain records that its beginning was dropped.';
grant execute on function audit.verify_chain to auditor;
