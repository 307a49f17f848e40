/*
 * Member. (Part 2, "Member".) The id orders members by when they joined; it is the membership's and is not shown.
 */
create view rows.members with (security_invoker = true) as
select
  member.id,
  member.person_id as "userId",
  person.email,
  person.display_name as "displayName",
  member.role,
  rows.time(member.created_at) as "createdAt"
from app.memberships member
join app.people person on person.id = member.person_id;

create function rows.member(member rows.members) returns json
language sql stable
as $$
  select row_to_json(shown)
  from (select member."userId", member.email, member."displayName", member.role, member."createdAt") shown
$$;
comment on function rows.member is 'A member as the contract shows one.';
