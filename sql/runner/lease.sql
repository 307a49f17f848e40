/*
 * Leases of runs. A lease names the executor's hold of a run while it is renewed. After it expires or the run ends, the
 * executor can no longer write. (docs/specification/executors.md#lease)
 */
create function runner.leased_run(organisation uuid, run uuid, lease uuid) returns app.runs
language plpgsql
as $$
declare
  leased app.runs;
begin
  perform runner.limit_open_transaction();
  perform set_config('caller.organisation_id', organisation::text, true);
  select working.* into leased
  from app.runs working
  where working.organisation_id = organisation
    and working.id = run
    and working.lease_id = lease
    and working.lease_until > clock_timestamp()
  for no key update;
  if leased.id is null then
    raise exception using errcode = 'OA002', message = 'lease_lost';
  end if;
  return leased;
end
$$;
comment on function runner.leased_run is 'The run under this lease, locked. Raises lease_lost (OA002) if the lease expired, or the run ended or has another lease.';

-- Without a lock on the row, a commit that only notifies writes nothing that must reach the disk.
create function runner.read_leased_run(organisation uuid, run uuid, lease uuid) returns app.runs
language plpgsql
as $$
declare
  leased app.runs;
begin
  perform runner.limit_open_transaction();
  perform set_config('caller.organisation_id', organisation::text, true);
  select working.* into leased
  from app.runs working
  where working.organisation_id = organisation
    and working.id = run
    and working.lease_id = lease
    and working.lease_until > clock_timestamp();
  if leased.id is null then
    raise exception using errcode = 'OA002', message = 'lease_lost';
  end if;
  return leased;
end
$$;
comment on function runner.read_leased_run is 'As runner.leased_run without a lock, for a function that changes no row: the lease can end before the transaction does.';

create function runner.renew(organisation uuid, run uuid, lease uuid, until interval default interval '30 seconds')
returns void
language plpgsql
security definer set search_path = ''
as $$
begin
  perform runner.leased_run(organisation, run, lease);
  perform runner.require_lease_time(until);
  update app.runs working
  set lease_until = now() + until
  where working.organisation_id = organisation and working.id = run;
end
$$;
comment on function runner.renew is 'Instead of row-level security: runner.leased_run, for the lease of the run.';
grant execute on function runner.renew to executor;
