/* Lines of run events, as api.watch_run returns them. */
create function api_private.event_lines(run uuid, state app.run_state, after integer) returns table (lines text)
language sql stable -- without settings of its own, so that it is inlined
as $$
  select case
    when numbers.last is null and rows.is_end(event_lines.state) then (
      select format(E'\n%s 1 end %s', event_lines.run, row_to_json(ended)) from rows.runs ended where ended.id = event_lines.run
    )
    else (
      select string_agg(format(E'\n%s %s %s %s', event."runId", event.number, event.event, event.data), ''
        order by event.number)
      from (
        select * from rows.run_events event
        where event."runId" = event_lines.run and event.number > place.after
        order by event.number
        limit 50
      ) event
    )
  end
  from (
    select max(event.number) as last, max(event.number) filter (where rows.is_end(event.state)) as ending
    from app.run_events event
    where event.run_id = event_lines.run
  ) numbers
  cross join lateral (
    select case
      -- A number in the future is from before the restoration of a backup: all events again.
      when event_lines.after > numbers.last then 0
      -- A run that has ended always returns its end. Otherwise a reader would wait for nothing.
      when numbers.ending is not null then least(event_lines.after, numbers.ending - 1)
      else event_lines.after
    end as after
  ) place
$$;
comment on function api_private.event_lines is 'The lines of a run''s events after a number, each after a line break; at most 50. Null if there are none.';
grant execute on function api_private.event_lines to tenant;
