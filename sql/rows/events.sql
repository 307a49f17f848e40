/*
 * Event, with the state of its delivery to each endpoint. (docs/specification/events.md#feed)
 */
create view rows.events with (security_invoker = true) as
select event.id, event.position, event.kind, row_to_json(happened) as json
from app.events event
cross join lateral (
  select
    event.id,
    event.kind as event,
    rows.time(event.created_at) as "createdAt",
    event.data,
    array_to_json(array(
      select row_to_json(delivery)
      from (
        select delivery.id, delivery.endpoint_id as "webhookId", delivery.state
        from app.deliveries delivery
        where delivery.organisation_id = event.organisation_id and delivery.event_id = event.id
        order by delivery.endpoint_id -- the order of the index deliveries_of_event
      ) delivery
    )) as deliveries
) happened;
grant select on rows.events to tenant;

create function rows.feed_cursor(input jsonb, place bigint, id uuid) returns text
language sql immutable parallel safe
as $$ select (input ->> 'list') || lpad(to_hex(place), 16, '0') || replace(id::text, '-', '') $$;
comment on function rows.feed_cursor is 'A position in a feed: 8 hex digits of the list, 16 of the number of its event, 32 of an id. Cursors of one list sort as text.';
grant execute on function rows.feed_cursor to tenant;

create function rows.feed(page json[], input jsonb, place bigint, id uuid, has_more boolean) returns text
language sql immutable parallel safe
as $$
  select '{"data":[' || coalesce(array_to_string(page, ','), '')
    || '],"nextCursor":' || case when has_more then '"' || feed_cursor.value || '"' else 'null' end
    || ',"position":"' || feed_cursor.value || '","hasMore":' || has_more || '}'
  from rows.feed_cursor(input, place, id) feed_cursor (value)
$$;
comment on function rows.feed is 'The response of a feed. nextCursor is null on the last page; position is where a later call continues.';
grant execute on function rows.feed to tenant;
