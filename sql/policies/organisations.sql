/*
 * Organisations. A caller reads the one it belongs to; keys of scope admin rename it and say its language. (Part 1: the organisation is
 * always taken from the key's record; part 5.4, "organisation rename".)
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
-- No update of anything else: billing and ceilings are the operator's.

/*
 * Usage. What the organisation has spent this month, shown beside its limit.
 */
create policy select_same_organisation on app.monthly_usage
  for select to tenant
  using (organisation_id = (select caller.organisation_id()));
comment on policy select_same_organisation on app.monthly_usage is
  'What the caller''s organisation has spent.';

grant select on app.monthly_usage to tenant;
-- No write: only the steps of runs spend.
