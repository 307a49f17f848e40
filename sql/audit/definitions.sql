/*
 * All that a migration has made, object by object, and how it stood when the migration was done. Whatever differs was
 * altered since. Partitions are made and dropped all the time: how they are secured is a rule of its own.
 */
create function audit.definitions() returns table (schema name, object text, definition text)
language sql stable
set search_path = ''
as $$
  with schemas as (
    select schema.oid, schema.nspname, schema.nspowner, schema.nspacl
    from pg_catalog.pg_namespace schema
    where schema.nspname in (
      'app', 'partitions', 'extensions', 'caller', 'search', 'rows', 'triggers', 'jobs', 'runner', 'operator', 'api', 'audit',
      'public'
    )
  ), classes as (
    select class.*, schema.nspname
    from pg_catalog.pg_class class
    join schemas schema on schema.oid = class.relnamespace
    where class.relname <> 'as_migrated' and class.relname !~ '^pg_temp_\d+$' -- what that is filled by way of
      and class.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
  ), functions as (
    select function.*, schema.nspname
    from pg_catalog.pg_proc function
    join schemas schema on schema.oid = function.pronamespace
    where schema.nspname not in ('extensions', 'public') or not exists (
      select from pg_catalog.pg_depend depend
      where depend.classid = 'pg_proc'::regclass and depend.objid = function.oid and depend.deptype = 'e'
    )
  )
  select schema.nspname, 'schema ' || schema.nspname,
    concat_ws(' ', schema.nspowner::regrole, audit.acl(coalesce(schema.nspacl, acldefault('n', schema.nspowner))))
  from schemas schema
  union all
  select class.nspname, 'relation ' || class.oid::regclass,
    concat_ws(
      ' ', class.relkind, class.relowner::regrole, class.relrowsecurity, class.relforcerowsecurity, class.reloptions,
      audit.acl(coalesce(class.relacl, acldefault(case class.relkind when 'S' then 's'::"char" else 'r' end, class.relowner))),
      obj_description(class.oid, 'pg_class'),
      case when class.relkind in ('v', 'm') then pg_get_viewdef(class.oid) end
    )
  from classes class
  union all
  select class.nspname, 'column ' || class.oid::regclass || '.' || quote_ident(attribute.attname),
    concat_ws(
      ' ', format_type(attribute.atttypid, attribute.atttypmod), attribute.attnotnull, attribute.attgenerated,
      audit.acl(attribute.attacl), pg_get_expr(fallback.adbin, fallback.adrelid)
    )
  from pg_catalog.pg_attribute attribute
  join classes class on class.oid = attribute.attrelid
  left join pg_catalog.pg_attrdef fallback on fallback.adrelid = attribute.attrelid and fallback.adnum = attribute.attnum
  where attribute.attnum > 0 and not attribute.attisdropped
  union all
  select class.nspname, 'constraint ' || quote_ident(held.conname) || ' on ' || class.oid::regclass,
    pg_get_constraintdef(held.oid)
  from pg_catalog.pg_constraint held
  join classes class on class.oid = held.conrelid
  where class.nspname = 'partitions' or held.conparentid = 0 -- of a reference to weeks there is one more for each week
  union all
  select class.nspname, 'index ' || index.indexrelid::regclass, pg_get_indexdef(index.indexrelid)
  from pg_catalog.pg_index index
  join classes class on class.oid = index.indrelid
  union all
  select class.nspname, 'policy ' || quote_ident(policy.polname) || ' on ' || class.oid::regclass,
    concat_ws(
      ' ', policy.polcmd, policy.polpermissive,
      (select string_agg(role::regrole::text, ' ' order by role::regrole::text) from unnest(policy.polroles) role),
      pg_get_expr(policy.polqual, class.oid), 'check', pg_get_expr(policy.polwithcheck, class.oid),
      obj_description(policy.oid, 'pg_policy')
    )
  from pg_catalog.pg_policy policy
  join classes class on class.oid = policy.polrelid
  union all
  select class.nspname, 'trigger ' || quote_ident(trigger.tgname) || ' on ' || class.oid::regclass,
    concat_ws(' ', trigger.tgenabled, pg_get_triggerdef(trigger.oid))
  from pg_catalog.pg_trigger trigger
  join classes class on class.oid = trigger.tgrelid
  where not trigger.tgisinternal
  union all
  select function.nspname, 'function ' || function.oid::regprocedure,
    concat_ws(
      ' ', function.proowner::regrole, audit.acl(coalesce(function.proacl, acldefault('f', function.proowner))),
      case when function.prokind <> 'a' then pg_get_functiondef(function.oid) end, obj_description(function.oid, 'pg_proc')
    )
  from functions function
  union all
  select schema.nspname, 'type ' || type.oid::regtype,
    concat_ws(
      ' ', type.typtype, type.typowner::regrole,
      (select string_agg(label.enumlabel, ',' order by label.enumsortorder) from pg_catalog.pg_enum label where label.enumtypid = type.oid)
    )
  from pg_catalog.pg_type type
  join schemas schema on schema.oid = type.typnamespace
  where type.typtype in ('e', 'd', 'r')
  union all
  select coalesce(schema.nspname, 'pg_catalog'),
    concat_ws(' ', 'default privileges of', fallback.defaclrole::regrole, 'for', fallback.defaclobjtype, schema.nspname),
    audit.acl(fallback.defaclacl)
  from pg_catalog.pg_default_acl fallback
  left join pg_catalog.pg_namespace schema on schema.oid = fallback.defaclnamespace
$$;
comment on function audit.definitions is 'Everything that a migration makes, with the definition of each in words that mean the same in every database and for every search_path.';

-- Filled as the last of the definitions, which it speaks of (as_migrated.sql).
create materialized view audit.as_migrated as
select made.object, md5(made.definition) as digest
from audit.definitions() made
where made.schema <> 'partitions'
with no data;
comment on materialized view audit.as_migrated is 'A digest of each definition as botstead migrate left it.';
