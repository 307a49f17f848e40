/*
 * The trail. Keys of scope admin read their organisation's; nobody writes it but the triggers of the tables whose changes
 * it tells. (docs/decisions.md, "The trail".)
 */
create policy select_by_admin on app.audit_trail
  for select to tenant
  using (organisation_id = (select caller.organisation_id()) and (select caller.scope()) = 'admin');

comment on policy select_by_admin on app.audit_trail is 'Keys of scope admin read the trail of their organisation.';
grant select on app.audit_trail to tenant;
-- No write of any kind, and nothing of heads, cuts and drafts.

/*
 * Owner, to whom the triggers belong, adds to the trail and can neither change it nor delete from it. One transaction of a
 * worker or an executor may write rows of several organisations, and what it adds is of the row's, whosever was served.
 */
drop policy definitions_within_request on app.audit_trail;
create policy definitions_append on app.audit_trail for insert to owner with check (true);
comment on policy definitions_append on app.audit_trail is 'Triggers add entries, for the organisation of the row that was written.';
create policy definitions_within_request on app.audit_trail
  for select to owner
  using (organisation_id = coalesce((select caller.organisation_id()), organisation_id));
comment on policy definitions_within_request on app.audit_trail is 'Functions that work as owner read the trail of the organisation whose request they serve, and of all where there is none.';

drop policy definitions_within_request on app.audit_heads;
create policy definitions_begin on app.audit_heads for insert to owner with check (true);
create policy definitions_move on app.audit_heads for update to owner using (true);
create policy definitions_read on app.audit_heads for select to owner using (true);
comment on policy definitions_begin on app.audit_heads is 'An organisation begins with a head.';
comment on policy definitions_move on app.audit_heads is 'Triggers move the head of the row''s organisation.';
comment on policy definitions_read on app.audit_heads is 'Triggers move the head of the row''s organisation.';
-- Nobody deletes one.

drop policy definitions_within_request on app.audit_drafts;
create policy definitions_pass_on on app.audit_drafts for all to owner using (true);
comment on policy definitions_pass_on on app.audit_drafts is 'Triggers keep entries here until all other work of their own transaction is done; nobody sees another''s.';
