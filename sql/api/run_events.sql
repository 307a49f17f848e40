/*
 * Watching runs. A stream is read piece by piece: what came after the last number that was told. The answer is lines and
 * no JSON, because what is in them goes out as it is: of each run that is seen, its id; then of each event the run's id,
 * the number, the name and the data, which has no line break. (src/http/watching)
 *
 * Of a run whose events were dropped with its week, how it ended is told and nothing else. (sql/jobs/partitions.sql)
 *
 * A process asks for many runs at once where one key watches them: `watches` holds them, [{id, after}], and those that are
 * not seen any more are missing from the answer.
 */
create function api.watch_run(input jsonb) returns text
language plpgsql stable
as $$
declare
  answer text;
begin
  select string_agg(run.id || coalesce(told.lines, ''), E'\n') into answer
  from jsonb_to_recordset(coalesce(input -> 'watches', jsonb_build_array(input))) as watch (id uuid, after integer)
  cross join lateral (
    -- With a limit, so that each is looked up: joined, all runs of the organisation are read for a few that are watched.
    select seen.id, seen.state from app.runs seen where seen.id = watch.id limit 1
  ) run
  cross join lateral (
    select max(event.number) as last, max(event.number) filter (where rows.is_end(event.state)) as ending
    from app.run_events event
    where event.run_id = run.id
  ) numbers
  cross join lateral (
    select case
      -- A number that is still to come is of another history, as before a backup was restored: all is told again.
      when watch.after > numbers.last then 0
      -- The end is told to whoever asks, also again: nobody waits for what does not come.
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
  ) told;
  if answer is null then
    perform caller.refuse('not_found');
  end if;
  return answer;
end
$$;
