/*
 * Deliveries. (docs/specification/deliveries.md#redelivery)
 */
create function api.list_deliveries(input jsonb) returns text
language plpgsql stable
as $$
declare
  endpoint constant uuid := (input ->> 'id')::uuid;
  oldest constant uuid := rows.oldest(input);
  before constant uuid := rows.newest_before(input);
  size constant integer := (input ->> 'limit')::integer + 1;
begin
  if not exists (select from rows.webhook_endpoints where webhook_endpoints.id = endpoint) then
    perform errors.refuse('not_found');
  end if;
  if input ? 'event' or input ? 'state' then
    return api_private.deliveries_by_event(input, endpoint, oldest, before, size);
  end if;
  return (
    select rows.page(array_agg(row_to_json(delivery) order by delivery.id desc), input)
    from (
      select * from rows.deliveries
      where "webhookId" = endpoint and id >= oldest and id < before
      order by id desc
      limit size
    ) delivery
  );
end
$$;
grant execute on function api.list_deliveries to tenant;

create function api.get_delivery(input jsonb) returns text
language plpgsql stable
as $$
begin
  return errors.found((
    select row_to_json(whole)::text
    from (
      select
        delivery.*,
        array_to_json(array(
          select row_to_json(attempt)
          from (
            select number, trigger, "startedAt", "durationMs", "statusCode", failure
            from rows.delivery_attempts
            where "deliveryId" = delivery.id
            order by number
          ) attempt
        )) as "attemptLog",
        rows.payload(delivery.id, announced)::json as payload
      from rows.deliveries delivery
      join app.deliveries on deliveries.id = delivery.id
      join app.events announced on announced.id = deliveries.event_id
      where delivery.id = (input ->> 'id')::uuid
    ) whole
  ));
end
$$;
grant execute on function api.get_delivery to tenant;

-- The endpoint is locked before its deliveries, as everywhere, so that disabling and redelivering exclude each other.
create function api.redeliver(input jsonb) returns text
language plpgsql
as $$
declare
  wanted uuid := (input ->> 'id')::uuid;
  endpoint app.endpoint_state;
begin
  if not exists (select from app.deliveries where deliveries.id = wanted) then
    perform errors.refuse('not_found');
  end if;
  select webhook_endpoints.state into endpoint
  from app.webhook_endpoints
  where webhook_endpoints.id = (select delivery.endpoint_id from app.deliveries delivery where delivery.id = wanted)
    and webhook_endpoints.deleted_at is null
  for no key update;
  update app.deliveries set state = 'pending' where id = wanted and state = 'failed' and endpoint = 'active';
  if not found then
    perform errors.refuse(
      'conflict',
      reason => case when endpoint = 'active' then 'delivery_not_failed' else 'endpoint_not_active' end
    );
  end if;
  return (select row_to_json(delivery)::text from rows.deliveries delivery where delivery.id = wanted);
end
$$;
grant execute on function api.redeliver to tenant;
