/*
 * Events, oldest first, for readers that must skip nothing. Neither a time nor an id is in the order of commits: what a
 * long transaction wrote appears behind readers that went on by either. So they go on by the transaction that wrote an
 * event, and no further than where every transaction has ended. (decisions: "Beyond the specification", 3.)
 */
create function api.list_events(input jsonb) returns text
language plpgsql stable
as $$
declare
  size constant integer := (input ->> 'limit')::integer;
  asked constant app.event_kind := (input ->> 'event')::app.event_kind;
  -- Where other kinds are passed over, so many at most; elsewhere none is looked at beyond the page.
  most constant integer := case when asked is null then size else 10000 end;
  nil constant uuid := '00000000-0000-0000-0000-000000000000';
  settled constant xid8 := pg_snapshot_xmin(pg_current_snapshot());
  after_transaction xid8 := coalesce(input ->> 'afterTransaction', '0')::xid8;
  after_id uuid := coalesce((input ->> 'afterId')::uuid, nil);
  transactions xid8[];
  looked_at uuid[];
  shown uuid[];
  last integer; -- by its number, the last event that this answer accounts for; null when it accounts for all there are
begin
  -- A place that no transaction has come to yet is of another history, as before a backup was restored: all is told
  -- again, because a repeat can be known by its id and a gap by nothing.
  if after_transaction > pg_snapshot_xmax(pg_current_snapshot()) then
    after_transaction := '0';
    after_id := nil;
  end if;

  select
    array_agg(near.transaction_id order by near.transaction_id, near.id),
    array_agg(near.id order by near.transaction_id, near.id),
    array_agg(near.id order by near.transaction_id, near.id) filter (where asked is null or near.kind = asked)
  into transactions, looked_at, shown
  from (
    select event.transaction_id, event.id, event.kind
    from app.events event
    where (event.transaction_id, event.id) > (after_transaction, after_id) and event.transaction_id < settled
    order by event.transaction_id, event.id
    limit most + 1
  ) near;
  last := case
    when cardinality(shown) > size then array_position(looked_at, shown[size])
    when cardinality(looked_at) > most then most
  end;
  return rows.feed(
    caller.events(shown[1:size]), input,
    coalesce(transactions[last], greatest(settled, after_transaction)), coalesce(looked_at[last], nil), last is not null
  );
end
$$;

create function caller.events(ids uuid[]) returns json[]
language sql stable
as $$
  select array_agg(row_to_json(happened) order by listed.place)
  from unnest(ids) with ordinality listed (id, place)
  join rows.events happened on happened.id = listed.id
$$;
comment on function caller.events is 'These events as they are shown, in the order of their ids here.';

create function rows.feed(page json[], input jsonb, transaction xid8, id uuid, has_more boolean) returns text
language sql immutable parallel safe
set search_path = ''
as $$
  select '{"data":[' || coalesce(array_to_string(page, ','), '') || '],"nextCursor":"'
    || (input ->> 'list') || lpad(to_hex(transaction::text::bigint), 16, '0') || replace(id::text, '-', '')
    || '","hasMore":' || has_more || '}'
$$;
comment on function rows.feed is 'A feed''s answer; its cursor is 8 hex digits of the list, 16 of a transaction, 32 of an id.';
