create function api_private.deliveries_by_event(input jsonb, endpoint uuid, oldest uuid, before uuid, size integer) returns text
language plpgsql stable
as $$
declare
  found constant uuid[] := search.deliveries(
    endpoint,
    case when input ? 'event' then array[input ->> 'event']::app.event_kind[] else enum_range(null::app.event_kind) end,
    case when input ? 'state' then array[input ->> 'state']::app.delivery_state[] else enum_range(null::app.delivery_state) end,
    oldest, before, size
  );
begin
  return (
    select rows.page(array_agg(row_to_json(delivery) order by delivery.id desc), input)
    from rows.deliveries delivery
    where delivery.id = any (found) and delivery.id >= found[cardinality(found)] and delivery.id <= found[1]
  );
end
$$;
comment on function api_private.deliveries_by_event is 'A page of the deliveries to an endpoint with the event and the state of the request.';
grant execute on function api_private.deliveries_by_event to tenant;
