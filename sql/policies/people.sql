/*
 * People. A caller reads those who share its organisation. (Part 2, "Member".)
 */
create policy select_fellow_members on app.people
  for select to tenant
  using (id in (select member.person_id from app.memberships member)); -- memberships' own policy decides

grant select on app.people to tenant;
-- No write: a person may belong to several organisations, and none of them may rename what the others see.
