/* Roles: exempt from RLS, able to become another role, with changed settings, or missing. */
create view audit.violations_of_roles (rule, kind, name, detail) as
with ours as (
  select * from audit.our_roles
)
select 'role_missing', 'role', ours.name, null::text
from ours
where ours.oid is null
union all
select 'role_bypasses_rls', 'role', quote_ident(ours.name), power.name
from ours
join pg_catalog.pg_roles role on role.oid = ours.oid,
  lateral (
    values ('superuser', role.rolsuper), ('bypassrls', role.rolbypassrls), ('createrole', role.rolcreaterole),
      ('createdb', role.rolcreatedb), ('replication', role.rolreplication)
  ) as power (name, granted)
where power.granted
union all
select 'role_bypasses_rls', 'role', quote_ident(role.rolname), 'bypassrls'
from pg_catalog.pg_roles role
where role.rolbypassrls and not role.rolsuper and role.oid not in (select ours.oid from ours where ours.oid is not null)
  and has_database_privilege(role.oid, current_database(), 'connect')
union all
-- These predefined roles read the views that run as owner, write without policies, or change files of the server.
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
from pg_catalog.pg_auth_members membership
join pg_catalog.pg_roles member on member.oid = membership.member
join pg_catalog.pg_roles granted on granted.oid = membership.roleid
where (membership.member in (select ours.oid from ours) or membership.roleid in (select ours.oid from ours))
  and not (member.rolsuper and membership.member not in (select ours.oid from ours))
  and (member.rolname, granted.rolname, membership.inherit_option, membership.set_option, membership.admin_option) not in (
    ('owner', 'tenant', false, true, false), ('owner', 'authenticator', false, true, false),
    ('owner', 'searcher', false, true, false), ('owner', 'worker', true, false, false),
    ('runner', 'executor', true, false, false)
  )
  and not (
    granted.rolname = 'executor' and membership.member in (select ours.oid from ours where starts_with(ours.name, 'executor_'))
    and membership.inherit_option and not membership.set_option and not membership.admin_option
  )
  and not ( -- owner ends sessions of executors
    member.rolname = 'owner' and membership.roleid in (select ours.oid from ours where starts_with(ours.name, 'executor_'))
    and membership.inherit_option and not membership.set_option and not membership.admin_option
  )
  -- A role that creates another without being superuser automatically administers it.
  and not (member.rolcreaterole and membership.admin_option and not membership.inherit_option and not membership.set_option)
union all
select 'role_settings', 'role', quote_ident(ours.name),
  coalesce(made.name || ' is ' || coalesce(made.value, 'not set') || ' and not ' || coalesce(wanted.value, 'left alone'), '')
from ours
left join pg_catalog.pg_db_role_setting role_setting on role_setting.setrole = ours.oid and role_setting.setdatabase = 0,
  lateral (
    select coalesce(found.name, wanted.key) as name, found.value
    from (
      select split_part(setting, '=', 1) as name, substr(setting, strpos(setting, '=') + 1) as value
      from unnest(role_setting.setconfig) setting
    ) found
    full join jsonb_each_text(coalesce(ours.settings, '{}')) wanted on wanted.key = found.name
    where found.value is distinct from wanted.value
  ) made
left join lateral jsonb_each_text(coalesce(ours.settings, '{}')) wanted on wanted.key = made.name
where ours.oid is not null
union all
select 'role_settings', 'role', quote_ident(ours.name), 'connection limit is ' || login.rolconnlimit || ' and not ' || ours.max_connections
from ours
join pg_catalog.pg_roles login on login.oid = ours.oid
where login.rolconnlimit <> ours.max_connections
union all
-- For this database only, and for all roles in it: both override the settings of a role for all databases.
select 'role_settings', case when role_setting.setrole = 0 then 'database' else 'role' end,
  case when role_setting.setrole = 0 then quote_ident(current_database()) else quote_ident(pg_get_userbyid(role_setting.setrole)) end,
  'in this database, ' || setting
from pg_catalog.pg_db_role_setting role_setting, unnest(role_setting.setconfig) setting
where role_setting.setdatabase = (select database.oid from pg_catalog.pg_database database where database.datname = current_database())
  and (
    role_setting.setrole in (select ours.oid from ours)
    or role_setting.setrole = 0 and split_part(setting, '=', 1) in ('row_security', 'search_path', 'session_replication_role', 'role')
  );
comment on view audit.violations_of_roles is 'Violations by roles, their powers, memberships and settings: see audit.findings.';
grant select on audit.violations_of_roles to auditor;
