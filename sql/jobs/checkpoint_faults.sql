/* Faults of the audit log, as the checkpoint job finds them. */
create function jobs.check_chains(after uuid, max_organisations integer)
returns table (organisation_id uuid, sequence bigint, last_sequence bigint, fault text)
language sql stable
security definer set search_path = ''
set enable_seqscan = off
as $$
  with following (organisation_id) as materialized (
    select chain.organisation_id
    from audit.chains chain
    where chain.organisation_id >= after
    order by chain.organisation_id
    offset max_organisations
    limit 1
  )
  select ends.organisation_id, ends.sequence, ends.last_sequence, ends.fault
  from audit.end_faults ends
  where ends.organisation_id >= after
    and ends.organisation_id < coalesce((select following.organisation_id from following), 'ffffffff-ffff-ffff-ffff-ffffffffffff')
  union all
  select '00000000-0000-0000-0000-000000000000', 0, 0, 'setting'
  where not audit.is_retention_recorded()
  union all
  -- Where the next call continues: null after the last organisation.
  select (select following.organisation_id from following), null, null, null
$$;
comment on function jobs.check_chains is 'Instead of row-level security: numbers of entries of all organisations, without their content. Faults at the beginning and the end of chains; the row without a fault says where the next call continues.';
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
  set last_found_at = now(), last_sequence = excluded.last_sequence,
    -- What was accepted has grown: it is a fault again.
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
comment on function jobs.record_audit_faults is 'Instead of row-level security: numbers of entries of all organisations. Stores faults; returns the faults that no operator has accepted.';
grant execute on function jobs.record_audit_faults to worker;
