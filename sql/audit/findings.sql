/* Violations of invariants, without the accepted exceptions. No row if all invariants hold. */
create view audit.violations as
select * from audit.violations_of_tables
union all
select * from audit.violations_of_policies
union all
select * from audit.violations_of_functions
union all
select * from audit.violations_of_ownership
union all
select * from audit.violations_of_logins
union all
select * from audit.violations_of_privileges
union all
select * from audit.violations_of_roles
union all
select * from audit.violations_of_definitions;
comment on view audit.violations is 'All violations, including accepted exceptions: see audit.findings.';
grant select on audit.violations to auditor;

create view audit.findings as
with found as (
  select violations.*, violations.kind || ' ' || violations.name as object
  from audit.violations
  where not exists (
    select from audit.exceptions excepted
    where excepted.rule = violations.rule and excepted.object = violations.kind || ' ' || violations.name
      and excepted.detail is not distinct from violations.detail
  )
  union all
  select 'stale_exception', null, null, excepted.rule, excepted.object
  from audit.exceptions excepted
  where not exists (
    select from audit.violations
    where violations.rule = excepted.rule and violations.kind || ' ' || violations.name = excepted.object
      and violations.detail is not distinct from excepted.detail
  )
)
select rules.severity, found.rule, found.object,
  format(rules.what, found.name, found.detail, found.kind) as what,
  rules.why,
  format(rules.remedy, found.name, found.detail, found.kind) as remedy
from found
join audit.rules on rules.rule = found.rule
order by array_position(array['critical', 'serious', 'notice'], rules.severity), found.rule, found.object, found.detail;
comment on view audit.findings is 'Violated invariants: severity, object, what is wrong, why it matters, and the remedy. No row if all invariants hold.';
grant select on audit.findings to auditor;
