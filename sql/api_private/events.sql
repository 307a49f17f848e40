-- Not a join with the ids: a plan from when the table was small would compare each event with each id. The smallest and the
-- largest id choose the partitions, which an array does not.
create function api_private.events_by_ids(ids uuid[]) returns setof rows.events
language sql stable -- without settings of its own, so that it is inlined
as $$
  select *
  from rows.events event
  where event.id = any (ids)
    and event.id between (select each from unnest(ids) each order by each limit 1)
      and (select each from unnest(ids) each order by each desc limit 1)
$$;
comment on function api_private.events_by_ids is 'The rows of these events, in no order.';
grant execute on function api_private.events_by_ids to tenant;

-- An order by position would read the index of positions from its begin.
create function api_private.events(ids uuid[]) returns json[]
language sql stable
as $$
  select array_agg(event.json order by array_position(ids, event.id)) from api_private.events_by_ids(ids) event
$$;
comment on function api_private.events is 'The rows of these events, in the order of the ids.';
grant execute on function api_private.events to tenant;

create type api_private.nearby_events as (positions bigint[], looked_at uuid[], wanted_ids uuid[]);

create function api_private.events_after(
  after_position bigint, after_id uuid, wanted app.event_kind, maximum integer
) returns setof api_private.nearby_events
language sql stable -- without settings of its own, so that it is inlined
as $$
  select
    array_agg(near.position order by near.position, near.id),
    array_agg(near.id order by near.position, near.id),
    array_agg(near.id order by near.position, near.id) filter (where wanted is null or near.kind = wanted)
  from (
    select event.position, event.id, event.kind
    from app.events event
    where (event.position, event.id) > (after_position, after_id)
    order by event.position, event.id
    limit maximum
  ) near
$$;
comment on function api_private.events_after is 'The next events: their positions and ids, and the ids of the wanted kind.';
grant execute on function api_private.events_after to tenant;

create function api_private.events_before(
  before_position bigint, before_id uuid, wanted app.event_kind, maximum integer
) returns setof api_private.nearby_events
language sql stable -- without settings of its own, so that it is inlined
as $$
  select
    array_agg(near.position order by near.position desc, near.id desc),
    array_agg(near.id order by near.position desc, near.id desc),
    array_agg(near.id order by near.position desc, near.id desc) filter (where wanted is null or near.kind = wanted)
  from (
    select event.position, event.id, event.kind
    from app.events event
    where (event.position, event.id) < (before_position, before_id)
    order by event.position desc, event.id desc
    limit maximum
  ) near
$$;
comment on function api_private.events_before is 'As events_after, backwards: the newest first.';
grant execute on function api_private.events_before to tenant;

-- The index events_of_run has the order of the feed.
create function api_private.events_of_run(
  run uuid, place bigint, id uuid, wanted app.event_kind, maximum integer, newest_first boolean
) returns setof api_private.nearby_events
language sql stable -- without settings of its own, so that it is inlined
as $$
  select array_agg(near.position), array_agg(near.id), array_agg(near.id)
  from (
    select event.position, event.id
    from app.events event
    where event.run_id = run and (wanted is null or event.kind = wanted)
      and case
        when newest_first then (event.position, event.id) < (place, events_of_run.id)
        else (event.position, event.id) > (place, events_of_run.id)
      end
    order by
      case when not newest_first then event.position end, case when not newest_first then event.id end,
      event.position desc, event.id desc
    limit maximum
  ) near
$$;
comment on function api_private.events_of_run is 'As events_after and events_before, for one run.';
grant execute on function api_private.events_of_run to tenant;

create function api_private.events_beside(
  run uuid, place bigint, id uuid, wanted app.event_kind, maximum integer, newest_first boolean
) returns setof api_private.nearby_events
language sql stable -- without settings of its own, so that it is inlined
as $$
  select * from api_private.events_after(place, events_beside.id, wanted, maximum) where run is null and not newest_first
  union all
  select * from api_private.events_before(place, events_beside.id, wanted, maximum) where run is null and newest_first
  union all
  select * from api_private.events_of_run(run, place, events_beside.id, wanted, maximum, newest_first) where run is not null
$$;
comment on function api_private.events_beside is 'The next events of the feed, or of a run, in one of the orders of the feed.';
grant execute on function api_private.events_beside to tenant;

create function api_private.feed_lines(
  ids uuid[], input jsonb, place bigint, id uuid, has_more boolean
) returns text
language sql stable
as $$
  select concat_ws(E'\n',
    concat_ws(' ', rows.feed_cursor(input, place, feed_lines.id), has_more::text),
    (
      select string_agg(
        format('%s %s %s', rows.feed_cursor(input, event.position, event.id), event.kind, event.json),
        E'\n' order by array_position(ids, event.id)
      )
      from api_private.events_by_ids(ids) event
    )
  )
$$;
comment on function api_private.feed_lines is 'A page of a live feed as lines, whose parts the API forwards: the cursor of its end, and whether more can be read. Then a line for each event: its cursor, kind and JSON.';
grant execute on function api_private.feed_lines to tenant;

create function api_private.next_event_position() returns bigint
language sql stable
as $$
  select coalesce(max(head.event_position), 0) + 1
  from app.audit_chain_heads head
  where head.organisation_id = (select caller.organisation_id())
$$;
comment on function api_private.next_event_position is 'Above the positions of all events that have happened, and not above later ones.';
grant execute on function api_private.next_event_position to tenant;

create function api_private.event_position(input jsonb) returns bigint
language sql immutable
as $$
  -- A process of version 0.2.0 sends a position as afterTransaction.
  select least(coalesce(input ->> 'afterPosition', input ->> 'afterTransaction')::numeric, 9223372036854775807)::bigint
  where input ?| array['afterPosition', 'afterTransaction']
$$;
comment on function api_private.event_position is 'The position in a cursor; null without one.';
grant execute on function api_private.event_position to tenant;
