/*
 * Member. (docs/specification/members.md) The id of the membership orders members by when they joined. It is not
 * part of the response, so the response is a separate column.
 */
create view rows.members with (security_invoker = true) as
select
  member.id,
  member.person_id,
  (
    select row_to_json(member_fields)
    from (
      select
        member.person_id as "userId",
        person.email,
        person.display_name as "displayName",
        member.role,
        rows.time(member.created_at) as "createdAt"
    ) member_fields
  ) as answer
from app.memberships member
join app.people person on person.id = member.person_id;
grant select on rows.members to tenant;
