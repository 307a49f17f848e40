/*
 * Statistics of an endpoint by the hour: deliveries by their creation, attempts by their start. Triggers keep
 * the counts (sql/triggers/endpoint_counts.sql). (docs/specification/webhooks.md#statistics)
 */
create function api.get_webhook_stats(input jsonb) returns text
language plpgsql stable
as $$
declare
  endpoint constant uuid := (input ->> 'id')::uuid;
  requested_until constant timestamptz := coalesce((input ->> 'until')::timestamptz, now());
  -- Whole hours: the last one contains the end of the requested time, or ends with it.
  until constant timestamptz := date_trunc('hour', requested_until - interval '1 microsecond', 'UTC') + interval '1 hour';
  requested_since constant timestamptz := coalesce((input ->> 'since')::timestamptz, until - interval '24 hours');
  since constant timestamptz := date_trunc('hour', requested_since, 'UTC');
begin
  if requested_since >= requested_until then
    perform errors.refuse('invalid_request', '[{"path":"query.since","message":"must be earlier than until"}]');
  elsif requested_until - requested_since > interval '7 days' then
    perform errors.refuse('invalid_request', '[{"path":"query.since","message":"must be at most 7 days before until"}]');
  end if;
  if not exists (select from rows.webhook_endpoints where webhook_endpoints.id = endpoint) then
    perform errors.refuse('not_found');
  end if;
  return (
    with counted as (
      select made.hour, made.counts as deliveries, begun.counts as attempts
      from api_private.delivery_counts(endpoint, since, until) made
      join api_private.attempt_counts(endpoint, since, until) begun on begun.hour is not distinct from made.hour
    )
    select rows.compact(json_build_object(
      'webhookId', endpoint, 'since', rows.time(since), 'until', rows.time(until),
      'totals', (select json_build_object('deliveries', deliveries, 'attempts', attempts) from counted where hour is null),
      'hours', (
        select json_agg(
          json_build_object('hour', rows.time(hour), 'deliveries', deliveries, 'attempts', attempts) order by hour
        )
        from counted
        where hour is not null
      )
    ))
  );
end
$$;
grant execute on function api.get_webhook_stats to tenant;
