/*
 * Lists of runs, newest first: all, those of a bot, those in a state. (docs/specification/runs.md#visibility)
 */
-- A statement for each combination of filters: a generic plan cannot use an index for a filter that may be absent.
create function api.list_runs(input jsonb) returns text
language plpgsql stable
as $$
begin
  if input ->> 'state' is not null then
    return api_private.runs_in_state(input, (input ->> 'botId')::uuid, (input ->> 'state')::app.run_state);
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
