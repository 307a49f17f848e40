/*
 * Organisation, as the person who belongs to it and as the operator see it. (decisions: section 3.)
 */
create view rows.organisations with (security_invoker = true) as
select
  organisation.id,
  organisation.name,
  organisation.kind,
  organisation.billing_state as "billingState",
  rows.time(organisation.trial_ends_at) as "trialEndsAt",
  rows.time(organisation.created_at) as "createdAt"
from app.organisations organisation;

create view rows.founded_organisations with (security_invoker = true) as
select
  organisation.*,
  (
    select row_to_json(owner)
    from (
      select person.id as "userId", person.email, person.display_name as "displayName"
      from app.memberships member
      join app.people person on person.id = member.person_id
      where member.organisation_id = organisation.id and member.role = 'owner'
      order by member.created_at, member.person_id
      limit 1
    ) owner
  ) as owner
from rows.organisations organisation;
comment on view rows.founded_organisations is 'An organisation with the owner who has been so for longest.';

create function rows.use("limit" bigint, used bigint) returns json
language sql immutable parallel safe
as $$ select row_to_json(held) from (select use."limit", use.used) held $$;
comment on function rows.use is 'A ceiling, null for none, and what is used of it.';
