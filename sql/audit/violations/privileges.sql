/* Privileges of PUBLIC, of roles that are not meant to have them, or outside row-level security. */
create view audit.violations_of_privileges (rule, kind, name, detail, remedy) as
with given as (
  select given.*, case when given.grantee = 0 then 'PUBLIC' else pg_get_userbyid(given.grantee)::text end as role,
    case when given.grantee = 0 then 'PUBLIC' else quote_ident(pg_get_userbyid(given.grantee)) end as grantee_name,
    case when given.kind in ('view', 'materialized view') then 'table' else given.kind end || ' ' || given.object as target,
    coalesce(given.schema in (select ours.name from audit.our_schemas ours), false) as ours
  from audit.privileges given
  where given.grantee <> given.owner
), functions as (
  select audit.identity('pg_proc', function.oid) as name,
    function.provolatile <> 'v' or function.prosrc ~ '\moperator\.begin_action\(' as is_action
  from pg_catalog.pg_proc function
  join pg_catalog.pg_namespace schema on schema.oid = function.pronamespace
  where schema.nspname = 'operator'
)
select distinct 'open_to_public', given.kind, given.object, string_agg(distinct given.privilege, ', '), format('revoke all on %s from public;', given.target)
from given
where given.role = 'PUBLIC' and (given.ours or given.kind = 'schema' or given.schema = 'public')
  and not exists ( -- except for extensions in schema public
    select from pg_catalog.pg_proc function
    join pg_catalog.pg_depend depend
      on depend.classid = 'pg_proc'::regclass and depend.objid = function.oid and depend.deptype = 'e'
    where given.kind = 'function' and given.schema = 'public' and audit.identity('pg_proc', function.oid) = given.object
  )
group by given.kind, given.object, given.target
union all
select 'schema_open', given.kind, given.object, given.grantee_name,
  format('revoke %s on %s from %s;', string_agg(lower(given.privilege), ', ' order by given.privilege), given.target, given.grantee_name)
from given
where given.kind = 'schema' and given.role not in ('PUBLIC', 'owner')
  and (given.ours or given.schema = 'extensions' or given.grantee in (select role.oid from audit.our_roles role))
  and not exists (
    select from audit.intended
    where intended.role = given.role and intended.schema = given.schema and intended.enters
      and given.privilege = 'USAGE'
  )
group by given.kind, given.object, given.target, given.grantee_name
union all
select distinct 'unintended_privilege', given.kind, given.object, lower(given.privilege) || ' to ' || given.grantee_name,
  format('revoke %s on %s from %s;', lower(given.privilege), given.target, given.grantee_name)
from given
where given.ours and given.role not in ('PUBLIC', 'owner')
  and given.kind in ('table', 'view', 'materialized view', 'sequence')
  and not exists (
    select from audit.intended
    where intended.role = given.role and intended.schema = given.schema and given.privilege = any (intended.privileges)
  )
union all
select 'unexpected_executor', given.kind, given.object, given.grantee_name, format('revoke execute on %s from %s;', given.target, given.grantee_name)
from given
left join functions on functions.name = given.object
where given.kind in ('function', 'procedure') and given.ours and given.role not in ('PUBLIC', 'owner')
  and not exists (
    select from audit.intended
    where intended.role = given.role and intended.schema = given.schema
      and case intended.executes
        when 'all' then true
        when 'actions' then functions.is_action or given.object ~ '^operator\.(admit|open_session|close_session|count_refused_credentials)\('
        when 'commands' then given.object
          ~ '^operator\.(mint_key|mint_platform_key|revoke_platform_key|mint_token|revoke_token|set_model_price|withdraw_model|rotate_signing_key|note_executor|note_backup|accept_finding|revoke_finding|stored_responses|accept_audit_fault)\('
        when 'entries' then given.object in (select handed.function from audit.handed_over handed)
        else false
      end
  )
union all
-- Built-in functions with which a login could stop the service. tenant takes advisory locks.
select 'builtin_open', 'role', role.name, string_agg(audit.identity('pg_proc', function.oid), ', ' order by function.oid::regprocedure::text),
  format('revoke execute on function %s from %s;', string_agg(audit.identity('pg_proc', function.oid), ', ' order by function.oid::regprocedure::text), role.name)
from pg_catalog.pg_proc function,
  aclexplode(coalesce(function.proacl, acldefault('f', function.proowner))) given
left join pg_catalog.pg_roles grantee on grantee.oid = given.grantee,
  lateral (select coalesce(quote_ident(grantee.rolname), 'PUBLIC')) as role (name)
where function.pronamespace = 'pg_catalog'::regnamespace
  and function.proname ~ '^(pg_(try_)?advisory_|lo_|loread$|lowrite$|pg_logical_emit_message$)'
  and not coalesce(grantee.rolsuper or grantee.rolcreaterole, false)
  and not (function.proname ~ '^pg_(try_)?advisory_' and coalesce(grantee.rolname in ('owner', 'tenant'), false))
group by role.name
union all
select distinct 'secret_readable', 'column', secret.name, role.name, null
from audit.secret_columns secret, audit.roles role
where role.name not in ('owner', 'authenticator') and has_column_privilege(role.oid, secret.attrelid, secret.attnum, 'select')
union all
select 'origin_updatable', 'column', tables.name || '.' || quote_ident(attribute.attname), role.name, null
from audit.tables
join pg_catalog.pg_attribute attribute on attribute.attrelid = tables.oid, audit.roles role
where tables.schema = 'app' and role.name <> 'owner'
  and attribute.attname in ('organisation_id', 'id', 'created_by', 'owner_id', 'person_id', 'provenance', 'source', 'digest')
  and has_column_privilege(role.oid, tables.oid, attribute.attnum, 'update');
comment on view audit.violations_of_privileges is 'Violations by privileges: see audit.findings.';
grant select on audit.violations_of_privileges to auditor;
