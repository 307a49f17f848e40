/*
 * People. A caller reads the members of its organisation. (docs/specification/members.md)
 */
-- `exists`, so that each person is looked up. For `in` the planner estimates half of all people and reads the whole
-- table.
create policy select_fellow_members on app.people
  for select to tenant
  using (
    exists (
      select from app.memberships member
      where member.organisation_id = (select caller.organisation_id()) and member.person_id = people.id
    )
  );
comment on policy select_fellow_members on app.people is
  'The members of the caller''s organisation.';

grant select on app.people to tenant;
-- Not granted: any write. A person may belong to several organisations, and none of them may rename the person for
-- others.
