/*
 * Event, with what became of it at each endpoint it went to. (decisions: "Beyond the specification", 3.)
 */
create view rows.events with (security_invoker = true) as
select
  event.id,
  event.kind as event,
  rows.time(event.created_at) as "createdAt",
  event.data,
  (
    -- The order of the index that finds them; in it is one for each endpoint.
    select coalesce(json_agg(delivery order by delivery."webhookId"), '[]')
    from (
      select delivery.id, delivery.endpoint_id as "webhookId", delivery.state
      from app.deliveries delivery
      where delivery.organisation_id = event.organisation_id and delivery.event_id = event.id
    ) delivery
  ) as deliveries
from app.events event;
