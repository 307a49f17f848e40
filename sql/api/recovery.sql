/*
 * Recovery of failed and missing deliveries of an endpoint, in chunks of the requested time. A chunk ends between two
 * milliseconds, the precision of times in JSON. (docs/specification/webhooks.md#recovery)
 *
 * The lock of an endpoint's row delays the outcomes of attempts. So a call searches first, then locks, and checks the
 * found rows again as it writes: an event never gets two deliveries, nor a delivery two rounds. An advisory lock
 * serialises the recoveries of one endpoint, so that at most one of them waits for the row.
 */
create function api.recover_webhook(input jsonb) returns text
language plpgsql
as $$
declare
  endpoint app.webhook_endpoints;
  first uuid;
  past uuid;
  chunk record;
  recovered integer;
begin
  perform api_private.check_recovery_time((input ->> 'since')::timestamptz, (input ->> 'until')::timestamptz);
  endpoint := api_private.endpoint_to_recover((input ->> 'id')::uuid);
  first := times.least_id((input ->> 'since')::timestamptz);
  past := times.least_id(coalesce((input ->> 'until')::timestamptz, now()));
  if input ->> 'include' = 'failed' then
    chunk := api_private.find_failed(endpoint.id, first, past);
    recovered := api_private.recover_failed(endpoint.id, first, chunk.past, chunk.ids);
  else
    chunk := api_private.find_missing(endpoint, first, past);
    recovered := api_private.recover_missing(endpoint.id, first, chunk.past, chunk.ids);
  end if;
  return (
    select row_to_json(recovery)
    from (
      select
        endpoint.id as "webhookId", input ->> 'include' as include, recovered,
        chunk.next_since is not null as "hasMore", rows.time(chunk.next_since) as "nextSince"
    ) recovery
  );
end
$$;
grant execute on function api.recover_webhook to tenant;
