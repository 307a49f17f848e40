/*
 * Effective privileges of each role, by any path: granted directly, through PUBLIC, through membership, or by
 * ownership. Includes logins that work as one of our roles. A privilege of PUBLIC counts for a role that may enter the
 * schema.
 */
create view audit.grants as
with roles as (
  select role.oid, role.rolname
  from pg_catalog.pg_roles role
  where not role.rolsuper and exists (
    select from audit.roles ours where pg_has_role(role.oid, ours.oid, 'usage')
  )
  union all
  select 0, 'PUBLIC'
)
select roles.rolname as role, given.kind, given.object, given.privilege,
  array_agg(given.column_name order by given.column_name) filter (where given.column_name is not null) as columns,
  case
    when given.grantee = 0 then 'PUBLIC'
    when given.grantee = roles.oid and given.owner = roles.oid then 'owner'
    when given.grantee = roles.oid then 'itself'
    else 'a member of ' || given.grantee::regrole
  end as through
from roles
join audit.privileges given
  on case
    when roles.oid = 0 then given.grantee = 0
    when given.grantee = 0 then given.schema is null or has_schema_privilege(roles.oid, given.schema, 'usage')
    else pg_has_role(roles.oid, given.grantee, 'usage')
  end
group by roles.oid, roles.rolname, given.kind, given.object, given.privilege, given.owner, given.grantee;
comment on view audit.grants is 'Effective privileges of each role, and the path: itself, PUBLIC, a member of another role, or owner. columns is null if the privilege covers the whole object.';
grant select on audit.grants to auditor;
