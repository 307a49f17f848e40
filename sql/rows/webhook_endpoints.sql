/*
 * Webhook endpoint without its secret, which only its creation and rotation return.
 * (docs/specification/webhooks.md)
 */
create view rows.webhook_endpoints with (security_invoker = true) as
select
  endpoint.id,
  endpoint.url,
  endpoint.description,
  endpoint.events,
  endpoint.bot_ids as "botIds",
  endpoint.run_states as "runStates",
  endpoint.order_per_run as "orderPerRun",
  endpoint.state,
  endpoint.consecutive_failures as "consecutiveFailures",
  rows.time(endpoint.degraded_since) as "failingSince",
  rows.time(endpoint.unreadable_since) as "secretLostSince",
  endpoint.disabled_reason as "disabledReason",
  rows.time(endpoint.disabled_at) as "disabledAt",
  rows.time(endpoint.created_at) as "createdAt",
  rows.time(endpoint.last_delivery_at) as "lastDeliveryAt"
from app.webhook_endpoints endpoint
where endpoint.deleted_at is null;
grant select on rows.webhook_endpoints to tenant;

create function rows.passes_filters(bots uuid[], run_states app.run_state[], kind app.event_kind, data json) returns boolean
language sql stable -- without settings of its own, so that it is inlined
as $$
  select (bots is null or data ->> 'botId' is null or (data ->> 'botId')::uuid = any (bots))
    and (
      run_states is null
      or kind not in ('run.started', 'run.blocked', 'run.finished')
      or (data ->> 'state')::app.run_state = any (run_states)
    )
$$;
comment on function rows.passes_filters is 'Whether an event passes the filters of an endpoint. An event that concerns no bot, or no state of a run, passes that filter.';
grant execute on function rows.passes_filters to tenant;

create function rows.host_of(url text) returns text
language sql immutable parallel safe
as $$ select regexp_replace(substring(url from '^https://[/\\]*([^/\\?#]*)'), '^.*@', '') $$;
comment on function rows.host_of is 'The host and port of a URL, for readers outside its organisation: path, query and user name may contain credentials.';
grant execute on function rows.host_of to tenant, operator;

create function rows.words_of_path(url text) returns text
language sql immutable parallel safe
as $$
  select btrim(regexp_replace(
    translate(substring(url from '^https://[/\\]*[^/\\?#]*[/\\]([^?#]+)'), '\', '/'),
    '(^|/)(?!([a-z]{2,20}([_-][a-z]{2,20})?|v[0-9]{1,2})(/|$))[^/]+', '\1…', 'g'
  ), '/')
$$;
comment on function rows.words_of_path is 'The path of a URL for readers outside its organisation. Shows plain words and versions such as v2 only, since any other part may be a credential.';
grant execute on function rows.words_of_path to tenant, operator;
