/*
 * The stream of the audit log. Only keys of scope admin read and write it, as the log and the endpoints.
 * (docs/specification/audit-log.md#stream)
 */
create policy select_by_admin on app.audit_streams
  for select to tenant
  using (organisation_id = (select caller.organisation_id()) and (select caller.scope()) = 'admin');
comment on policy select_by_admin on app.audit_streams is 'The stream of the caller''s organisation. Scope admin.';

create policy insert_by_admin on app.audit_streams
  for insert to tenant
  with check (organisation_id = (select caller.organisation_id()) and (select caller.scope()) = 'admin');
comment on policy insert_by_admin on app.audit_streams is 'A stream of the caller''s organisation. Scope admin.';

create policy update_by_admin on app.audit_streams
  for update to tenant
  using (organisation_id = (select caller.organisation_id()) and (select caller.scope()) = 'admin');
comment on policy update_by_admin on app.audit_streams is 'The stream of the caller''s organisation. Scope admin.';

create policy delete_by_admin on app.audit_streams
  for delete to tenant
  using (organisation_id = (select caller.organisation_id()) and (select caller.scope()) = 'admin');
comment on policy delete_by_admin on app.audit_streams is 'The stream of the caller''s organisation. Scope admin.';

grant select (
  organisation_id, id, url, format, state, disabled_reason, disabled_at, after_entry_id, after_sequence, consecutive_failures,
  degraded_since, unreadable_since, last_status_code, last_failure, last_delivery_at, next_attempt_at, created_at
) on app.audit_streams to tenant;
grant insert (organisation_id, url, format, after_entry_id, after_sequence, secret_sealed) on app.audit_streams to tenant;
grant update (url, format, state, after_entry_id, after_sequence, secret_sealed) on app.audit_streams to tenant;
grant delete on app.audit_streams to tenant;
-- Not granted: select of secret_sealed (the worker reads it), any access to the part and the lease, update of failures.
