/*
 * Delivery, and its attempts. (docs/specification/deliveries.md)
 */
create view rows.deliveries with (security_invoker = true) as
select
  delivery.id,
  delivery.endpoint_id as "webhookId",
  delivery.event,
  delivery.state,
  delivery.attempts,
  delivery.max_attempts as "maxAttempts",
  delivery.last_status_code as "lastStatusCode",
  delivery.last_failure as "lastFailure",
  rows.time(delivery.created_at) as "createdAt",
  rows.time(delivery.last_attempt_at) as "lastAttemptAt",
  rows.time(delivery.next_attempt_at) as "nextAttemptAt",
  rows.time(delivery.delivered_at) as "deliveredAt"
from app.deliveries delivery;
grant select on rows.deliveries to tenant;

create view rows.delivery_attempts with (security_invoker = true) as
select
  attempt.delivery_id as "deliveryId",
  attempt.number,
  attempt.trigger,
  rows.time(attempt.started_at) as "startedAt",
  attempt.duration_ms as "durationMs",
  attempt.status_code as "statusCode",
  attempt.failure
from app.delivery_attempts attempt;
grant select on rows.delivery_attempts to tenant;
