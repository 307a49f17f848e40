/*
 * The audit log. Keys of scope admin read the entries of their organisation; only the triggers of logged tables write.
 * (docs/decisions/0033-audit-log.md)
 */
create policy select_by_admin on app.audit_log
  for select to tenant
  using (organisation_id = (select caller.organisation_id()) and (select caller.scope()) = 'admin');

comment on policy select_by_admin on app.audit_log is 'Keys of scope admin read the audit log of their organisation.';
grant select on app.audit_log to tenant;
-- Not granted: any write, any access to truncations and pending entries, and the rest of a chain head.
create policy select_of_organisation on app.audit_chain_heads
  for select to tenant
  using (organisation_id = (select caller.organisation_id()));
comment on policy select_of_organisation on app.audit_chain_heads is 'Callers read the position of the last event of their organisation.';
grant select (organisation_id, event_position) on app.audit_chain_heads to tenant;

/*
 * Owner, which owns the triggers, adds entries and cannot change or delete them. A transaction of a worker or an
 * executor can write rows of several organisations, so the insert policy does not compare the organisation.
 */
drop policy definitions_within_request on app.audit_log;
create policy definitions_append on app.audit_log for insert to owner with check (true);
comment on policy definitions_append on app.audit_log is 'Triggers add entries, for the organisation of the row that was written.';
create policy definitions_within_request on app.audit_log
  for select to owner
  using (organisation_id = coalesce((select caller.organisation_id()), organisation_id));
comment on policy definitions_within_request on app.audit_log is 'Functions of owner read the audit log of the organisation of the request, or of all if none is set.';

drop policy definitions_within_request on app.audit_chain_heads;
create policy definitions_begin on app.audit_chain_heads for insert to owner with check (true);
create policy definitions_move on app.audit_chain_heads for update to owner using (true);
create policy definitions_read on app.audit_chain_heads for select to owner using (true);
comment on policy definitions_begin on app.audit_chain_heads is 'A new organisation gets a chain head.';
comment on policy definitions_move on app.audit_chain_heads is 'Triggers advance the chain head of the row''s organisation.';
comment on policy definitions_read on app.audit_chain_heads is 'Triggers advance the chain head of the row''s organisation.';
-- No policy for delete.

drop policy definitions_within_request on app.audit_pending_entries;
create policy definitions_pass_on on app.audit_pending_entries for all to owner using (true);
comment on policy definitions_pass_on on app.audit_pending_entries is 'Triggers keep entries here until the other deferred triggers of the transaction are done. No transaction sees the entries of another.';
