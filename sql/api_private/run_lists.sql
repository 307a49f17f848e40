-- A custom plan for the filters, so that the partial indexes of the state and of the trigger are used. Behind a policy an
-- index condition on an enum is not possible, because its operator is not leakproof. The index of queued runs is ordered
-- by conversation, so queued runs are collected and then sorted.
create function api_private.filtered_runs(
  input jsonb, bot uuid, wanted app.run_state, started app.run_trigger, oldest uuid, before uuid, size integer
) returns text
language plpgsql stable
set plan_cache_mode = force_custom_plan
set enable_sort = on
as $$
begin
  if wanted = 'queued' then
    return (
      with queued as materialized (
        select id from rows.runs
        where state = 'queued' and id >= oldest and id < before
          and (bot is null or "botId" = bot) and (started is null or trigger = started)
      )
      select rows.page(array_agg(row_to_json(run) order by run.id desc), input)
      from (
        select * from rows.runs where id = any (array(select id from queued order by id desc limit size))
      ) run
    );
  end if;
  return (
    select rows.page(array_agg(row_to_json(run) order by run.id desc), input)
    from (
      select * from rows.runs
      where (wanted is null or state = wanted) and (started is null or trigger = started) and id >= oldest and id < before
        and (bot is null or "botId" = bot)
      order by id desc
      limit size
    ) run
  );
end
$$;
comment on function api_private.filtered_runs is 'A page of the runs of a bot, in a state, with a trigger. Each of the three may be null.';
grant execute on function api_private.filtered_runs to tenant;

create function api_private.with_messages(page text) returns text
language sql stable
as $$
  -- The text of each run as it is, since jsonb would write white space.
  select format('{"data":[%s],"nextCursor":%s}', string_agg(
    left(listed.run::text, -1) || ',"message":' || coalesce(to_json(opening.message)::text, 'null') || '}', ',' order by listed.place
  ), page::json -> 'nextCursor')
  from json_array_elements(page::json -> 'data') with ordinality listed (run, place)
  left join lateral (
    select left(message.text, 200) as message
    from rows.messages message
    where message."runId" = (listed.run ->> 'id')::uuid and message.author = 'person'
    order by message.id
    limit 1
  ) opening on true
$$;
comment on function api_private.with_messages is 'The page of runs with the start of each message that the caller may read.';
grant execute on function api_private.with_messages to tenant;
