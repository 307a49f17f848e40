/*
 * What each role may do in the end, whichever way it came by it: granted to itself, to everybody, to a role that it works
 * as, or as the owner. Beside our own roles these are the logins that work as one of them. What everybody was given
 * counts for a role where it may enter the schema.
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
comment on view audit.grants is 'What each role may do in the end, and through what: itself, PUBLIC, as a member of another, or as the owner. Without columns, a privilege is on the whole.';
