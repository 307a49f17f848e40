/*
 * Organisations. A caller reads the one it belongs to. (Part 1: the organisation is always taken from the key's record.)
 */
create policy select_own on app.organisations
  for select to tenant
  using (id = (select caller.organisation_id()));

grant select on app.organisations to tenant;
-- No update: billing and ceilings are the operator's.

/*
 * Usage. What the organisation has spent this month, shown beside its limit.
 */
create policy select_same_organisation on app.monthly_usage
  for select to tenant
  using (organisation_id = (select caller.organisation_id()));

grant select on app.monthly_usage to tenant;
-- No write: only the steps of runs spend.
