/*
 * Memberships. Readable within the organisation. Keys of scope admin change and remove members, as the person they are
 * bound to: an owner anyone, an admin nobody who is an owner and nobody into one. (Part 4, "Members and invitations";
 * decisions: "Members".)
 */
create policy select_same_organisation on app.memberships
  for select to tenant
  using (organisation_id = (select caller.organisation_id()));
comment on policy select_same_organisation on app.memberships is
  'Who belongs to the caller''s organisation, and as what.';

create policy update_within_ones_rank on app.memberships
  for update to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and (select caller.scope()) = 'admin'
    and role <= (select caller.role())
  )
  with check (role <= (select caller.role()));
comment on policy update_within_ones_rank on app.memberships is
  'Members of the caller''s organisation of no higher rank than the caller, and into none higher. Scope admin.';

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
-- No insert: who joins has accepted an invitation, and who founds is the operator's.
