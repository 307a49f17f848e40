/*
 * Checks of chains that read a few entries for each organisation. The checkpoint job makes them before it signs;
 * audit.verify_chain reads whole chains.
 */
create view audit.logged_chains as
select chain.*, logged.last_id as logged_id, logged.first_id, coalesce(logged.last_sequence, chain.truncated_sequence) as logged_sequence,
  coalesce(logged.last_hash, chain.truncated_hash) as logged_hash
from audit.chains chain
left join lateral (
  select leaves.last_id, leaves.last_sequence, leaves.last_hash, (
      select oldest.first_id
      from app.audit_leaves oldest
      where oldest.organisation_id = chain.organisation_id
      order by oldest.first_id
      limit 1
    ) as first_id
  from app.audit_leaves leaves
  where leaves.organisation_id = chain.organisation_id
  order by leaves.first_id desc
  limit 1
) logged on true;
comment on view audit.logged_chains is 'Chains, and the last and the first entry of each that is in the tree. Before the first one: where the chain begins.';

create function audit.entry_follows(entry app.audit_log, previous bytea) returns boolean
language sql stable
as $$
  select entry.hash = audit.entry_hash(previous, entry.organisation_id, entry.sequence, entry.id, audit.entry_text(
    entry.actor, entry.key_id, entry.person_id, entry.operator, entry.reason, entry.request_id, entry.action,
    entry.resource, entry.resource_id, entry.changed, entry.before, entry.after
  ))
$$;
comment on function audit.entry_follows is 'Whether the hash of an entry fits its content and the hash of the previous entry. For functions of owner only.';

-- The last entry must be that of the chain head.
create function audit.end_fault(chain audit.logged_chains, out sequence bigint, out last_sequence bigint, out fault text)
language plpgsql stable
as $$
declare
  latest app.audit_log;
begin
  select * into latest
  from app.audit_log entry
  where entry.organisation_id = chain.organisation_id and entry.id >= coalesce(chain.logged_id, '00000000-0000-0000-0000-000000000000')
  order by entry.id desc
  limit 1;
  latest.sequence := coalesce(latest.sequence, case when chain.logged_id is null then chain.truncated_sequence else chain.logged_sequence - 1 end);
  if chain.head_sequence is null then
    select coalesce(latest.sequence, 0), coalesce(latest.sequence, 0), 'head' into sequence, last_sequence, fault;
  elsif latest.sequence < chain.head_sequence then
    select latest.sequence + 1, chain.head_sequence, 'removed' into sequence, last_sequence, fault;
  elsif latest.sequence > chain.head_sequence then
    select chain.head_sequence + 1, latest.sequence, 'inserted' into sequence, last_sequence, fault;
  elsif coalesce(latest.hash, case when chain.logged_id is null then chain.truncated_hash else chain.head_hash end) <> chain.head_hash then
    select chain.head_sequence, chain.head_sequence, 'head' into sequence, last_sequence, fault;
  end if;
end
$$;
comment on function audit.end_fault is 'How the end of a chain differs from its chain head. For functions of owner only.';

-- The first retained entry must follow from the truncation, or from nothing.
create function audit.beginning_fault(chain audit.logged_chains, out sequence bigint, out last_sequence bigint, out fault text)
language plpgsql stable
as $$
declare
  first app.audit_log;
begin
  select * into first
  from app.audit_log entry
  where entry.organisation_id = chain.organisation_id
    and entry.id >= coalesce(chain.first_id, '00000000-0000-0000-0000-000000000000') -- skips partitions from before
  order by entry.id
  limit 1;
  if first.sequence > chain.truncated_sequence + 1 then
    select chain.truncated_sequence + 1, first.sequence - 1, 'removed' into sequence, last_sequence, fault;
  elsif first.sequence <= chain.truncated_sequence then
    select first.sequence, chain.truncated_sequence, 'inserted' into sequence, last_sequence, fault;
  elsif not audit.entry_follows(first, chain.truncated_hash) then
    select first.sequence, first.sequence, 'altered' into sequence, last_sequence, fault;
  elsif not audit.is_truncation_proven(
    chain.organisation_id, chain.truncated_sequence, chain.truncated_hash, chain.truncation_id
  ) then
    select 1, chain.truncated_sequence, 'truncation' into sequence, last_sequence, fault;
  end if;
end
$$;
comment on function audit.beginning_fault is 'What is wrong with the beginning of a chain. For functions of owner only.';

-- The last entry in the tree must be there, with the hash that was logged and the content of that hash.
create function audit.logged_fault(chain audit.logged_chains, out sequence bigint, out last_sequence bigint, out fault text)
language plpgsql stable
as $$
declare
  logged app.audit_log;
  previous bytea;
begin
  select * into logged from app.audit_log entry where entry.organisation_id = chain.organisation_id and entry.id = chain.logged_id;
  select entry.hash into previous
  from app.audit_log entry
  where entry.organisation_id = chain.organisation_id and entry.id < chain.logged_id and entry.id >= chain.first_id
  order by entry.id desc
  limit 1;
  if logged.id is null then
    select chain.logged_sequence, chain.logged_sequence, 'removed' into sequence, last_sequence, fault;
  elsif logged.sequence <> chain.logged_sequence or logged.hash <> chain.logged_hash
    or not audit.entry_follows(logged, coalesce(previous, chain.truncated_hash)) then
    select chain.logged_sequence, chain.logged_sequence, 'altered' into sequence, last_sequence, fault;
  end if;
end
$$;
comment on function audit.logged_fault is 'What is wrong with the last entry of a chain that is in the tree. For functions of owner only.';

create function audit.logged_ends(out organisation_id uuid, out sequence bigint, out fault text) returns setof record
language sql stable
security definer set search_path = ''
as $$
  select chain.organisation_id, logged.sequence, logged.fault
  from audit.logged_chains chain, audit.logged_fault(chain) logged
  where chain.logged_sequence > chain.truncated_sequence and chain.logged_id is not null and logged.fault is not null
$$;
comment on function audit.logged_ends is 'Instead of row-level security: an auditor, who sees no content. Chains whose last entry in the tree is missing or altered.';
grant execute on function audit.logged_ends to auditor;

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
comment on function audit.is_retention_recorded is 'Instead of row-level security: a setting of the service. Whether the retention is the one that the chain of the service records last.';
grant execute on function audit.is_retention_recorded to auditor;

-- The check comes before the entries are dropped: the last one must be there, be the one that the entry names, and be old enough.
create function audit.is_truncation_valid(entry app.audit_log) returns boolean
language sql stable
as $$
  select entry.actor = 'worker' and exists (
    select
    from app.audit_log last
    where last.organisation_id = entry.organisation_id and last.id = (entry.before ->> 'throughId')::uuid
      and last.sequence = (entry.before ->> 'throughSequence')::bigint
      and encode(last.hash, 'hex') = entry.before ->> 'throughHash'
      and last.created_at < uuid_extract_timestamp(entry.id) - (entry.before ->> 'retention')::interval
  ) and (entry.before ->> 'retention')::interval = audit.logged_retention()
$$;
comment on function audit.is_truncation_valid is 'Whether the entry of a truncation names the last entry that it drops, and that is past the retention. For functions of owner only.';
