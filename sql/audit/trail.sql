/*
 * The trail, as an auditor reads it. An entry's hash covers the hash of the entry before it, so that whoever changes,
 * removes or inserts one would have to write anew every later one and the head; and a head that was noted elsewhere
 * shows that too. (docs/auditing.md, "The trail".)
 */
create function audit.entry_text(
  actor app.audit_actor, key_id uuid, person_id uuid, operator text, reason text, request_id uuid,
  action app.audit_action, resource text, resource_id uuid, changed text[], before json, after json
) returns text
language sql stable parallel safe
as $$
  -- A line each, and each of a form that tells where it ends: what anybody may have written is quoted.
  select format(
    E'%s\n%s\n%s\n%L\n%L\n%s\n%s\n%s\n%s\n%s\n%s\n%s', actor, key_id, person_id, operator, reason, request_id, action,
    resource, resource_id, changed, before, after
  )
$$;
comment on function audit.entry_text is 'What an entry says, as one text.';

create function audit.entry_hash(previous bytea, organisation_id uuid, sequence bigint, id uuid, said text) returns bytea
language sql stable parallel safe
as $$
  select sha256(previous || convert_to(format(E'%s\n%s\n%s\n%s', organisation_id, sequence, id, said), 'UTF8'))
$$;
comment on function audit.entry_hash is 'SHA-256 of the hash of the entry before, followed by where this one stands and what it says.';

create view audit.heads as
select head.organisation_id, head.sequence, head.entry_id, encode(head.hash, 'hex') as hash
from app.audit_heads head;
comment on view audit.heads is 'The last entry of each organisation''s trail. Noted down elsewhere, it proves later that nothing up to it was written anew.';

create function audit.verify_chain(
  organisation uuid default null,
  out organisation_id uuid, out sequence bigint, out last_sequence bigint, out fault text
) returns setof record
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: an auditor, who is told where a chain is broken and nothing of what it holds.
  with
    chains as (
      select held.id as organisation_id, head.sequence as head_sequence, head.hash as head_hash,
        coalesce(cut.sequence, 0) as cut_sequence,
        coalesce(cut.hash, sha256(convert_to(held.id::text, 'UTF8'))) as cut_hash
      from app.organisations held
      left join app.audit_heads head on head.organisation_id = held.id
      left join app.audit_cuts cut on cut.organisation_id = held.id
      where organisation is null or held.id = organisation
    ),
    -- Every entry beside the hashes that stand where the one before it should.
    entries as (
      select entry.organisation_id, entry.id, entry.sequence, entry.hash,
        audit.entry_text(
          entry.actor, entry.key_id, entry.person_id, entry.operator, entry.reason, entry.request_id, entry.action,
          entry.resource, entry.resource_id, entry.changed, entry.before, entry.after
        ) as said,
        chain.head_sequence, chain.head_hash, chain.cut_sequence,
        greatest(lag(entry.sequence) over in_order, chain.cut_sequence) as previous_sequence,
        case when entry.sequence = chain.cut_sequence + 1
          then array[chain.cut_hash]
          else array_agg(entry.hash) over (in_order range between 1 preceding and 1 preceding)
        end as previous_hashes
      from app.audit_trail entry
      join chains chain on chain.organisation_id = entry.organisation_id
      window in_order as (partition by entry.organisation_id order by entry.sequence)
    ),
    checked as (
      select entry.organisation_id, entry.id, entry.sequence, entry.hash, entry.head_sequence, entry.head_hash,
        entry.cut_sequence, entry.previous_sequence,
        (
          select bool_or(
            entry.hash = audit.entry_hash(previous, entry.organisation_id, entry.sequence, entry.id, entry.said)
          )
          from unnest(entry.previous_hashes) previous
        ) as follows -- null after a gap
      from entries entry
    ),
    -- Of entries with one number, one that follows from the one before is taken for the real one.
    counted as (
      select checked.*,
        row_number() over (
          partition by checked.organisation_id, checked.sequence order by checked.follows desc nulls last, checked.id
        ) as copy
      from checked
    )
  select entry.organisation_id, entry.sequence, entry.sequence, 'altered'
  from counted entry
  where not entry.follows and entry.copy = 1 and entry.sequence between entry.cut_sequence + 1 and entry.head_sequence
  union all
  select entry.organisation_id, entry.sequence, entry.sequence, 'inserted'
  from counted entry
  where entry.copy > 1 or entry.sequence <= entry.cut_sequence or entry.sequence > entry.head_sequence
  union all
  select entry.organisation_id, entry.previous_sequence + 1, entry.sequence - 1, 'removed'
  from counted entry
  where entry.sequence > entry.previous_sequence + 1
  union all
  select chain.organisation_id, greatest(latest.sequence, chain.cut_sequence) + 1, chain.head_sequence, 'removed'
  from chains chain
  left join (
    select entry.organisation_id, max(entry.sequence) as sequence from counted entry group by entry.organisation_id
  ) latest using (organisation_id)
  where chain.head_sequence > greatest(latest.sequence, chain.cut_sequence)
  union all
  select chain.organisation_id, chain.head_sequence, chain.head_sequence, 'head'
  from chains chain
  left join counted entry
    on entry.organisation_id = chain.organisation_id and entry.sequence = chain.head_sequence and entry.copy = 1
  where chain.head_hash is null
    or chain.head_hash <> case when chain.head_sequence = chain.cut_sequence then chain.cut_hash else entry.hash end
$$;
comment on function audit.verify_chain is 'Instead of row-level security: an auditor, who is told where a chain is broken and nothing of what it holds. No row where all entries stand: altered (or the one before was), removed, inserted, or a head that does not belong to its last entry.';
