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
comment on view audit.chain_heads is 'The last entry of each organisation''s audit log. Recorded elsewhere, it later proves that nothing up to it was rewritten.';
grant select on audit.chain_heads to auditor;

create function audit.verify_chain(
  organisation uuid default null,
  out organisation_id uuid, out sequence bigint, out last_sequence bigint, out fault text
) returns setof record
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: an auditor, who sees where a chain is broken and no content of it.
  with
    chains as (
      select organisations.id as organisation_id, head.sequence as head_sequence, head.hash as head_hash,
        coalesce(truncation.sequence, 0) as truncated_sequence,
        coalesce(truncation.hash, sha256(convert_to(organisations.id::text, 'UTF8'))) as truncated_hash
      from app.organisations
      left join app.audit_chain_heads head on head.organisation_id = organisations.id
      left join app.audit_truncations truncation on truncation.organisation_id = organisations.id
      where organisation is null or organisations.id = organisation
    ),
    -- Every entry with the hashes found at the previous sequence number.
    entries as (
      select entry.organisation_id, entry.id, entry.sequence, entry.hash,
        audit.entry_text(
          entry.actor, entry.key_id, entry.person_id, entry.operator, entry.reason, entry.request_id, entry.action,
          entry.resource, entry.resource_id, entry.changed, entry.before, entry.after
        ) as content,
        chain.head_sequence, chain.head_hash, chain.truncated_sequence,
        greatest(lag(entry.sequence) over in_order, chain.truncated_sequence) as previous_sequence,
        case when entry.sequence = chain.truncated_sequence + 1
          then array[chain.truncated_hash]
          else array_agg(entry.hash) over (in_order range between 1 preceding and 1 preceding)
        end as previous_hashes
      from app.audit_log entry
      join chains chain on chain.organisation_id = entry.organisation_id
      window in_order as (partition by entry.organisation_id order by entry.sequence)
    ),
    checked as (
      select entry.organisation_id, entry.id, entry.sequence, entry.hash, entry.head_sequence, entry.head_hash,
        entry.truncated_sequence, entry.previous_sequence,
        (
          select bool_or(
            entry.hash = audit.entry_hash(previous, entry.organisation_id, entry.sequence, entry.id, entry.content)
          )
          from unnest(entry.previous_hashes) previous
        ) as follows -- null after a gap
      from entries entry
    ),
    -- Of several entries with one number, the one that follows from the previous entry counts as genuine.
    counted as (
      select checked.*,
        row_number() over (
          partition by checked.organisation_id, checked.sequence order by checked.follows desc nulls last, checked.id
        ) as copy
      from checked
    )
  select entry.organisation_id, entry.sequence, entry.sequence, 'altered'
  from counted entry
  where not entry.follows and entry.copy = 1 and entry.sequence between entry.truncated_sequence + 1 and entry.head_sequence
  union all
  select entry.organisation_id, entry.sequence, entry.sequence, 'inserted'
  from counted entry
  where entry.copy > 1 or entry.sequence <= entry.truncated_sequence or entry.sequence > entry.head_sequence
  union all
  select entry.organisation_id, entry.previous_sequence + 1, entry.sequence - 1, 'removed'
  from counted entry
  where entry.sequence > entry.previous_sequence + 1
  union all
  select chain.organisation_id, greatest(latest.sequence, chain.truncated_sequence) + 1, chain.head_sequence, 'removed'
  from chains chain
  left join (
    select entry.organisation_id, max(entry.sequence) as sequence from counted entry group by entry.organisation_id
  ) latest using (organisation_id)
  where chain.head_sequence > greatest(latest.sequence, chain.truncated_sequence)
  union all
  select chain.organisation_id, chain.head_sequence, chain.head_sequence, 'head'
  from chains chain
  left join counted entry
    on entry.organisation_id = chain.organisation_id and entry.sequence = chain.head_sequence and entry.copy = 1
  where chain.head_hash is null
    or chain.head_hash
      <> case when chain.head_sequence = chain.truncated_sequence then chain.truncated_hash else entry.hash end
$$;
comment on function audit.verify_chain is 'Instead of row-level security: an auditor, who sees where a chain is broken and no content of it. No row if all chains are intact. Faults: altered (this entry or the previous one), removed, inserted, and head for a chain head that does not match its last entry.';
grant execute on function audit.verify_chain to auditor;
