/*
 * The states of an endpoint. Leaving `disabled` forgives: count and reason are cleared. What waits at a paused endpoint
 * goes on when it is resumed; what waits at a disabled or deleted one has failed, with no further attempt.
 * (Part 3, "Webhook endpoint states"; decisions: "PATCH /webhooks/{id}".)
 */
create function triggers.tg_webhook_endpoints__forgive() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.consecutive_failures := 0;
  new.disabled_reason := null;
  new.disabled_at := null;
  return new;
end
$$;

create trigger _100_forgive before update on app.webhook_endpoints
  for each row when (old.state = 'disabled' and new.state <> 'disabled')
  execute function triggers.tg_webhook_endpoints__forgive();

create function triggers.tg_webhook_endpoints__resume_pending() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it queues a visit to the endpoint being written.
begin
  perform jobs.queue_visit(new.organisation_id, new.id); -- for what came due meanwhile; what is not yet due has its own
  return null;
end
$$;
comment on function triggers.tg_webhook_endpoints__resume_pending is 'Instead of row-level security: queues a visit to the endpoint being written.';

create trigger _500_resume_pending after update on app.webhook_endpoints
  for each row when (old.state = 'paused' and new.state = 'active')
  execute function triggers.tg_webhook_endpoints__resume_pending();

create function triggers.tg_webhook_endpoints__fail_pending() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it ends what waits at the endpoint being written.
begin
  update app.deliveries
  set state = 'failed', next_attempt_at = null, claim_id = null, claimed_until = null
  where organisation_id = new.organisation_id
    and endpoint_id = new.id
    and state = 'pending'
    and (claimed_until is null or claimed_until < jobs.clock()); -- an attempt under way is recorded as it ends
  return null;
end
$$;
comment on function triggers.tg_webhook_endpoints__fail_pending is 'Instead of row-level security: ends what waits at the endpoint being written.';

create trigger _500_fail_pending after update on app.webhook_endpoints
  for each row
  when (
    (old.state <> 'disabled' and new.state = 'disabled')
    or (old.deleted_at is null and new.deleted_at is not null)
  )
  execute function triggers.tg_webhook_endpoints__fail_pending();
