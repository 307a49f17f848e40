/*
 * Events, oldest first for readers that must not miss any, newest first for people. Times and ids do not follow the order of commits: an event
 * of a long transaction would appear behind such a cursor. So each event gets a position as its transaction commits
 * (sql/triggers/events.sql). (docs/specification/events.md#feed)
 */
create function api.list_events(input jsonb) returns text
language plpgsql stable
as $$
declare
  size constant integer := (input ->> 'limit')::integer;
  wanted constant app.event_kind := (input ->> 'event')::app.event_kind;
  of_run constant uuid := (input ->> 'runId')::uuid;
  -- With a filter by kind alone a call reads at most 10,000 events, else only the events of the page.
  max_read constant integer := case when wanted is null or of_run is not null then size else 10000 end;
  nil constant uuid := '00000000-0000-0000-0000-000000000000';
  next_position constant bigint := api_private.next_event_position();
  newest_first constant boolean := input ->> 'order' = 'desc' and not input ? 'live';
  -- A live stream starts now, a list at the oldest or newest stored event.
  after_position bigint := coalesce(api_private.event_position(input), case when input ? 'live' or newest_first then next_position else 0 end);
  after_id uuid := coalesce((input ->> 'afterId')::uuid, nil);
  positions bigint[];
  looked_at uuid[];
  wanted_ids uuid[];
  last integer; -- the position of the last event that this response covers; null if it covers all
begin
  -- A cursor in the future is from before the restoration of a backup. The feed starts again: a reader can recognise a
  -- repeated event by its id, but not a missing one.
  if after_position > next_position and not newest_first then
    after_position := 0;
    after_id := nil;
  end if;
  select * into positions, looked_at, wanted_ids from api_private.events_beside(of_run, after_position, after_id, wanted, max_read + 1, newest_first);
  last := case
    when cardinality(wanted_ids) > size then array_position(looked_at, wanted_ids[size])
    when cardinality(looked_at) > max_read then max_read
  end;
  after_position := coalesce(positions[last], case when newest_first then 0 else next_position end);
  after_id := coalesce(looked_at[last], nil);
  return case
    when input ? 'live' then api_private.feed_lines(wanted_ids[1:size], input, after_position, after_id, last is not null)
    else rows.feed(api_private.events(wanted_ids[1:size]), input, after_position, after_id, last is not null)
  end;
end
$$;
grant execute on function api.list_events to tenant;
