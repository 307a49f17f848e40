/*
 * Lists of runs, newest first: all, those of a bot, those in a state. (docs/specification/runs.md#visibility)
 */
-- A statement for each combination of filters: a generic plan cannot use an index for a filter that may be absent.
create function api.list_runs(input jsonb) returns text
language plpgsql stable
as $$
begin
  if input ->> 'state' is not null then
    return caller.runs_in_state(input, (input ->> 'botId')::uuid, (input ->> 'state')::app.run_state);
  end if;
  if input ->> 'botId' is not null then
    return (
      select rows.page(array_agg(row_to_json(run) order by run.id desc), input)
      from (
        select * from rows.runs
        where "botId" = (input ->> 'botId')::uuid and id < rows.before(input)
        order by id desc
        limit (input ->> 'limit')::integer + 1
      ) run
    );
  end if;
  return (
    select rows.page(array_agg(row_to_json(run) order by run.id desc), input)
    from (
      select * from rows.runs
      where id < rows.before(input)
      order by id desc
      limit (input ->> 'limit')::integer + 1
    ) run
  );
end
$$;
grant execute on function api.list_runs to tenant;

-- A custom plan for the state, so that the partial index of that state is used: behind a policy, an index condition on
-- the state is not possible, because its operator is not leakproof. The index of queued runs is ordered by
-- conversation, so queued runs are collected and then sorted.
create function caller.runs_in_state(input jsonb, bot uuid, wanted app.run_state) returns text
language plpgsql stable
set plan_cache_mode = force_custom_plan
set enable_sort = on
as $$
begin
  if wanted = 'queued' then
    return (
      with queued as materialized (
        select id from rows.runs
        where state = 'queued' and id < rows.before(input) and (bot is null or "botId" = bot)
      )
      select rows.page(array_agg(row_to_json(run) order by run.id desc), input)
      from (
        select * from rows.runs
        where id = any (array(select id from queued order by id desc limit (input ->> 'limit')::integer + 1))
      ) run
    );
  end if;
  return (
    select rows.page(array_agg(row_to_json(run) order by run.id desc), input)
    from (
      select * from rows.runs
      where state = wanted and id < rows.before(input) and (bot is null or "botId" = bot)
      order by id desc
      limit (input ->> 'limit')::integer + 1
    ) run
  );
end
$$;
comment on function caller.runs_in_state is 'A page of the runs in a state, of a bot unless it is null.';
grant execute on function caller.runs_in_state to tenant;
