/*
 * Memberships. Readable within the organisation. A key of scope admin changes and removes members in the name of its
 * person: an owner any member, an admin no owner; an admin cannot make an owner. (docs/specification/members.md#roles)
 */
create policy select_same_organisation on app.memberships
  for select to tenant
  using (organisation_id = (select caller.organisation_id()));
comment on policy select_same_organisation on app.memberships is
  'The members of the caller''s organisation and their roles.';

create policy update_within_ones_rank on app.memberships
  for update to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and (select caller.scope()) = 'admin'
    and role <= (select caller.role())
  )
  with check (role <= (select caller.role()));
comment on policy update_within_ones_rank on app.memberships is
  'Members of the caller''s organisation of no higher rank than the caller, to no higher rank. Scope admin.';

create policy delete_others_within_ones_rank on app.memberships
  for delete to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and (select caller.scope()) = 'admin'
    and role <= (select caller.role())
    and person_id <> (select caller.person_id())
  );
comment on policy delete_others_within_ones_rank on app.memberships is
  'Members of the caller''s organisation of no higher rank than the caller, and not the caller. Scope admin.';

grant select, delete on app.memberships to tenant;
grant update (role) on app.memberships to tenant;
-- Not granted: insert. Members join by accepting an invitation; operators create organisations with their first owner.
