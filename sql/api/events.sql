/*
 * Events, oldest first for readers that must not miss any, newest first for people. Times and ids do not follow the order of commits: an event
 * of a long transaction would appear behind such a cursor. So the cursor is the transaction that wrote an event, and
 * the feed ends before the oldest open transaction. (docs/specification/events.md#feed)
 */
create function api.list_events(input jsonb) returns text
language plpgsql stable
as $$
declare
  size constant integer := (input ->> 'limit')::integer;
  wanted constant app.event_kind := (input ->> 'event')::app.event_kind;
  -- With a filter by kind a call reads at most 10,000 events, else only those of the page.
  max_read constant integer := case when wanted is null then size else 10000 end;
  nil constant uuid := '00000000-0000-0000-0000-000000000000';
  event_offset constant bigint := (select own.event_offset from app.organisations own where own.id = (select caller.organisation_id()));
  settled constant xid8 := times.later_transaction(pg_snapshot_xmin(pg_current_snapshot()), event_offset);
  begun constant xid8 := times.later_transaction(pg_snapshot_xmax(pg_current_snapshot()), event_offset);
  newest_first constant boolean := input ->> 'order' = 'desc' and not input ? 'live';
  -- A live stream starts now, a list at the oldest or newest stored event.
  after_transaction xid8 := coalesce((input ->> 'afterTransaction')::xid8, case when input ? 'live' or newest_first then settled else '0' end);
  after_id uuid := coalesce((input ->> 'afterId')::uuid, nil);
  transactions xid8[];
  looked_at uuid[];
  wanted_ids uuid[];
  last integer; -- the position of the last event that this response covers; null if it covers all
begin
  -- A cursor in the future is from before the restoration of a backup. The feed starts again: a reader can recognise a
  -- repeated event by its id, but not a missing one.
  if after_transaction > begun and not newest_first then
    after_transaction := '0';
    after_id := nil;
  end if;
  select * into transactions, looked_at, wanted_ids from api_private.events_beside(after_transaction, after_id, settled, wanted, max_read + 1, newest_first);
  last := case
    when cardinality(wanted_ids) > size then array_position(looked_at, wanted_ids[size])
    when cardinality(looked_at) > max_read then max_read
  end;
  after_transaction := coalesce(transactions[last], case when newest_first then '0' else greatest(settled, after_transaction) end);
  after_id := coalesce(looked_at[last], nil);
  return case
    when input ? 'live' then api_private.feed_lines(wanted_ids[1:size], input, after_transaction, after_id, last is not null, begun)
    else rows.feed(api_private.events(wanted_ids[1:size]), input, after_transaction, after_id, last is not null)
  end;
end
$$;
grant execute on function api.list_events to tenant;
