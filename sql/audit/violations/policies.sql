/*
 * Policies for a wrong role, policies without condition, without the organisation or without a comment, and privileges
 * without a policy.
 */
create view audit.violations_of_policies (rule, kind, name, detail) as
with policies as (
  select policy.*, format('%I on %s', policy.policy, policy.table_name) as name, tables.organisation is not null as of_tenant,
    concat_ws(
      ' ', 'for', policy.command, 'to', policy.role, 'using (' || policy.rows_it_shows || ')',
      'with check (' || policy.rows_it_takes || ')'
    ) as definition
  from audit.policies policy
  left join audit.tables on tables.name = policy.table_name
)
select 'policy_for_others', 'policy', policies.name, policies.role
from policies
where policies.role not in ('owner', 'tenant', 'authenticator', 'searcher')
  and not (policies.role = 'worker' and starts_with(policies.table_name, 'graphile_worker.'))
union all
select 'policy_open', 'policy', policies.name, policies.definition
from policies
where policies.permissive and 'true' in (policies.rows_it_shows, policies.rows_it_takes)
union all
-- The comparison must be the whole condition or the first part of a conjunction: PostgreSQL prints it in exactly these
-- forms. For owner it applies to definer functions wherever the request has set an organisation. Inserts are limited by
-- with check alone. An update changes rows that are visible, and cannot move them (origin_updatable).
select distinct 'policy_without_organisation', 'policy', policies.name, policies.definition
from policies, lateral (
  select coalesce(policies.rows_it_shows, policies.rows_it_takes)
  union
  select coalesce(policies.rows_it_takes, policies.rows_it_shows) where policies.command in ('insert', 'all')
) considered (condition)
where policies.of_tenant and policies.permissive and policies.role in ('tenant', 'owner') and not exists (
  select
  from (
    values
      ('tenant', '(organisation_id = ( SELECT caller.organisation_id() AS organisation_id))'),
      ('tenant', '(organisation_id = caller.organisation_id())'),
      ('tenant', '(organisation_id = ( SELECT COALESCE(caller.organisation_id(), ''00000000-0000-0000-0000-000000000000''::uuid) AS "coalesce"))'),
      ('tenant', '(organisation_id = COALESCE(caller.organisation_id(), ''00000000-0000-0000-0000-000000000000''::uuid))'),
      ('owner', '(organisation_id = COALESCE(( SELECT caller.organisation_id() AS organisation_id), organisation_id))')
  ) as comparison (role, text)
  where comparison.role = policies.role
    and (condition = comparison.text or starts_with(condition, '(' || comparison.text || ' AND '))
)
union all
select 'policy_without_comment', 'policy', policies.name, null
from policies
where coalesce(trim(policies.comment), '') = ''
union all
select 'privilege_without_policy', given.kind, given.object, lower(given.privilege) || ' by ' || role.name
from (
  select distinct given.kind, given.object, given.privilege, given.grantee
  from audit.privileges given
  where given.schema in ('app', 'graphile_worker') and given.object <> 'graphile_worker.migrations' -- no rows of jobs
    and given.privilege in ('SELECT', 'INSERT', 'UPDATE', 'DELETE')
) given
join audit.roles role on role.oid = given.grantee and role.name <> 'owner'
where not exists (
  select from audit.policies policy
  where policy.table_name = given.object and policy.role = role.name and policy.command in (lower(given.privilege), 'all')
);
comment on view audit.violations_of_policies is 'Violations by policies, and privileges without a policy: see audit.findings.';
grant select on audit.violations_of_policies to auditor;
