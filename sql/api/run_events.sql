/*
 * Watching runs. A call returns the events after a number. The response is lines and not JSON, because the API forwards
 * their parts. There is a line for each visible run with its id. Then each event has a line with the run's id, the number,
 * the name and the data. (src/http/streams)
 *
 * A run whose events were dropped with its weekly partition has only its end. (sql/jobs/partitions.sql)
 *
 * A process reads many runs of one key in one call: `watches` lists them, [{id, after}]. Runs that are not visible are
 * missing from the response.
 */
create function api.watch_run(input jsonb) returns text
language plpgsql stable
as $$
declare
  answer text;
begin
  select string_agg(run.id || coalesce(events.lines, ''), E'\n') into answer
  from jsonb_to_recordset(coalesce(input -> 'watches', jsonb_build_array(input))) as watch (id uuid, after integer)
  cross join lateral (
    -- The limit makes each run be looked up: a join would read all runs of the organisation.
    select seen.id, seen.state from app.runs seen where seen.id = watch.id limit 1
  ) run
  cross join lateral (
    select max(event.number) as last, max(event.number) filter (where rows.is_end(event.state)) as ending
    from app.run_events event
    where event.run_id = run.id
  ) numbers
  cross join lateral (
    select case
      -- A number in the future is from before the restoration of a backup: all events again.
      when watch.after > numbers.last then 0
      -- A run that has ended always returns its end, so that no reader waits in vain.
      when numbers.ending is not null then least(watch.after, numbers.ending - 1)
      else watch.after
    end as after
  ) place
  cross join lateral (
    select case
      when numbers.last is null and rows.is_end(run.state) then (
        select format(E'\n%s 1 end %s', run.id, row_to_json(ended)) from rows.runs ended where ended.id = run.id
      )
      else (
        select string_agg(format(E'\n%s %s %s %s', event."runId", event.number, event.event, event.data), ''
          order by event.number)
        from (
          select * from rows.run_events event
          where event."runId" = run.id and event.number > place.after
          order by event.number
          limit 50
        ) event
      )
    end as lines
  ) events;
  if answer is null then
    perform errors.refuse('not_found');
  end if;
  return answer;
end
$$;
grant execute on function api.watch_run to tenant;
