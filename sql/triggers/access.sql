/*
 * Open streams are checked again as soon as a credential of their organisation may have ended, not only at their next
 * heartbeat. The notification names the organisation alone, so a revocation that many rows make is one notification.
 * (docs/specification/runs.md#event-stream)
 */
create function triggers.tg_credentials__notify() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  perform pg_notify(service.run_events_channel(), 'access ' || old.organisation_id);
  return null;
end
$$;
comment on function triggers.tg_credentials__notify is 'Instead of row-level security: reads old.organisation_id only. Notifies processes with open streams, which check the credentials of the organisation again.';

create trigger _600_notify_access after update on app.api_keys
  for each row
  when (
    (old.revoked_at, old.expires_at, old.suspended_at, old.allowed_ips)
      is distinct from (new.revoked_at, new.expires_at, new.suspended_at, new.allowed_ips)
  )
  execute function triggers.tg_credentials__notify();

create trigger _600_notify_access after update on app.portal_sessions
  for each row when (old.revoked_at is distinct from new.revoked_at)
  execute function triggers.tg_credentials__notify();

create trigger _600_notify_access after delete on app.memberships
  for each row execute function triggers.tg_credentials__notify();

create trigger _600_notify_access_of_role after update on app.memberships
  for each row when (old.role is distinct from new.role)
  execute function triggers.tg_credentials__notify();

-- The person of a conversation may no longer see the bot, and then reads nothing of its runs.
create trigger _600_notify_access_of_visibility after update on app.bots
  for each row when (old.visibility is distinct from new.visibility)
  execute function triggers.tg_credentials__notify();

-- A view of an operator ends with the operator's token, which belongs to no organisation.
create function triggers.tg_operator_tokens__notify() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  perform pg_notify(service.run_events_channel(), 'access ' || session.organisation_id)
  from app.portal_sessions session
  where session.operator_token_id = new.id and session.revoked_at is null and session.expires_at > now();
  return null;
end
$$;
comment on function triggers.tg_operator_tokens__notify is 'Instead of row-level security: session.operator_token_id = new.id. Notifies processes with open streams in the organisations that the token viewed.';

create trigger _600_notify_access after update on app.operator_tokens
  for each row when (old.revoked_at is distinct from new.revoked_at)
  execute function triggers.tg_operator_tokens__notify();
