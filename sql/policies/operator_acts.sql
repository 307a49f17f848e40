/*
 * What operators have done, and why. Added by the act itself and changed by nobody; no tenant reads it, since the trail
 * tells an organisation what was done with its rows.
 */
drop policy definitions_within_request on app.operator_acts;
create policy definitions_add on app.operator_acts
  for insert to owner
  with check (organisation_id = coalesce((select caller.organisation_id()), organisation_id));
comment on policy definitions_add on app.operator_acts is
  'Within a request an act is added with its organisation.';

create policy definitions_within_request on app.operator_acts
  for select to owner
  using (organisation_id = coalesce((select caller.organisation_id()), organisation_id));
comment on policy definitions_within_request on app.operator_acts is
  'Within a request the acts of its organisation; all of them where none is set.';
-- No update and no delete, not even of owner.
