/*
 * Webhook endpoints. Only keys of scope admin read and write them. (docs/specification/webhooks.md)
 */
create policy select_by_admin on app.webhook_endpoints
  for select to tenant
  using (organisation_id = (select caller.organisation_id()) and (select caller.scope()) = 'admin');
comment on policy select_by_admin on app.webhook_endpoints is
  'The endpoints of the caller''s organisation. Scope admin.';

create policy insert_by_admin on app.webhook_endpoints
  for insert to tenant
  with check (organisation_id = (select caller.organisation_id()) and (select caller.scope()) = 'admin');
comment on policy insert_by_admin on app.webhook_endpoints is
  'An endpoint of the caller''s organisation. Scope admin.';

create policy update_by_admin on app.webhook_endpoints
  for update to tenant
  using (organisation_id = (select caller.organisation_id()) and (select caller.scope()) = 'admin');
comment on policy update_by_admin on app.webhook_endpoints is
  'The endpoints of the caller''s organisation. Scope admin.';

grant select (
  organisation_id, id, url, description, events, bot_ids, run_states, order_per_run, state, consecutive_failures,
  degraded_since, unreadable_since, disabled_reason, disabled_at, last_delivery_at, created_at, deleted_at
) on app.webhook_endpoints to tenant;
grant insert (organisation_id, url, description, events, bot_ids, run_states, order_per_run, secret_sealed)
  on app.webhook_endpoints to tenant;
grant update (url, description, events, bot_ids, run_states, order_per_run, state, secret_sealed, deleted_at)
  on app.webhook_endpoints to tenant;
-- Not granted: select of secret_sealed (the worker reads it), update of the failure count and the reason (triggers and the
-- worker set them), delete (deliveries refer to the row).
