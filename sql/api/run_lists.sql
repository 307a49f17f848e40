/*
 * Lists of runs, newest first: all, those of a bot, those in a state. (Part 4, "Runs".)
 */
-- A statement for each way in which they are found, since a plan for all values finds by no filter that may be absent.
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

-- Planned for the state that is asked for. Behind a policy it is looked up in no index, because its operator is not known to tell
-- nothing; but it may pick the index that holds no other state. Of those that are queued the index goes by conversations, so they
-- are gathered and then sorted: as many as wait, however many there were.
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
