/*
 * Roles: above the walls, able to become another, set otherwise than they were made, or gone.
 */
create view audit.breaches_of_roles (rule, kind, name, detail) as
with ours as (
  select * from audit.our_roles
)
select 'role_missing', 'role', ours.name, null::text
from ours
where ours.oid is null
union all
select 'role_above_walls', 'role', quote_ident(ours.name), power.name
from ours
join pg_catalog.pg_roles role on role.oid = ours.oid,
  lateral (
    values ('superuser', role.rolsuper), ('bypassrls', role.rolbypassrls), ('createrole', role.rolcreaterole),
      ('createdb', role.rolcreatedb), ('replication', role.rolreplication)
  ) as power (name, held)
where power.held
union all
select 'role_above_walls', 'role', quote_ident(role.rolname), 'bypassrls'
from pg_catalog.pg_roles role
where role.rolbypassrls and not role.rolsuper and role.oid not in (select ours.oid from ours where ours.oid is not null)
  and has_database_privilege(role.oid, current_database(), 'connect')
union all
-- Beside row-level security there are views that work as owner; and who writes files or runs programs writes all.
select 'reaches_all', 'role', quote_ident(login.rolname), granted.name
from pg_catalog.pg_roles login,
  unnest(array[
    'pg_read_all_data', 'pg_write_all_data', 'pg_maintain', 'pg_read_server_files', 'pg_write_server_files',
    'pg_execute_server_program'
  ]) as granted (name)
where login.rolcanlogin and not login.rolsuper and login.oid not in (select ours.oid from ours where ours.oid is not null)
  and pg_has_role(login.oid, granted.name, 'member') and has_database_privilege(login.oid, current_database(), 'connect')
union all
select 'role_logs_in', 'role', ours.name, null
from ours
join pg_catalog.pg_roles role on role.oid = ours.oid
where role.rolcanlogin and not ours.logs_in
union all
select 'membership', 'role', quote_ident(member.rolname), granted.rolname
from pg_catalog.pg_auth_members held
join pg_catalog.pg_roles member on member.oid = held.member
join pg_catalog.pg_roles granted on granted.oid = held.roleid
where (held.member in (select ours.oid from ours) or held.roleid in (select ours.oid from ours))
  and not (member.rolsuper and held.member not in (select ours.oid from ours))
  and (member.rolname, granted.rolname, held.inherit_option, held.set_option, held.admin_option) not in (
    ('owner', 'tenant', false, true, false), ('owner', 'authenticator', false, true, false),
    ('owner', 'searcher', false, true, false), ('owner', 'worker', true, false, false)
  )
  and not (
    granted.rolname = 'runner' and held.member in (select ours.oid from ours where starts_with(ours.name, 'executor_'))
    and held.inherit_option and not held.set_option and not held.admin_option
  )
  -- Whoever made a role without being a superuser administers it from then on, and can't help it.
  and not (member.rolcreaterole and held.admin_option and not held.inherit_option and not held.set_option)
union all
select 'role_settings', 'role', quote_ident(ours.name),
  coalesce(made.name || ' is ' || coalesce(made.value, 'not set') || ' and not ' || coalesce(wanted.value, 'left alone'), '')
from ours
left join pg_catalog.pg_db_role_setting held on held.setrole = ours.oid and held.setdatabase = 0,
  lateral (
    select coalesce(found.name, wanted.key) as name, found.value
    from (
      select split_part(setting, '=', 1) as name, substr(setting, strpos(setting, '=') + 1) as value
      from unnest(held.setconfig) setting
    ) found
    full join jsonb_each_text(coalesce(ours.settings, '{}')) wanted on wanted.key = found.name
    where found.value is distinct from wanted.value
  ) made
left join lateral jsonb_each_text(coalesce(ours.settings, '{}')) wanted on wanted.key = made.name
where ours.oid is not null
union all
-- For this database alone, and for everybody in it: each comes before what a role is given for all databases.
select 'role_settings', case when held.setrole = 0 then 'database' else 'role' end,
  case when held.setrole = 0 then quote_ident(current_database()) else quote_ident(pg_get_userbyid(held.setrole)) end,
  'in this database, ' || setting
from pg_catalog.pg_db_role_setting held, unnest(held.setconfig) setting
where held.setdatabase = (select database.oid from pg_catalog.pg_database database where database.datname = current_database())
  and (
    held.setrole in (select ours.oid from ours)
    or held.setrole = 0 and split_part(setting, '=', 1) in ('row_security', 'search_path', 'session_replication_role', 'role')
  );
comment on view audit.breaches_of_roles is 'Breaches by roles, their powers, memberships and settings: see audit.findings.';
