/*
 * Views of the catalogue for the audit: expected roles, granted privileges, and tables with their organisation
 * column. Names are schema-qualified, independent of the search_path of the session.
 */
do $$
begin
  execute format(
    $view$
      create view audit.roles as
      select expected.name, expected.purpose, expected.logs_in, expected.settings, expected.max_connections, role.oid
      from jsonb_to_recordset(%L) as expected (name text, purpose text, logs_in boolean, settings jsonb, max_connections integer)
      left join pg_catalog.pg_roles role on role.rolname = expected.name
    $view$,
    current_setting('botstead.roles')
  );
end
$$;
comment on view audit.roles is 'The roles of Botstead as src/database/roles.ts lists them: purpose, whether they log in, settings.';
grant select on audit.roles to auditor;

-- Files of migrations, with the hashes that graphile-migrate records.
do $$
begin
  execute format(
    'create view audit.committed_migrations as select committed.file, committed.hash from jsonb_to_recordset(%L) as committed (file text, hash text)',
    current_setting('botstead.migrations')
  );
end
$$;
comment on view audit.committed_migrations is 'The migrations of this version, with their hashes.';
grant select on audit.committed_migrations to auditor;

create view audit.our_schemas (name) as
select unnest(
  array[
    'app', 'partitions', 'graphile_worker',
    'caller', 'errors', 'names', 'times', 'limits', 'policies', 'search', 'rows', 'service', 'models',
    'runs', 'erasure', 'triggers', 'jobs', 'runner', 'operator', 'api_private', 'api', 'audit'
  ]::name[]
);
comment on view audit.our_schemas is 'The schemas of Botstead and of the job queue. Everything in them belongs to owner.';
grant select on audit.our_schemas to auditor;

create view audit.our_roles as
select role.name, role.oid, role.logs_in, role.settings, null::integer as max_connections, null::name as minted_in
from audit.roles role
union all
-- Logins of executors (`botstead executor mint`) are included: each works as executor, with the settings of runner.
select login.rolname, login.oid, true, runner.settings, executor.max_connections, other.datname
from pg_catalog.pg_roles login
join audit.roles runner on runner.name = 'runner'
join audit.roles executor on executor.name = 'executor'
left join pg_catalog.pg_database other
  on shobj_description(login.oid, 'pg_authid') = 'Botstead executor of database ' || other.datname and other.datname <> current_database()
where starts_with(login.rolname, 'executor_') and shobj_description(login.oid, 'pg_authid') ~ '^Botstead executor($| of database )';
comment on view audit.our_roles is 'The roles of Botstead and the logins of executors: the roles that the invariants apply to. minted_in is the other database of this cluster that minted the login.';
grant select on audit.our_roles to auditor;

create function audit.expression(node pg_node_tree, relation oid) returns text
language sql stable
set search_path = ''
as $$ select pg_catalog.pg_get_expr(node, relation) $$;
comment on function audit.expression is 'A condition as SQL, with schema-qualified names.';
grant execute on function audit.expression to auditor;

create function audit.identity(catalogue regclass, object oid, part integer default 0) returns text
language sql stable
set search_path = ''
as $$
  select case
    when catalogue = 'pg_proc'::regclass then object::regprocedure::text
    else (pg_catalog.pg_identify_object(catalogue, object, part)).identity
  end
$$;
comment on function audit.identity is 'The full name of an object, as SQL commands accept it.';
grant execute on function audit.identity to auditor;

create view audit.tables as
select class.oid, audit.identity('pg_class', class.oid) as name, class.relname, schema.nspname as schema,
  attribute.attnum as organisation
from pg_catalog.pg_class class
join pg_catalog.pg_namespace schema on schema.oid = class.relnamespace
left join pg_catalog.pg_attribute attribute
  on attribute.attrelid = class.oid and attribute.attname = 'organisation_id' and not attribute.attisdropped
where schema.nspname in ('app', 'partitions') and class.relkind in ('r', 'p');
comment on view audit.tables is 'The tables of app and their partitions. organisation is the number of column organisation_id, null if there is none.';
grant select on audit.tables to auditor;

-- Privileges without any GRANT or REVOKE are null in the catalogue; acldefault returns what null means.
create view audit.privileges as
with schemas as (
  select schema.oid, schema.nspname as name, schema.nspowner, schema.nspacl
  from pg_catalog.pg_namespace schema
  where schema.nspname not like 'pg\_%' and schema.nspname <> 'information_schema'
), classes as (
  select class.oid, audit.identity('pg_class', class.oid) as name, schema.name as schema, class.relowner, class.relacl,
    case class.relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' else 'table' end as kind
  from pg_catalog.pg_class class
  join schemas schema on schema.oid = class.relnamespace
  where class.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
)
select 'database' as kind, quote_ident(database.datname) as object, null::name as schema, null::text as column_name,
  database.datdba as owner, given.grantee, given.privilege_type as privilege
from pg_catalog.pg_database database, aclexplode(coalesce(database.datacl, acldefault('d', database.datdba))) given
where database.datname = current_database()
union all
select 'schema', quote_ident(schema.name), schema.name, null, schema.nspowner, given.grantee, given.privilege_type
from schemas schema, aclexplode(coalesce(schema.nspacl, acldefault('n', schema.nspowner))) given
union all
select class.kind, class.name, class.schema, null, class.relowner, given.grantee, given.privilege_type
from classes class,
  aclexplode(
    coalesce(class.relacl, acldefault(case class.kind when 'sequence' then 's'::"char" else 'r' end, class.relowner))
  ) given
union all
select class.kind, class.name, class.schema, attribute.attname, class.relowner, given.grantee, given.privilege_type
from pg_catalog.pg_attribute attribute
join classes class on class.oid = attribute.attrelid,
  aclexplode(attribute.attacl) given
where not attribute.attisdropped
union all
select case function.prokind when 'p' then 'procedure' else 'function' end,
  audit.identity('pg_proc', function.oid), schema.name, null, function.proowner, given.grantee, given.privilege_type
from pg_catalog.pg_proc function
join schemas schema on schema.oid = function.pronamespace,
  aclexplode(coalesce(function.proacl, acldefault('f', function.proowner))) given;
comment on view audit.privileges is 'Every granted privilege, one a row, as in the catalogue; grantee 0 is PUBLIC.';
grant select on audit.privileges to auditor;
