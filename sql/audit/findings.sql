/*
 * What breaches a wall, less what was looked at and left; no row when all walls stand.
 */
create view audit.breaches as
select * from audit.breaches_of_tables
union all
select * from audit.breaches_of_policies
union all
select * from audit.breaches_of_functions
union all
select * from audit.breaches_of_ownership
union all
select * from audit.breaches_of_privileges
union all
select * from audit.breaches_of_roles
union all
select * from audit.breaches_of_definitions;
comment on view audit.breaches is 'Whatever a rule finds, exceptions included: see audit.findings.';

create view audit.findings as
with found as (
  select breaches.*, breaches.kind || ' ' || breaches.name as object
  from audit.breaches
  where not exists (
    select from audit.exceptions excepted
    where excepted.rule = breaches.rule and excepted.object = breaches.kind || ' ' || breaches.name
      and excepted.detail is not distinct from breaches.detail
  )
  union all
  select 'stale_exception', null, null, excepted.rule, excepted.object
  from audit.exceptions excepted
  where not exists (
    select from audit.breaches
    where breaches.rule = excepted.rule and breaches.kind || ' ' || breaches.name = excepted.object
      and breaches.detail is not distinct from excepted.detail
  )
)
select rules.severity, found.rule, found.object,
  format(rules.what, found.name, found.detail, found.kind) as what,
  rules.why,
  format(rules.remedy, found.name, found.detail, found.kind) as remedy
from found
join audit.rules on rules.rule = found.rule
order by array_position(array['critical', 'serious', 'notice'], rules.severity), found.rule, found.object, found.detail;
comment on view audit.findings is 'What is wrong with the walls: how grave, of what object, why it matters and what puts it right. No row when all of them stand.';
