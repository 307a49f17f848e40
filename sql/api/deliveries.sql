/*
 * Deliveries. (Part 4, "Webhooks and deliveries"; decisions: "Delivery" and "Redeliver".)
 */
create function api.list_deliveries(input jsonb) returns text
language plpgsql stable
as $$
declare
  endpoint uuid := (input ->> 'id')::uuid;
begin
  if not exists (select from rows.webhook_endpoints held where held.id = endpoint) then
    perform caller.refuse('not_found');
  end if;
  return (
    select rows.page(array_agg(row_to_json(delivery) order by delivery.id desc), input)
    from (
      select * from rows.deliveries
      where "webhookId" = endpoint and id < rows.before(input)
      order by id desc
      limit (input ->> 'limit')::integer + 1
    ) delivery
  );
end
$$;

create function api.get_delivery(input jsonb) returns text
language plpgsql stable
as $$
declare
  answer text;
begin
  select row_to_json(whole)::text into answer
  from (
    select
      delivery.*,
      (
        select coalesce(json_agg(attempt order by attempt.number), '[]')
        from (
          select number, trigger, "startedAt", "durationMs", "statusCode", failure
          from rows.delivery_attempts
          where "deliveryId" = delivery.id
        ) attempt
      ) as "attemptLog",
      jobs.payload(delivery.id, announced)::json as payload
    from rows.deliveries delivery
    join app.deliveries held on held.id = delivery.id
    join app.events announced on announced.id = held.event_id
    where delivery.id = (input ->> 'id')::uuid
  ) whole;
  if answer is null then
    perform caller.refuse('not_found');
  end if;
  return answer;
end
$$;

-- The endpoint's lock comes first, as everywhere: who disables it and who redelivers to it take turns.
create function api.redeliver(input jsonb) returns text
language plpgsql
as $$
declare
  wanted uuid := (input ->> 'id')::uuid;
  endpoint app.endpoint_state;
begin
  if not exists (select from app.deliveries held where held.id = wanted) then
    perform caller.refuse('not_found');
  end if;
  select held.state into endpoint
  from app.webhook_endpoints held
  where held.id = (select delivery.endpoint_id from app.deliveries delivery where delivery.id = wanted)
    and held.deleted_at is null
  for no key update;
  update app.deliveries set state = 'pending' where id = wanted and state = 'failed' and endpoint = 'active';
  if not found then
    perform caller.refuse('conflict');
  end if;
  return (select row_to_json(delivery)::text from rows.deliveries delivery where delivery.id = wanted);
end
$$;
