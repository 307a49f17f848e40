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

-- One transaction per organisation counts and leases at a time. A caller that holds locks already must not wait here.
create function runner.within_share(executor uuid, organisation uuid, share integer, may_wait boolean) returns boolean
language plpgsql
as $$
begin
  if may_wait then
    perform service.lock('runs of ' || organisation);
  elsif not service.try_lock('runs of ' || organisation) then
    return false;
  end if;
  return organisation <> all (runner.full_organisations(executor, share));
end
$$;
comment on function runner.within_share is 'Whether the organisation may have one more run under way. True stays true until the transaction ends. Also false if another transaction leases its runs and may_wait is false.';
