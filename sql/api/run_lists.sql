/*
 * Lists of runs, newest first: all, or filtered by metadata, bot, state, trigger and time.
 * (docs/specification/runs.md#visibility)
 */
-- Statements of their own for the frequent lists: a generic plan cannot use an index for a filter that may be absent.
create function api.list_runs(input jsonb) returns text
language plpgsql stable
as $$
declare
  oldest constant uuid := rows.oldest(input);
  before constant uuid := rows.newest_before(input);
  size constant integer := (input ->> 'limit')::integer + 1;
begin
  if input ->> 'include' = 'message' then
    return api_private.with_messages(api.list_runs(input - 'include'));
  end if;
  if input ?| array['metadata', 'state', 'trigger'] then
    return api_private.filtered_runs(
      input, (input ->> 'botId')::uuid, (input ->> 'state')::app.run_state, (input ->> 'trigger')::app.run_trigger, oldest, before, size
    );
  end if;
  if input ? 'botId' then
    return (
      select rows.page(array_agg(row_to_json(run) order by run.id desc), input)
      from (
        select * from rows.runs
        where "botId" = (input ->> 'botId')::uuid and id >= oldest and id < before
        order by id desc
        limit size
      ) run
    );
  end if;
  return (
    select rows.page(array_agg(row_to_json(run) order by run.id desc), input)
    from (
      select * from rows.runs
      where id >= oldest and id < before
      order by id desc
      limit size
    ) run
  );
end
$$;
grant execute on function api.list_runs to tenant;
