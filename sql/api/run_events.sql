/*
 * Watching runs. A call returns the events after a number. The response is lines and not JSON, because the API forwards
 * their parts. There is a line for each visible run with its id. Then each event has a line with the run's id, the number,
 * the name and the data. (src/api/streams) With "include": "deltas", a plus follows the first id if the caller may read the
 * conversation, and so its deltas.
 *
 * A run whose events were dropped with its weekly partition has only its end. (sql/jobs/expired_partitions.sql)
 *
 * A process reads many runs of one key in one call: `watches` lists them, [{id, after, include}]. Runs that are not visible are
 * missing from the response.
 */
create function api.watch_run(input jsonb) returns text
language plpgsql stable
as $$
begin
  return errors.found((
    select string_agg(
      run.id || case when watch.include = 'deltas' and exists (
        select from app.conversations conversation -- conversations' own policy decides
        where conversation.organisation_id = run.organisation_id and conversation.id = run.conversation_id
      ) then '+' else '' end || coalesce(events.lines, ''),
      E'\n'
    )
    from jsonb_to_recordset(coalesce(input -> 'watches', jsonb_build_array(input))) as watch (id uuid, after integer, include text)
    cross join lateral (
      -- The limit makes each run be looked up: a join would read all runs of the organisation.
      select seen.organisation_id, seen.conversation_id, seen.id, seen.state from app.runs seen where seen.id = watch.id limit 1
    ) run
    cross join lateral api_private.event_lines(run.id, run.state, watch.after) events
  ));
end
$$;
grant execute on function api.watch_run to tenant;
