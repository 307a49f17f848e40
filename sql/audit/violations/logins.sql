/*
 * Objects that a login can replace, and that run with the rights of another role. Left out: owner, which runs
 * migrations, and superusers and roles with CREATEROLE, which administer everything.
 */
create view audit.replaceable as
with logins as (
  select login.oid, login.rolname
  from pg_catalog.pg_roles login
  where login.rolcanlogin and not login.rolsuper and not login.rolcreaterole and login.rolname <> 'owner'
), owners as ( -- including roles that a login can use or become
  select role.oid
  from pg_catalog.pg_roles role
  where not role.rolsuper and role.rolname <> 'owner'
    and exists (select from logins where pg_has_role(logins.oid, role.oid, 'usage') or pg_has_role(logins.oid, role.oid, 'set'))
), schemas as ( -- with CREATE on a schema a login can add a function that is called in place of another
  select schema.oid
  from pg_catalog.pg_namespace schema
  where schema.nspname not like 'pg\_%' and (
    schema.nspowner in (select owners.oid from owners)
    or exists (select from logins where has_schema_privilege(logins.oid, schema.oid, 'create'))
  )
)
select 'pg_proc'::regclass as catalogue, function.oid
from pg_catalog.pg_proc function
where function.proowner in (select owners.oid from owners)
  or function.pronamespace in (select schemas.oid from schemas)
union all
select 'pg_class'::regclass, class.oid
from pg_catalog.pg_class class
where class.relkind in ('r', 'p', 'v', 'm', 'f')
  and (class.relowner in (select owners.oid from owners) or class.relnamespace in (select schemas.oid from schemas));
comment on view audit.replaceable is 'Functions and relations that a login can replace: it owns them or their schema, or may create in it.';
grant select on audit.replaceable to auditor;

-- A function's text names what it uses; search_path is empty, so each name includes its schema.
create view audit.uses as
with parts as (
  select 'pg_rewrite'::regclass as catalogue, oid, ev_class as relation from pg_catalog.pg_rewrite
  union all
  select 'pg_trigger'::regclass, oid, tgrelid from pg_catalog.pg_trigger
  union all
  select 'pg_attrdef'::regclass, oid, adrelid from pg_catalog.pg_attrdef
  union all
  select 'pg_constraint'::regclass, oid, conrelid from pg_catalog.pg_constraint
  union all
  select 'pg_policy'::regclass, oid, polrelid from pg_catalog.pg_policy
), objects as (
  select 'pg_proc'::regclass as catalogue, oid, pronamespace as schema, proname as name from pg_catalog.pg_proc
  union all
  select 'pg_class'::regclass, oid, relnamespace, relname from pg_catalog.pg_class
)
select 'pg_class'::regclass as catalogue, parts.relation as oid, depend.refclassid as used_catalogue, depend.refobjid as used
from pg_catalog.pg_depend depend
join parts on parts.catalogue = depend.classid and parts.oid = depend.objid
where depend.refclassid in ('pg_proc'::regclass, 'pg_class'::regclass) and depend.refobjid <> parts.relation
union
select 'pg_proc'::regclass, function.oid, objects.catalogue::oid, objects.oid
from pg_catalog.pg_proc function
join pg_catalog.pg_namespace home on home.oid = function.pronamespace and home.nspname not in ('pg_catalog', 'information_schema')
cross join lateral regexp_matches(lower(function.prosrc), '\m"?([a-z_][a-z0-9_]*)"?\."?([a-z_][a-z0-9_]*)', 'g') named
join pg_catalog.pg_namespace schema on schema.nspname = named[1]
join objects on objects.schema = schema.oid and objects.name = named[2];
comment on view audit.uses is 'The objects that a relation (through rules, triggers, defaults, constraints and policies) or a function (in its text) uses.';
grant select on audit.uses to auditor;

create view audit.violations_of_logins (rule, kind, name, detail) as
with recursive uses as materialized (
  select * from audit.uses
), reached as (
  select replaceable.catalogue::oid as catalogue, replaceable.oid, replaceable.catalogue as replaced_catalogue, replaceable.oid as replaced
  from audit.replaceable
  union
  select uses.catalogue::oid, uses.oid, reached.replaced_catalogue, reached.replaced
  from reached
  join uses on uses.used_catalogue = reached.catalogue and uses.used = reached.oid
)
select 'owned_by_login', identified.type, audit.identity(depend.classid, depend.objid, depend.objsubid), quote_ident(login.rolname)
from pg_catalog.pg_shdepend depend
join pg_catalog.pg_roles login on login.oid = depend.refobjid
  and login.rolcanlogin and not login.rolsuper and not login.rolcreaterole and login.rolname <> 'owner',
  pg_identify_object(depend.classid, depend.objid, depend.objsubid) identified
where depend.refclassid = 'pg_authid'::regclass and depend.deptype = 'o'
  and depend.dbid = (select database.oid from pg_catalog.pg_database database where database.datname = current_database())
union all
select 'uses_replaceable', 'function', audit.identity('pg_proc', function.oid),
  string_agg(distinct audit.identity(reached.replaced_catalogue, reached.replaced), ', ')
from reached
join pg_catalog.pg_proc function on reached.catalogue = 'pg_proc'::regclass and function.oid = reached.oid
where function.prosecdef and reached.replaced <> reached.oid
group by function.oid
union all
select 'uses_replaceable', 'view', audit.identity('pg_class', class.oid), string_agg(distinct audit.identity(reached.replaced_catalogue, reached.replaced), ', ')
from reached
join pg_catalog.pg_class class on reached.catalogue = 'pg_class'::regclass and class.oid = reached.oid
join pg_catalog.pg_namespace schema on schema.oid = class.relnamespace
where class.relkind in ('v', 'm') and schema.nspname in (select ours.name from audit.our_schemas ours)
  and reached.replaced <> reached.oid
group by class.oid;
comment on view audit.violations_of_logins is 'Objects owned by logins, and objects that use something a login can replace: see audit.findings.';
grant select on audit.violations_of_logins to auditor;
