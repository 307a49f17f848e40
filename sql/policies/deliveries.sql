/*
 * Events, deliveries and their attempts. Keys of scope admin read them. A test writes an event, a recovery writes the
 * missing delivery of an event, and a redelivery sets a failed delivery back to pending.
 * (docs/specification/deliveries.md)
 */
create policy select_by_admin on app.events
  for select to tenant
  using (organisation_id = (select caller.organisation_id()) and (select caller.scope()) = 'admin');
comment on policy select_by_admin on app.events is
  'The events of the caller''s organisation. Scope admin.';

create policy insert_test on app.events
  for insert to tenant
  with check (
    organisation_id = (select caller.organisation_id())
    and (select caller.scope()) = 'admin'
    and kind = 'webhook.test'
  );
comment on policy insert_test on app.events is
  'A test event of the caller''s organisation, and no other kind. Scope admin.';

grant select on app.events to tenant;
grant insert (organisation_id, kind, data) on app.events to tenant;
-- No other kind of event: triggers write all others.

create policy select_by_admin on app.deliveries
  for select to tenant
  using (organisation_id = (select caller.organisation_id()) and (select caller.scope()) = 'admin');
comment on policy select_by_admin on app.deliveries is
  'The deliveries of the caller''s organisation. Scope admin.';

create policy insert_of_event on app.deliveries
  for insert to tenant
  with check (
    organisation_id = (select caller.organisation_id())
    and (select caller.scope()) = 'admin'
    and exists (select from app.events happened where happened.id = event_id and happened.kind = event)
  );
comment on policy insert_of_event on app.deliveries is
  'A delivery of an event of the caller''s organisation that is missing one. Scope admin.';

create policy update_to_redeliver on app.deliveries
  for update to tenant
  using (organisation_id = (select caller.organisation_id()) and (select caller.scope()) = 'admin')
  with check (state = 'pending');
comment on policy update_to_redeliver on app.deliveries is
  'A delivery of the caller''s organisation, back to pending and to nothing else. Scope admin.';

grant select on app.deliveries to tenant;
grant insert (organisation_id, endpoint_id, event_id, event, ordered_run_id) on app.deliveries to tenant;
grant update (state) on app.deliveries to tenant;
-- Not granted: any write of attempts and outcomes, which the worker records.

create policy select_by_admin on app.delivery_attempts
  for select to tenant
  using (organisation_id = (select caller.organisation_id()) and (select caller.scope()) = 'admin');
comment on policy select_by_admin on app.delivery_attempts is
  'The attempts at deliveries of the caller''s organisation. Scope admin.';

grant select on app.delivery_attempts to tenant;

create policy select_by_admin on app.endpoint_counts
  for select to tenant
  using (organisation_id = (select caller.organisation_id()) and (select caller.scope()) = 'admin');
comment on policy select_by_admin on app.endpoint_counts is
  'The counts of endpoints of the caller''s organisation. Scope admin.';

grant select on app.endpoint_counts to tenant;
-- Not granted: any write. Triggers keep the counts.
