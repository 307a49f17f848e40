/*
 * Organisations. A caller reads its own organisation; keys of scope admin set its name and language.
 * (docs/specification/organisation-and-me.md#organisation)
 */
create policy select_own on app.organisations
  for select to tenant
  using (id = (select caller.organisation_id()));
comment on policy select_own on app.organisations is
  'The caller''s organisation.';

create policy rename_own on app.organisations
  for update to tenant
  using (id = (select caller.organisation_id()) and (select caller.scope()) = 'admin');
comment on policy rename_own on app.organisations is
  'The name and the language of the caller''s organisation. Scope admin.';

grant select on app.organisations to tenant;
grant update (name, language) on app.organisations to tenant;
-- Not granted: update of other columns. Operators set billing.

/*
 * Usage: the organisation's spending of each month.
 */
create policy select_same_organisation on app.monthly_usage
  for select to tenant
  using (organisation_id = (select caller.organisation_id()));
comment on policy select_same_organisation on app.monthly_usage is
  'The monthly spending of the caller''s organisation.';

grant select on app.monthly_usage to tenant;
-- Not granted: any write. The steps of runs add to it.
