/*
 * Definitions of all objects that a migration creates, to compare with those of a new database (builds.sql). Partitions
 * come and go, so a rule of its own checks how they are secured.
 */
create view audit.described_schemas as
select schema.oid, schema.nspname, schema.nspowner, schema.nspacl
from pg_catalog.pg_namespace schema
where schema.nspname in (select ours.name from audit.our_schemas ours)
  or schema.nspname in ('extensions', 'public');
comment on view audit.described_schemas is 'The schemas that audit.definitions covers.';
grant select on audit.described_schemas to auditor;

create view audit.described_classes as
select class.oid, class.relkind, class.relowner, class.relrowsecurity, class.relforcerowsecurity, class.reloptions, class.relacl,
  schema.nspname
from pg_catalog.pg_class class
join audit.described_schemas schema on schema.oid = class.relnamespace
where class.relkind in ('r', 'p', 'v', 'm', 'S', 'f', 'c');
comment on view audit.described_classes is 'The relations and composite types that audit.definitions covers.';
grant select on audit.described_classes to auditor;

create view audit.definitions_of_tables (schema, object, definition) as
select class.nspname, 'relation ' || class.oid::regclass,
  concat_ws(
    ' ', class.relkind, class.relowner::regrole, class.relrowsecurity, class.relforcerowsecurity, class.reloptions,
    audit.acl(coalesce(class.relacl, acldefault(case class.relkind when 'S' then 's'::"char" else 'r' end, class.relowner))),
    obj_description(class.oid, 'pg_class'),
    case when class.relkind in ('v', 'm') then pg_get_viewdef(class.oid) end
  )
from audit.described_classes class
union all
select class.nspname, 'column ' || class.oid::regclass || '.' || quote_ident(attribute.attname),
  concat_ws(
    ' ', format_type(attribute.atttypid, attribute.atttypmod), attribute.attnotnull, attribute.attgenerated,
    audit.acl(attribute.attacl), pg_get_expr(fallback.adbin, fallback.adrelid)
  )
from pg_catalog.pg_attribute attribute
join audit.described_classes class on class.oid = attribute.attrelid
left join pg_catalog.pg_attrdef fallback on fallback.adrelid = attribute.attrelid and fallback.adnum = attribute.attnum
where attribute.attnum > 0 and not attribute.attisdropped
union all
select class.nspname, 'constraint ' || quote_ident(table_constraint.conname) || ' on ' || class.oid::regclass,
  pg_get_constraintdef(table_constraint.oid)
from pg_catalog.pg_constraint table_constraint
join audit.described_classes class on class.oid = table_constraint.conrelid
where class.nspname = 'partitions' or table_constraint.conparentid = 0 -- each partition has a copy of foreign keys to it
union all
select class.nspname, 'index ' || index.indexrelid::regclass, pg_get_indexdef(index.indexrelid)
from pg_catalog.pg_index index
join audit.described_classes class on class.oid = index.indrelid;
comment on view audit.definitions_of_tables is 'Relations with their columns, constraints and indexes, as audit.definitions lists them.';
grant select on audit.definitions_of_tables to auditor;

create view audit.definitions_on_tables (schema, object, definition) as
select class.nspname, 'policy ' || quote_ident(policy.polname) || ' on ' || class.oid::regclass,
  concat_ws(
    ' ', policy.polcmd, policy.polpermissive,
    (select string_agg(role::regrole::text, ' ' order by role::regrole::text) from unnest(policy.polroles) role),
    pg_get_expr(policy.polqual, class.oid), 'check', pg_get_expr(policy.polwithcheck, class.oid),
    obj_description(policy.oid, 'pg_policy')
  )
from pg_catalog.pg_policy policy
join audit.described_classes class on class.oid = policy.polrelid
union all
select class.nspname, 'trigger ' || quote_ident(trigger.tgname) || ' on ' || class.oid::regclass,
  concat_ws(' ', trigger.tgenabled, pg_get_triggerdef(trigger.oid))
from pg_catalog.pg_trigger trigger
join audit.described_classes class on class.oid = trigger.tgrelid
where not trigger.tgisinternal
union all
select class.nspname, 'rule ' || quote_ident(rule.rulename) || ' on ' || class.oid::regclass,
  concat_ws(' ', rule.ev_enabled, pg_get_ruledef(rule.oid))
from pg_catalog.pg_rewrite rule
join audit.described_classes class on class.oid = rule.ev_class
where class.relkind not in ('v', 'm'); -- the rule of a view is its query
comment on view audit.definitions_on_tables is 'Policies, triggers and rules, as audit.definitions lists them.';
grant select on audit.definitions_on_tables to auditor;

create view audit.definitions_of_schemas (schema, object, definition) as
select schema.nspname, 'schema ' || schema.nspname,
  concat_ws(' ', schema.nspowner::regrole, audit.acl(coalesce(schema.nspacl, acldefault('n', schema.nspowner))))
from audit.described_schemas schema
union all
select schema.nspname, 'function ' || function.oid::regprocedure,
  concat_ws(
    ' ', function.proowner::regrole, audit.acl(coalesce(function.proacl, acldefault('f', function.proowner))),
    case when function.prokind <> 'a' then pg_get_functiondef(function.oid) end, obj_description(function.oid, 'pg_proc')
  )
from pg_catalog.pg_proc function
join audit.described_schemas schema on schema.oid = function.pronamespace
where schema.nspname not in ('extensions', 'public') or not exists (
  select from pg_catalog.pg_depend depend
  where depend.classid = 'pg_proc'::regclass and depend.objid = function.oid and depend.deptype = 'e'
)
union all
select schema.nspname, 'type ' || type.oid::regtype,
  concat_ws(
    ' ', type.typtype, type.typowner::regrole,
    (select string_agg(label.enumlabel, ',' order by label.enumsortorder) from pg_catalog.pg_enum label where label.enumtypid = type.oid)
  )
from pg_catalog.pg_type type
join audit.described_schemas schema on schema.oid = type.typnamespace
where type.typtype in ('e', 'd', 'r')
union all
select coalesce(schema.nspname, 'pg_catalog'),
  concat_ws(' ', 'default privileges of', fallback.defaclrole::regrole, 'for', fallback.defaclobjtype, schema.nspname),
  audit.acl(fallback.defaclacl)
from pg_catalog.pg_default_acl fallback
left join pg_catalog.pg_namespace schema on schema.oid = fallback.defaclnamespace;
comment on view audit.definitions_of_schemas is 'Schemas, functions, types and default privileges, as audit.definitions lists them.';
grant select on audit.definitions_of_schemas to auditor;

create function audit.definitions() returns table (schema name, object text, definition text)
language sql stable
set search_path = ''
as $$
  select * from audit.definitions_of_tables
  union all
  select * from audit.definitions_on_tables
  union all
  select * from audit.definitions_of_schemas
$$;
comment on function audit.definitions is 'Every object that a migration creates, with its definition as text that is the same in every database and for every search_path.';
grant execute on function audit.definitions to auditor;
