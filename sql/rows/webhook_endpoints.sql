/*
 * Webhook endpoint. Its secret is shown by create and rotate alone, and not from here. (Part 2, "Webhook endpoint".)
 */
create view rows.webhook_endpoints with (security_invoker = true) as
select
  endpoint.id,
  endpoint.url,
  endpoint.description,
  endpoint.events,
  endpoint.state,
  endpoint.consecutive_failures as "consecutiveFailures",
  endpoint.disabled_reason as "disabledReason",
  rows.time(endpoint.disabled_at) as "disabledAt",
  rows.time(endpoint.created_at) as "createdAt",
  rows.time(endpoint.last_delivery_at) as "lastDeliveryAt"
from app.webhook_endpoints endpoint
where endpoint.deleted_at is null;

create function rows.host_of(url text) returns text
language sql immutable parallel safe
as $$ select regexp_replace(substring(url from '^https://[/\\]*([^/\\?#]*)'), '^.*@', '') $$;
comment on function rows.host_of is 'As much of an address as anybody but its organisation is told: a path or a query may hold what lets one in, what stands before the @ does.';
