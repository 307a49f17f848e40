/*
 * Operator actions and their reasons. An action writes its own row, which never changes. No tenant reads it: the audit
 * log shows an organisation the changes of its rows.
 */
drop policy definitions_within_request on app.operator_actions;
create policy definitions_add on app.operator_actions
  for insert to owner
  with check (organisation_id = coalesce((select caller.organisation_id()), organisation_id));
comment on policy definitions_add on app.operator_actions is
  'Within a request, an action is added for the organisation of the request.';

create policy definitions_within_request on app.operator_actions
  for select to owner
  using (organisation_id = coalesce((select caller.organisation_id()), organisation_id));
comment on policy definitions_within_request on app.operator_actions is
  'Within a request, the actions on its organisation; all actions if none is set.';
-- No update and no delete, not even of owner.

-- Commands that concern no single organisation: the same, but none is visible within a request.
drop policy definitions_within_request on app.operator_commands;
create policy definitions_add on app.operator_commands
  for insert to owner
  with check ((select caller.organisation_id()) is null);
comment on policy definitions_add on app.operator_commands is
  'Added while no organisation is set, as on the command line.';

create policy definitions_outside_request on app.operator_commands
  for select to owner
  using ((select caller.organisation_id()) is null);
comment on policy definitions_outside_request on app.operator_commands is
  'All commands if no organisation is set; none within a request.';
-- No update and no delete, not even of owner.
