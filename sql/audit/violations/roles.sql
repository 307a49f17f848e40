/*
 * Roles: Botstead's roles, as src/database/roles.ts lists them, and others that reach this database's data. The role
 * that initdb created (OID 10) runs the cluster; it is intended, with all attributes.
 */
create view audit.role_attributes as
select role.oid, role.rolname, entry.key as attribute, entry.value, expected.value as expected
from pg_catalog.pg_roles role
left join audit.our_roles ours on ours.oid = role.oid,
  lateral jsonb_each_text(to_jsonb(role) - '{oid,rolname,rolpassword,rolconfig}'::text[]) entry,
  lateral (
    select case entry.key
      when 'rolinherit' then 'true'
      when 'rolconnlimit' then coalesce(ours.max_connections, -1)::text
      -- Logins of executors expire.
      when 'rolvaliduntil' then case when ours.max_connections is not null or entry.value = 'infinity' then entry.value end
      when 'rolcanlogin' then coalesce(ours.logs_in, role.oid = 10)::text
      else (role.oid = 10)::text
    end
  ) as expected (value);
comment on view audit.role_attributes is 'Attributes of every role, and what a role of Botstead has.';
grant select on audit.role_attributes to auditor;

-- None has the ADMIN option.
create view audit.intended_memberships as
select listed.member, listed.granted, listed.inherits, listed.sets
from (
  values
    ('owner', 'tenant', false, true), ('owner', 'authenticator', false, true), ('owner', 'searcher', false, true),
    ('owner', 'worker', true, false), ('runner', 'executor', true, false), ('cli', 'operator', true, false),
    ('owner', 'pg_monitor', true, false), -- for operator.measure_postgres
    ('pg_monitor', 'pg_read_all_settings', true, true), ('pg_monitor', 'pg_read_all_stats', true, true), ('pg_monitor', 'pg_stat_scan_tables', true, true)
) as listed (member, granted, inherits, sets)
union all
select given.member, given.granted, true, false
from audit.our_roles login,
  lateral (values (login.name, 'executor'), ('owner', login.name)) as given (member, granted) -- owner ends sessions of executors
where starts_with(login.name, 'executor_');
comment on view audit.intended_memberships is 'The memberships of Botstead''s roles and of pg_monitor, with their INHERIT and SET options.';
grant select on audit.intended_memberships to auditor;

-- Through memberships of any kind: a membership without INHERIT and SET still lets its ADMIN option change that. The remedy
-- ends the first membership of the way that is not intended; the others may be.
create view audit.memberships as
with recursive edges as (
  select membership.member, membership.roleid, concat_ws(
      ' ', case when membership.admin_option then 'admin' end, case when membership.inherit_option then 'inherit' end, case when membership.set_option then 'set' end,
      'granted by ' || case when membership.grantor <> 10 then quote_ident(pg_get_userbyid(membership.grantor)) end
    ) as options,
    not membership.admin_option and (member.rolname, granted.rolname, membership.inherit_option, membership.set_option) in (
      select intended.member, intended.granted, intended.inherits, intended.sets from audit.intended_memberships intended
    ) as intended,
    coalesce(
      (
        select format('grant %I to %I with admin false, inherit %s, set %s granted by %I;', granted.rolname, member.rolname, intended.inherits::text, intended.sets::text, pg_get_userbyid(membership.grantor))
        from audit.intended_memberships intended
        where intended.member = member.rolname and intended.granted = granted.rolname
        limit 1
      ),
      format('revoke %I from %I granted by %I cascade;', granted.rolname, member.rolname, pg_get_userbyid(membership.grantor))
    ) as remedy
  from pg_catalog.pg_auth_members membership
  join pg_catalog.pg_roles member on member.oid = membership.member
  join pg_catalog.pg_roles granted on granted.oid = membership.roleid
), reached as (
  select member, roleid, options, intended, null::oid as through, case when not intended then remedy end as remedy from edges
  union
  select reached.member, edges.roleid, edges.options, reached.intended and edges.intended, edges.member,
    coalesce(reached.remedy, case when not edges.intended then edges.remedy end)
  from reached
  join edges on edges.member = reached.roleid
)
select reached.member, reached.roleid, reached.options, reached.through, reached.remedy
from reached
where not reached.intended;
comment on view audit.memberships is 'Members of each role, directly or through others, except what Botstead and PostgreSQL intend.';
grant select on audit.memberships to auditor;

create function audit.role_option(attribute text, value text) returns text
language sql immutable
set search_path = ''
as $$
  select case value when 'false' then 'no' else '' end || case attribute
    when 'rolsuper' then 'superuser'
    when 'rolcanlogin' then 'login'
    when 'rolconnlimit' then 'connection limit ' || value
    when 'rolvaliduntil' then format('valid until %L', coalesce(value, 'infinity'))
    else substr(attribute, 4)
  end
