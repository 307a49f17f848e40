/* Faults of the audit log, as the checkpoint job finds them. */
/*
 * A head or truncation that was written by a transaction from `since` on has a younger xmin. A savepoint
 * has a number of its own, which is never smaller than the number of its transaction.
 */
create function jobs.changed_chains(since xid8) returns table (organisation_id uuid)
language sql stable
as $$
  select head.organisation_id from app.audit_chain_heads head where age(head.xmin) <= age(since::xid)
  union all
  select truncation.organisation_id from app.audit_truncations truncation where age(truncation.xmin) <= age(since::xid)
  union all
  select fault.organisation_id from audit.log_faults fault where fault.is_open
$$;
comment on function jobs.changed_chains is 'Chains whose head or truncation was written since then, and chains with an open fault. For functions of owner only.';

create function jobs.chains_to_check(
  since xid8, after uuid, max_organisations integer, out organisations uuid[], out next uuid
)
language plpgsql stable
security definer set search_path = ''
as $$
begin
  -- Another server, such as one restored from a backup, has smaller numbers.
  if since <= pg_snapshot_xmin(pg_current_snapshot()) then
    organisations := array(select changed.organisation_id from jobs.changed_chains(since) changed);
  else
    organisations := array(
      select chain.organisation_id
      from audit.logged_chains chain
      where (chain.head_sequence, chain.head_hash) is distinct from (chain.logged_sequence, chain.logged_hash)
    );
    after := '00000000-0000-0000-0000-000000000000';
  end if;
  organisations := array(
    select distinct listed.id
    from (
      select unnest(organisations)
      union all
      select '00000000-0000-0000-0000-000000000000'
      union all
      (select unchanged.id from app.organisations unchanged where unchanged.id >= after order by unchanged.id limit max_organisations)
    ) listed (id)
  );
  next := (
    select following.id from app.organisations following
    where following.id >= after
    order by following.id offset max_organisations limit 1
  );
end
$$;
comment on function jobs.chains_to_check is 'Instead of row-level security: only worker may execute it. Ids of organisations only. Chains that changed since then, and a number of others in turn, from after on. Null instead of a transaction: all chains whose head is not in the tree. The next call continues at next: null after the last organisation.';
grant execute on function jobs.chains_to_check to worker;

create function jobs.check_chains(organisations uuid[])
returns table (organisation_id uuid, sequence bigint, last_sequence bigint, fault text)
language sql stable
security definer set search_path = ''
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
  select ends.organisation_id, ends.sequence, ends.last_sequence, ends.fault
  from audit.end_faults ends
  where ends.organisation_id = any (organisations)
  union all
  select '00000000-0000-0000-0000-000000000000', 0, 0, 'setting'
  where not audit.is_retention_recorded()
$$;
comment on function jobs.check_chains is 'Instead of row-level security: only worker may execute it. Numbers of entries of all organisations, without their content. Faults at the beginning and the end of these chains.';
grant execute on function jobs.check_chains to worker;

create function jobs.record_audit_faults(faults json) returns json
language plpgsql
security definer set search_path = ''
as $$
begin
  insert into app.audit_faults as fault (organisation_id, fault, sequence, last_sequence)
  select listed.organisation_id, listed.fault, listed.sequence, max(listed.last_sequence)
  from json_to_recordset(faults) listed (organisation_id uuid, fault text, sequence bigint, last_sequence bigint)
  group by 1, 2, 3
  on conflict (organisation_id, fault, sequence) do update
  set last_found_at = now(),
    -- PostgreSQL counts deletions with a delay. A smaller count than was accepted does not take the acceptance back.
    last_sequence = case when fault.accepted_at is null then excluded.last_sequence else greatest(fault.last_sequence, excluded.last_sequence) end,
    -- An accepted fault has grown: it is a fault again.
    accepted_at = case when excluded.last_sequence <= fault.last_sequence then fault.accepted_at end,
    accepted_by = case when excluded.last_sequence <= fault.last_sequence then fault.accepted_by end,
    accepted_reason = case when excluded.last_sequence <= fault.last_sequence then fault.accepted_reason end;
  return (
    select coalesce(json_agg(json_build_object(
      'organisation_id', fault.organisation_id, 'fault', fault.fault, 'sequence', fault.sequence, 'last_sequence', fault.last_sequence
    )), '[]')
    from app.audit_faults fault
    where fault.last_found_at = now()::timestamptz(3) and fault.accepted_at is null
  );
end
$$;
comment on function jobs.record_audit_faults is 'Instead of row-level security: only worker may execute it. Numbers of entries of all organisations. Stores faults; returns the faults that no operator has accepted.';
grant execute on function jobs.record_audit_faults to worker;
