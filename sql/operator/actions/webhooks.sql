/* Operator actions on webhook endpoints and their deliveries. (docs/specification/webhooks.md#recovery) */
create function operator.resume_endpoint(organisation uuid, endpoint uuid, reason text) returns json
language plpgsql
security definer set search_path = ''
as $$
begin
  perform operator.begin_action('resume_endpoint', organisation, endpoint, null, reason);
  return operator.perform('update_webhook', jsonb_build_object('id', endpoint, 'state', 'active'));
end
$$;
comment on function operator.resume_endpoint is 'Instead of row-level security: operator.begin_action, for a token of scope act. Activates a disabled or paused endpoint; clears failure count and reason.';
grant execute on function operator.resume_endpoint to operator;

-- An endpoint that is disabled already keeps its reason, since its organisation was informed of that reason.
create function operator.disable_endpoint(organisation uuid, endpoint uuid, reason text) returns json
language plpgsql
security definer set search_path = ''
as $$
begin
  perform operator.begin_action('disable_endpoint', organisation, endpoint, null, reason);
  update app.webhook_endpoints
  set state = 'disabled', disabled_reason = 'operator', disabled_at = now()
  where webhook_endpoints.organisation_id = organisation
    and webhook_endpoints.id = endpoint
    and webhook_endpoints.deleted_at is null
    and webhook_endpoints.state <> 'disabled';
  return operator.perform('get_webhook', jsonb_build_object('id', endpoint));
end
$$;
comment on function operator.disable_endpoint is 'Instead of row-level security: operator.begin_action, for a token of scope act. Its pending deliveries fail and can be recovered; admins and owners get a mail.';
grant execute on function operator.disable_endpoint to operator;

create function operator.redeliver(organisation uuid, delivery uuid, reason text) returns json
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform operator.begin_action('redeliver', organisation, delivery, null, reason);
  return operator.perform('redeliver', jsonb_build_object('id', delivery));
end
$$;
comment on function operator.redeliver is 'Instead of row-level security: operator.begin_action, for a token of scope act. As POST /deliveries/{id}/redeliver: begins another round of a failed delivery.';
grant execute on function operator.redeliver to operator;

create type operator.missed as enum ('failed', 'missing');

create function operator.recover_deliveries(
  organisation uuid, endpoint uuid, since timestamptz, until timestamptz, include operator.missed, reason text
) returns json
language plpgsql
security definer set search_path = ''
as $$
declare
  span constant jsonb := jsonb_build_object('since', since, 'until', until, 'include', include);
begin
  perform operator.begin_action('recover_deliveries', organisation, endpoint, span, reason);
  if since is null or include is null then
    perform errors.refuse('invalid_request', '[{"path":"since","message":"must be given, and what to include"}]');
  end if;
  return operator.perform('recover_webhook', span || jsonb_build_object('id', endpoint));
end
$$;
comment on function operator.recover_deliveries is 'Instead of row-level security: operator.begin_action, for a token of scope act. As POST /webhooks/{id}/recover: a bounded number, and whether there is more.';
grant execute on function operator.recover_deliveries to operator;