$$;
comment on function audit.role_option is 'How ALTER ROLE gives an attribute of pg_roles this value.';
grant execute on function audit.role_option to auditor;

create function audit.is_minted(executor text) returns boolean
language sql stable
security definer
set search_path = ''
as $$
  select coalesce((
    select command.action = 'mint_executor'
    from app.operator_commands command
    where command.action in ('mint_executor', 'revoke_executor') and command.arguments ->> 'name' = is_minted.executor
    order by command.id desc limit 1
  ), false)
$$;
comment on function audit.is_minted is 'Instead of row-level security: only auditor may execute it. Returns names of logins only. Whether the newest entry of the operators'' log about this executor is its mint.';
grant execute on function audit.is_minted to auditor;

create view audit.violations_of_roles (rule, kind, name, detail, remedy) as
select 'role_missing', 'role', ours.name, null::text, null::text
from audit.our_roles ours
where ours.oid is null
union all
select 'role_differs', 'role', quote_ident(found.rolname),
  string_agg(format('%s is %s, expected %s', found.attribute, coalesce(found.value, 'not set'), coalesce(found.expected, 'not set')), '; ' order by found.attribute),
  format('alter role %I %s;', found.rolname, string_agg(audit.role_option(found.attribute, found.expected), ' '))
from audit.role_attributes found
where found.value is distinct from found.expected and (found.oid = 10 or found.oid in (select ours.oid from audit.our_roles ours))
group by found.rolname
union all
-- migrate refuses a role without this mark, as one of another program.
select 'role_differs', 'role', quote_ident(ours.name),
  format('its comment is %s, expected one that begins with ''Botstead: ''', coalesce(quote_literal(commented.text), 'missing')),
  format('comment on role %I is ''Botstead: '';', ours.name)
from audit.roles ours
cross join lateral (select shobj_description(ours.oid, 'pg_authid')) as commented (text)
where ours.oid is not null and (commented.text like 'Botstead: %') is not true
union all
select 'role_powerful', 'role', quote_ident(found.rolname), string_agg(audit.role_option(found.attribute, found.value), ', ' order by found.attribute),
  -- PostgreSQL refuses to alter a role of its own.
  case when found.oid < 16384 then format('update pg_authid set %s where rolname = %L;', string_agg(found.attribute || ' = false', ', ') filter (where power.is_present), found.rolname)
    else format('alter role %I %s;', found.rolname, string_agg(audit.role_option(found.attribute, 'false'), ' ') filter (where power.is_present)) end
from audit.role_attributes found,
  lateral (select found.value = 'true' and (
    found.attribute in ('rolsuper', 'rolreplication', 'rolbypassrls', 'rolcreaterole') or found.attribute = 'rolcanlogin' and found.oid < 16384
  )) as power (is_present)
where found.oid <> 10 and found.oid not in (select ours.oid from audit.our_roles ours where ours.oid is not null) and found.value is distinct from found.expected
group by found.oid, found.rolname
having bool_or(power.is_present)
union all
select 'executor_not_minted', 'role', quote_ident(login.name), 'no mint in the operator log',
  format('botstead executor revoke %s', substr(login.name, length('executor_') + 1))
from audit.our_roles login
where starts_with(login.name, 'executor_') and login.minted_in is null and not audit.is_minted(substr(login.name, length('executor_') + 1))
union all
select 'membership_missing', 'role', quote_ident(intended.member), intended.granted,
  format('grant %I to %I with inherit %s, set %s;', intended.granted, intended.member, intended.inherits::text, intended.sets::text)
from audit.intended_memberships intended
join pg_catalog.pg_roles member on member.rolname = intended.member
join pg_catalog.pg_roles granted on granted.rolname = intended.granted and granted.oid >= 16384
where not exists (select from pg_catalog.pg_auth_members membership where membership.member = member.oid and membership.roleid = granted.oid)
union all
select 'membership', 'role', quote_ident(member.rolname),
  string_agg(distinct concat(quote_ident(granted.rolname), ' (', membership.options, ')', ' through ' || quote_ident(pg_get_userbyid(membership.through))), ', ')
    || case when member.rolcanlogin then '; it logs in' else '' end,
  string_agg(distinct membership.remedy, ' ')
from audit.memberships membership
join pg_catalog.pg_roles member on member.oid = membership.member
join pg_catalog.pg_roles granted on granted.oid = membership.roleid
where (
    membership.member in (select ours.oid from audit.our_roles ours) or membership.roleid in (select ours.oid from audit.our_roles ours)
    or granted.oid < 16384 or granted.rolsuper or granted.rolreplication or granted.rolbypassrls or granted.rolcreaterole
  )
  and not (member.rolsuper and membership.member not in (select ours.oid from audit.our_roles ours where ours.oid is not null))
group by member.rolname, member.rolcanlogin;
comment on view audit.violations_of_roles is 'Violations by roles, their attributes and memberships: see audit.findings.';
grant select on audit.violations_of_roles to auditor;
