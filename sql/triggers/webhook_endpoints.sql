/*
 * The states of an endpoint, and its lost secret. Leaving `disabled` clears the failure count and the reason. Pending deliveries of a paused
 * endpoint continue when it is resumed. Deliveries of a disabled or deleted endpoint fail without a further attempt.
 * (docs/specification/webhooks.md#states)
 */
create function triggers.reset_failures() returns trigger
language plpgsql
as $$
begin
  new.consecutive_failures := 0;
  new.disabled_reason := null;
  new.disabled_at := null;
  return new;
end
$$;
comment on function triggers.reset_failures is 'Clears failure count and reason of an endpoint that is no longer disabled.';

create trigger _100_reset_failures before update on app.webhook_endpoints
  for each row when (old.state = 'disabled' and new.state <> 'disabled')
  execute function triggers.reset_failures();
create trigger _100_reset_failures before update on app.audit_streams
  for each row when (old.state = 'disabled' and new.state <> 'disabled')
  execute function triggers.reset_failures();

create function triggers.tg_webhook_endpoints__resume_pending() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  perform jobs.queue_endpoint(new.organisation_id, new.id); -- for deliveries due meanwhile; later ones have a job
  return null;
end
$$;
comment on function triggers.tg_webhook_endpoints__resume_pending is 'Instead of row-level security: jobs.queue_endpoint, for new.id. Queues a job for deliveries that became due during the pause.';

create trigger _500_resume_pending after update on app.webhook_endpoints
  for each row when (old.state = 'paused' and new.state = 'active')
  execute function triggers.tg_webhook_endpoints__resume_pending();

create function triggers.tg_webhook_endpoints__end_order() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  update app.deliveries waiting
  set ordered_run_id = null, next_attempt_at = date_trunc('milliseconds', times.clock()) -- due now: the column would round up
  where waiting.organisation_id = new.organisation_id
    and waiting.endpoint_id = new.id
    and waiting.ordered_run_id is not null
    and waiting.state = 'pending'
    and waiting.attempts = waiting.attempts_before_round -- not one that waits for its retry
    and waiting.next_attempt_at > times.clock();
  perform jobs.queue_endpoint(new.organisation_id, new.id);
  return null;
end
$$;
comment on function triggers.tg_webhook_endpoints__end_order is 'Instead of row-level security: waiting.organisation_id = new.organisation_id. Makes deliveries due that wait for earlier ones of their run, and queues a job.';

create trigger _500_end_order after update on app.webhook_endpoints
  for each row when (old.order_per_run and not new.order_per_run)
  execute function triggers.tg_webhook_endpoints__end_order();

create function triggers.tg_webhook_endpoints__fail_pending() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  update app.deliveries
  set state = 'failed', next_attempt_at = null, lease_id = null, lease_until = null
  where organisation_id = new.organisation_id
    and endpoint_id = new.id
    and state = 'pending'
    and (lease_until is null or lease_until < times.clock()); -- an attempt under way is recorded as it ends
  return null;
end
$$;
comment on function triggers.tg_webhook_endpoints__fail_pending is 'Instead of row-level security: organisation_id = new.organisation_id and endpoint_id = new.id. Fails the pending deliveries of the endpoint.';

create trigger _500_fail_pending after update on app.webhook_endpoints
  for each row
  when (
    (old.state <> 'disabled' and new.state = 'disabled')
    or (old.deleted_at is null and new.deleted_at is not null)
  )
  execute function triggers.tg_webhook_endpoints__fail_pending();

-- On hooks and streams too. A new secret, or the former one under a new master key, can be opened.
create function triggers.find_secret() returns trigger
language plpgsql
as $$
begin
  new.unreadable_since := null;
  return new;
end
$$;
comment on function triggers.find_secret is 'Notes that the secret can be opened again.';

create trigger _200_find_secret before update on app.webhook_endpoints
  for each row when (old.secret_sealed <> new.secret_sealed)
  execute function triggers.find_secret();

create trigger _200_find_secret before update on app.hooks
  for each row when (old.secret_sealed <> new.secret_sealed)
  execute function triggers.find_secret();

create trigger _200_find_secret before update on app.audit_streams
  for each row when (old.secret_sealed <> new.secret_sealed)
  execute function triggers.find_secret();

create function triggers.tg_webhook_endpoints__deliver_waiting() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  update app.deliveries waiting
  set
    -- A lease of no worker, which has ended. With null, the outcome of the attempt under way would count (jobs.end_attempts).
    (lease_id, lease_until) = (select uuidv7(), times.clock() where waiting.lease_id is not null),
    next_attempt_at = date_trunc('milliseconds', times.clock()) -- due now: the column would round up
  where waiting.organisation_id = new.organisation_id
    and waiting.endpoint_id = new.id
    and waiting.state = 'pending'
    -- An attempt under way with the lost secret would make its delivery wait again.
    and case when waiting.lease_id is null then waiting.last_failure = 'secret' else old.secret_sealed <> new.secret_sealed end;
  perform jobs.queue_endpoint(new.organisation_id, new.id);
  return null;
end
$$;
comment on function triggers.tg_webhook_endpoints__deliver_waiting is 'Instead of row-level security: waiting.organisation_id = new.organisation_id. Makes deliveries due that wait for a secret that can be opened, and queues a job.';

create trigger _500_deliver_waiting after update on app.webhook_endpoints
  for each row when (old.unreadable_since is not null and new.unreadable_since is null)
  execute function triggers.tg_webhook_endpoints__deliver_waiting();
