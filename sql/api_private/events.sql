create function api_private.events(ids uuid[]) returns json[]
language sql stable
as $$
  select array_agg(row_to_json(happened) order by listed.place)
  from unnest(ids) with ordinality listed (id, place)
  join rows.events happened on happened.id = listed.id
$$;
comment on function api_private.events is 'The rows of these events, in the order of the ids.';
grant execute on function api_private.events to tenant;

create function api_private.events_after(
  after_transaction xid8, after_id uuid, settled xid8, wanted app.event_kind, maximum integer
) returns table (transactions xid8[], looked_at uuid[], wanted_ids uuid[])
language sql stable -- without settings of its own, so that it is inlined
as $$
  select
    array_agg(near.transaction_id order by near.transaction_id, near.id),
    array_agg(near.id order by near.transaction_id, near.id),
    array_agg(near.id order by near.transaction_id, near.id) filter (where wanted is null or near.kind = wanted)
  from (
    select event.transaction_id, event.id, event.kind
    from app.events event
    where (event.transaction_id, event.id) > (after_transaction, after_id) and event.transaction_id < settled
    order by event.transaction_id, event.id
    limit maximum
  ) near
$$;
comment on function api_private.events_after is 'The next events of settled transactions: their transactions and ids, and the ids of the wanted kind.';
grant execute on function api_private.events_after to tenant;

create function api_private.events_before(
  before_transaction xid8, before_id uuid, settled xid8, wanted app.event_kind, maximum integer
) returns table (transactions xid8[], looked_at uuid[], wanted_ids uuid[])
language sql stable -- without settings of its own, so that it is inlined
as $$
  select
    array_agg(near.transaction_id order by near.transaction_id desc, near.id desc),
    array_agg(near.id order by near.transaction_id desc, near.id desc),
    array_agg(near.id order by near.transaction_id desc, near.id desc) filter (where wanted is null or near.kind = wanted)
  from (
    select event.transaction_id, event.id, event.kind
    from app.events event
    where (event.transaction_id, event.id) < (before_transaction, before_id) and event.transaction_id < settled
    order by event.transaction_id desc, event.id desc
    limit maximum
  ) near
$$;
comment on function api_private.events_before is 'As events_after, backwards: the newest first.';
grant execute on function api_private.events_before to tenant;

create function api_private.events_beside(
  transaction xid8, id uuid, settled xid8, wanted app.event_kind, maximum integer, newest_first boolean
) returns table (transactions xid8[], looked_at uuid[], wanted_ids uuid[])
language sql stable -- without settings of its own, so that it is inlined
as $$
  select * from api_private.events_after(transaction, events_beside.id, settled, wanted, maximum) where not newest_first
  union all
  select * from api_private.events_before(transaction, events_beside.id, settled, wanted, maximum) where newest_first
$$;
comment on function api_private.events_beside is 'The next events of the feed, in one of its orders.';
grant execute on function api_private.events_beside to tenant;

create function api_private.feed_lines(
  ids uuid[], input jsonb, transaction xid8, id uuid, has_more boolean, begun xid8
) returns text
language sql stable
as $$
  select concat_ws(E'\n',
    concat_ws(' ', rows.feed_cursor(input, transaction, feed_lines.id), has_more::text, begun),
    (
      select string_agg(
        format('%s %s %s', rows.feed_cursor(input, event.transaction_id, event.id), event.kind, row_to_json(happened)),
        E'\n' order by listed.place
      )
      from unnest(ids) with ordinality listed (id, place)
      join app.events event on event.id = listed.id
      join rows.events happened on happened.id = listed.id
    )
  )
$$;
comment on function api_private.feed_lines is 'A page of a live feed as lines, whose parts the API forwards: the cursor of its end, whether more can be read, and begun. Then a line for each event: its cursor, kind and JSON. begun: above all transactions that had begun.';
grant execute on function api_private.feed_lines to tenant;
