/*
 * Webhook endpoints. Keys of scope admin alone, reads included. (Part 4, "Webhooks and deliveries".)
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
  organisation_id, id, url, description, events, state, consecutive_failures, disabled_reason, disabled_at,
  last_delivery_at, created_at, deleted_at
) on app.webhook_endpoints to tenant;
grant insert (organisation_id, url, description, events, secret_sealed) on app.webhook_endpoints to tenant;
grant update (url, description, events, state, secret_sealed, deleted_at) on app.webhook_endpoints to tenant;
-- No select of secret_sealed: it is written here and read by the worker. No update of the count or of the reason:
-- they follow from the state. No delete: a deleted endpoint answers for its deliveries.
