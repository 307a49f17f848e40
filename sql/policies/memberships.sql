/*
 * Memberships. Readable within the organisation.
 */
create policy select_same_organisation on app.memberships
  for select to tenant
  using (organisation_id = (select caller.organisation_id()));

grant select on app.memberships to tenant;
-- No write yet: who joins and who leaves is decided by operations that do not exist before members are managed here.
