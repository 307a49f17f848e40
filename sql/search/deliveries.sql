/*
 * Finds deliveries by event and state in the index deliveries_by_event. A policy prevents an index condition on an enum, whose
 * operators are not leakproof. So searcher reads the index and returns ids, as for memories.
 * (docs/decisions/0008-ids-partitions-and-indexes.md)
 */
create function search.deliveries(
  endpoint uuid, events app.event_kind[], states app.delivery_state[], first uuid, before uuid, maximum integer
) returns uuid[]
language sql stable
security definer set search_path = ''
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $$
  -- One descent of the index for each event and state: each finds its newest ids in order. No other index has this order; with
  -- equal events and states the planner would expect few rows of an endpoint, and read all of them.
  select array(
    select newest.id
    from unnest(events) wanted_event
    cross join unnest(states) wanted_state
    cross join lateral (
      select delivery.id
      from app.deliveries delivery
      where delivery.organisation_id = caller.organisation_id()
        and delivery.endpoint_id = endpoint
        and (delivery.event, delivery.state, delivery.id) >= (wanted_event, wanted_state, first)
        and (delivery.event, delivery.state, delivery.id) < (wanted_event, wanted_state, before)
        and delivery.id >= first -- for the partitions
        and delivery.id < before
      order by delivery.event desc, delivery.state desc, delivery.id desc
      limit maximum
    ) newest
    order by newest.id desc
    limit maximum
  )
$$;
comment on function search.deliveries is 'Instead of row-level security: delivery.organisation_id = caller.organisation_id(). Returns ids, newest first; the caller''s policies decide about the rows.';
grant execute on function search.deliveries to tenant;

create function search.pending_deliveries(endpoint uuid, first uuid, before uuid)
returns table (hour timestamptz, total bigint)
language sql stable
security definer set search_path = ''
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $$
  -- The order fits one index only, as above.
  select date_trunc('hour', uuid_extract_timestamp(waiting.id), 'UTC'), count(*)
  from unnest(enum_range(null::app.event_kind)) kind
  cross join lateral (
    select delivery.id
    from app.deliveries delivery
    where delivery.organisation_id = caller.organisation_id()
      and delivery.endpoint_id = endpoint
      and (delivery.event, delivery.state, delivery.id) >= (kind, 'pending', first)
      and (delivery.event, delivery.state, delivery.id) < (kind, 'pending', before)
      and delivery.id >= first -- for the partitions
      and delivery.id < before
    order by delivery.event desc, delivery.state desc, delivery.id desc
    offset 0
  ) waiting
  group by 1
$$;
comment on function search.pending_deliveries is 'Instead of row-level security: delivery.organisation_id = caller.organisation_id(). The caller has found the endpoint under its own policies. Returns how many deliveries to the endpoint wait, by the hour of their creation.';
grant execute on function search.pending_deliveries to tenant;
