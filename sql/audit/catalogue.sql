/*
 * What the audit asks of the catalogue: the roles that there ought to be, every privilege that somebody was given, and
 * the tables with whose their rows are. Names are written out in full, whatever the search_path of who asks.
 */
do $$
begin
  execute format(
    $view$
      create view audit.roles as
      select expected.name, expected.purpose, expected.logs_in, expected.settings, role.oid
      from jsonb_to_recordset(%L) as expected (name text, purpose text, logs_in boolean, settings jsonb)
      left join pg_catalog.pg_roles role on role.rolname = expected.name
    $view$,
    current_setting('botstead.roles')
  );
end
$$;
comment on view audit.roles is 'The roles of Botstead as src/database/roles.ts makes them: what each is for, whether it logs in, its settings.';

create view audit.our_roles as
select role.name, role.oid, role.logs_in, role.settings
from audit.roles role
union all
-- The logins of executors (botstead executor mint) are ours too: each works as runner.
select login.rolname, login.oid, true, runner.settings
from pg_catalog.pg_roles login
join audit.roles runner on runner.name = 'runner'
where starts_with(login.rolname, 'executor_') and shobj_description(login.oid, 'pg_authid') = 'Botstead executor';
comment on view audit.our_roles is 'The roles of Botstead and the logins of executors: whoever the walls are for.';

create function audit.expression(node pg_node_tree, relation oid) returns text
language sql stable
set search_path = ''
as $$ select pg_catalog.pg_get_expr(node, relation) $$;
comment on function audit.expression is 'A condition as SQL, with the names in it written out in full.';

create function audit.identity(catalogue regclass, object oid, part integer default 0) returns text
language sql stable
set search_path = ''
as $$
  select case
    when catalogue = 'pg_proc'::regclass then object::regprocedure::text
    else (pg_catalog.pg_identify_object(catalogue, object, part)).identity
  end
$$;
comment on function audit.identity is 'The name of an object, in full, as a command takes it.';

create view audit.tables as
select class.oid, audit.identity('pg_class', class.oid) as name, class.relname, schema.nspname as schema,
  attribute.attnum as organisation
from pg_catalog.pg_class class
join pg_catalog.pg_namespace schema on schema.oid = class.relnamespace
left join pg_catalog.pg_attribute attribute
  on attribute.attrelid = class.oid and attribute.attname = 'organisation_id' and not attribute.attisdropped
where schema.nspname in ('app', 'partitions') and class.relkind in ('r', 'p');
comment on view audit.tables is 'The tables of app and their partitions; organisation is the column that says whose a row is, null where none does.';

-- Privileges that were never granted or revoked stand in the catalogue as null, and mean what acldefault answers.
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
comment on view audit.privileges is 'Every privilege that was given, one a row, as it stands in the catalogue; grantee 0 is PUBLIC.';
