/*
 * Watching runs. A call returns the events after a number. The response is lines and not JSON, because the API forwards
 * their parts. There is a line for each visible run with its id. Then each event has a line with the run's id, the number,
 * the name and the data. (src/api/streams)
 *
 * A run whose events were dropped with its weekly partition has only its end. (sql/jobs/expired_partitions.sql)
 *
 * A process reads many runs of one key in one call: `watches` lists them, [{id, after}]. Runs that are not visible are
 * missing from the response.
 */
create function api.watch_run(input jsonb) returns text
language plpgsql stable
as $$
begin
  return errors.found((
    select string_agg(run.id || coalesce(events.lines, ''), E'\n')
    from jsonb_to_recordset(coalesce(input -> 'watches', jsonb_build_array(input))) as watch (id uuid, after integer)
    cross join lateral (
      -- The limit makes each run be looked up: a join would read all runs of the organisation.
      select seen.id, seen.state from app.runs seen where seen.id = watch.id limit 1
    ) run
    cross join lateral api_private.event_lines(run.id, run.state, watch.after) events
  ));
end
$$;
grant execute on function api.watch_run to tenant;
