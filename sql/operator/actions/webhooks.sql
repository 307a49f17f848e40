/*
 * Acts on webhook endpoints and what is sent to them. (Part 3, "Webhook endpoint states"; decisions: section 5.2.)
 */
create function operator.resume_endpoint(organisation uuid, endpoint uuid, reason text) returns json
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: an operator's token of scope act; what follows is the API's, under its policies.
begin
  perform operator.begin_act('resume_endpoint', organisation, endpoint, null, reason);
  return operator.perform('update_webhook', jsonb_build_object('id', endpoint, 'state', 'active'));
end
$$;
comment on function operator.resume_endpoint is 'Instead of row-level security: an operator''s token of scope act. Active from now on, also when it was paused; count and reason are cleared.';

-- One that is disabled already stays as it is, with the reason that it has: that is what its organisation was told.
create function operator.disable_endpoint(organisation uuid, endpoint uuid, reason text) returns json
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: an operator's token of scope act, for an endpoint of the organisation that it names.
begin
  perform operator.begin_act('disable_endpoint', organisation, endpoint, null, reason);
  update app.webhook_endpoints held
  set state = 'disabled', disabled_reason = 'operator', disabled_at = now()
  where held.organisation_id = organisation
    and held.id = endpoint
    and held.deleted_at is null
    and held.state <> 'disabled';
  return operator.perform('get_webhook', jsonb_build_object('id', endpoint));
end
$$;
comment on function operator.disable_endpoint is 'Instead of row-level security: an operator''s token of scope act. What waits there has failed and can be recovered; owners and admins are told by mail.';

create type operator.missed as enum ('failed', 'missing');

create function operator.recover_deliveries(
  organisation uuid, endpoint uuid, since timestamptz, until timestamptz, include operator.missed, reason text
) returns json
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: an operator's token of scope act; what follows is the API's, under its policies.
declare
  span constant jsonb := jsonb_build_object('since', since, 'until', until, 'include', include);
begin
  perform operator.begin_act('recover_deliveries', organisation, endpoint, span, reason);
  if since is null or include is null then
    perform caller.refuse('invalid_request', '[{"path":"since","message":"must be given, and what to include"}]');
  end if;
  return operator.perform('recover_webhook', span || jsonb_build_object('id', endpoint));
end
$$;
comment on function operator.recover_deliveries is 'Instead of row-level security: an operator''s token of scope act. As POST /webhooks/{id}/recover: a bounded chunk, and whether there is more.';
