/*
 * Webhook endpoint without its secret, which only its creation and rotation return.
 * (docs/specification/webhooks.md#fields)
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
grant select on rows.webhook_endpoints to tenant;

create function rows.host_of(url text) returns text
language sql immutable parallel safe
as $$ select regexp_replace(substring(url from '^https://[/\\]*([^/\\?#]*)'), '^.*@', '') $$;
comment on function rows.host_of is 'The host and port of a URL, for readers outside its organisation: path, query and user name may contain credentials.';
grant execute on function rows.host_of to tenant, operator;
