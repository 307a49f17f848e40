/*
 * Which kinds of claim an organisation may not hold about third parties. Every organisation begins with the same nine;
 * an operator restricts more or allows some, each time with a reason that is kept. What is held already stays: it can be
 * deleted, and not changed. (decisions: "Third-party limits".)
 */
create function operator.restrict_kind(organisation uuid, kind text, reason text) returns boolean
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: the operator, who names an organisation.
  with restricted as (
    insert into app.third_party_restrictions (organisation_id, kind)
    values (organisation, search.spelled(kind))
    on conflict do nothing
    returning 1
  ), told as (
    insert into app.third_party_restriction_changes (organisation_id, kind, change, reason)
    select organisation, search.spelled(kind), 'restricted', reason from restricted
  )
  select exists (select from restricted)
$$;
comment on function operator.restrict_kind is 'Instead of row-level security: the operator. False when the kind, however it is spelled, was restricted already.';

create function operator.allow_kind(organisation uuid, kind text, reason text) returns boolean
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: the operator, who names an organisation.
  with allowed as (
    delete from app.third_party_restrictions restriction
    where restriction.organisation_id = allow_kind.organisation and restriction.kind = search.spelled(allow_kind.kind)
    returning 1
  ), told as (
    insert into app.third_party_restriction_changes (organisation_id, kind, change, reason)
    select organisation, search.spelled(kind), 'allowed', reason from allowed
  )
  select exists (select from allowed)
$$;
comment on function operator.allow_kind is 'Instead of row-level security: the operator. False when the kind, however it is spelled, was not restricted.';
