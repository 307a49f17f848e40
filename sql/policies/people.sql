/*
 * People. A caller reads those who share its organisation. (Part 2, "Member".)
 */
-- Looked up person by person: people are of all organisations, and to the planner a list of fellow members would seem
-- to let through half of them, which it then reads from one end to the other.
create policy select_fellow_members on app.people
  for select to tenant
  using (
    exists (
      select from app.memberships member
      where member.organisation_id = (select caller.organisation_id()) and member.person_id = people.id
    )
  );
comment on policy select_fellow_members on app.people is
  'Those who share the caller''s organisation.';

grant select on app.people to tenant;
-- No write: a person may belong to several organisations, and none of them may rename what the others see.
