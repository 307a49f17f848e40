-- A custom plan for the state, so that the partial index of that state is used: behind a policy, an index condition on
-- the state is not possible, because its operator is not leakproof. The index of queued runs is ordered by
-- conversation, so queued runs are collected and then sorted.
create function api_private.runs_in_state(input jsonb, bot uuid, wanted app.run_state) returns text
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
comment on function api_private.runs_in_state is 'A page of the runs in a state, of a bot unless it is null.';
grant execute on function api_private.runs_in_state to tenant;
