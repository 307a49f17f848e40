/*
 * The lease. It names the one claim that may write to a run, for as long as it is renewed; what ran out or ended is
 * nobody's any more, and a late executor writes nothing.
 */
create function runner.held(organisation uuid, run uuid, lease uuid) returns app.runs
language plpgsql
set search_path = ''
as $$
declare
  held app.runs;
begin
  perform set_config('caller.organisation_id', organisation::text, true);
  select working.* into held
  from app.runs working
  where working.organisation_id = organisation
    and working.id = run
    and working.lease_id = lease
    and working.lease_until > clock_timestamp()
  for no key update;
  if held.id is null then
    raise exception using errcode = 'OA002', message = 'lease_lost';
  end if;
  return held;
end
$$;
comment on function runner.held is 'The run under this lease, locked; lease_lost (OA002) when the lease ran out, or the run ended or went to another.';

create function runner.renew(organisation uuid, run uuid, lease uuid, until interval default interval '30 seconds')
returns void
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: the lease of this run.
begin
  perform runner.held(organisation, run, lease);
  update app.runs working
  set lease_until = now() + until
  where working.organisation_id = organisation and working.id = run;
end
$$;
comment on function runner.renew is 'Instead of row-level security: the lease of the run.';
