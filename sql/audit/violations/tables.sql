/* Tables without forced RLS, and keys without the organisation. */
create view audit.violations_of_tables (rule, kind, name, detail) as
select 'rls_not_forced', 'table', audit.identity('pg_class', class.oid), null::text
from pg_catalog.pg_class class
join pg_catalog.pg_namespace schema on schema.oid = class.relnamespace
where class.relkind in ('r', 'p')
  and schema.nspname not like 'pg\_%' and schema.nspname <> 'information_schema' and schema.nspname not like 'graphile\_%'
  and not (class.relrowsecurity and class.relforcerowsecurity)
  and not exists (
    select from pg_catalog.pg_depend depend
    where depend.classid = 'pg_class'::regclass and depend.objid = class.oid and depend.deptype = 'e'
  )
union all
select 'table_without_organisation', 'table', tables.name, null
from audit.tables
where tables.schema = 'app' and tables.organisation is null
union all
select case when index.indisprimary then 'primary_key_without_organisation' else 'unique_without_organisation' end,
  case when table_constraint.oid is null then 'index' else 'constraint' end,
  coalesce(quote_ident(table_constraint.conname) || ' on ' || tables.name, audit.identity('pg_class', index.indexrelid)), tables.name
from pg_catalog.pg_index index
join audit.tables on tables.oid = index.indrelid
left join pg_catalog.pg_constraint table_constraint on table_constraint.conindid = index.indexrelid and table_constraint.contype in ('p', 'u', 'x')
where tables.organisation is not null and (index.indisunique or index.indisexclusion)
  and index.indkey[0] <> tables.organisation
  -- A digest of 32 random bytes is globally unique.
  and not (not index.indisprimary and index.indnkeyatts = 1 and exists (
    select from pg_catalog.pg_attribute attribute
    where attribute.attrelid = index.indrelid and attribute.attnum = index.indkey[0]
      and attribute.attname in ('digest', 'token_digest', 'secret_digest', 'link_digest', 'session_digest')
  ))
union all
select 'foreign_key_without_organisation', 'constraint',
  quote_ident(table_constraint.conname) || ' on ' || audit.identity('pg_class', table_constraint.conrelid), target.name
from pg_catalog.pg_constraint table_constraint
join audit.tables target on target.oid = table_constraint.confrelid
left join audit.tables source on source.oid = table_constraint.conrelid
where table_constraint.contype = 'f' and table_constraint.conparentid = 0 and target.organisation is not null
  and (table_constraint.conkey[1] = source.organisation and table_constraint.confkey[1] = target.organisation) is not true;
comment on view audit.violations_of_tables is 'Violations by tables and keys: see audit.findings.';
grant select on audit.violations_of_tables to auditor;
