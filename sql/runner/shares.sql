/*
 * Shares of runs. A run of a slow model occupies an executor's slot for minutes. So the number of an organisation's
 * runs under way is bounded, across all executors. Only models that the leasing executor serves count: runs of the
 * built-in `recall` do not count with others. (docs/specification/executors.md#leasing)
 */
create function runner.share_of(share integer) returns integer
language sql stable
as $$ select least(settings.run_share_of_organisation, share) from app.service_settings settings $$;
comment on function runner.share_of is 'How many runs of one organisation may be under way: the setting of the service, or the executor''s share if smaller.';

-- A few hundred rows at most, all found by the index runs_working. Not a join: the planner may begin it with the bots,
-- and read all runs that they ever had.
create function runner.runs_under_way(executor uuid)
returns table (organisation_id uuid, runs bigint)
language sql stable
set enable_sort = off
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
  select run.organisation_id, count(*)
  from app.runs run
  where run.state = 'running'
    and (select bot.model from app.bots bot where bot.organisation_id = run.organisation_id and bot.id = run.bot_id)
      = any ((select executors.models from app.executors where executors.id = executor)::text[])
  group by run.organisation_id
$$;
comment on function runner.runs_under_way is 'How many runs of this executor''s models each organisation has under way.';

create function runner.full_organisations(executor uuid, share integer) returns uuid[]
language sql stable
as $$
  select coalesce(array_agg(busy.organisation_id), '{}')
  from runner.runs_under_way(executor) busy
  where busy.runs >= share
$$;
comment on function runner.full_organisations is 'The organisations that have reached their share of runs under way.';

create function runner.has_room(executor uuid, organisation uuid, share integer, leasing integer) returns boolean
language sql volatile
as $$
  select coalesce((
    select busy.runs from runner.runs_under_way(executor) busy where busy.organisation_id = organisation
  ), 0) + leasing < share
$$;
comment on function runner.has_room is 'Whether the organisation stays below its share even if each of these sessions leases one of its runs.';

-- Far from its share, leases of an organisation share a lock and never wait: an executor that leaves its transaction open
-- stops no other. Near the share one transaction at a time counts and leases.
create function runner.within_share(executor uuid, organisation uuid, share integer, alone boolean, waits boolean)
returns boolean
language plpgsql
as $$
declare
  lock_name constant text := 'runs of ' || organisation;
begin
  if alone and runner.has_room(executor, organisation, share, runner.other_sessions()) then
    begin
      if service.try_lock_shared(lock_name)
        and runner.has_room(executor, organisation, share, runner.other_sessions()) then
        return true;
      end if;
      raise exception using errcode = 'OA003', message = 'undone'; -- releases the shared lock
    exception when sqlstate 'OA003' then null;
    end;
  end if;
  return runner.lock_of_busy(lock_name, waits) and runner.has_room(executor, organisation, share, 0);
end
$$;
comment on function runner.within_share is 'Whether the organisation may have one more run under way. True stays true until the transaction ends. Also false if other transactions lease its last runs at this moment.';
