/*
 * Tables: walls that are missing, and keys that forget whose a row is.
 */
create view audit.breaches_of_tables (rule, kind, name, detail) as
select 'table_without_walls', 'table', audit.identity('pg_class', class.oid), null::text
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
select 'table_without_policy', 'table', tables.name, null
from audit.tables
where tables.schema = 'app' and not exists (
  select from pg_catalog.pg_policy policy where policy.polrelid = tables.oid and to_regrole('owner') = any (policy.polroles)
)
union all
select 'partition_with_policy', 'policy', audit.identity('pg_policy', policy.oid), tables.name
from pg_catalog.pg_policy policy
join audit.tables on tables.oid = policy.polrelid
where tables.schema = 'partitions'
union all
select 'partition_out_of_place', 'table', tables.name, null
from audit.tables
join pg_catalog.pg_class class on class.oid = tables.oid
where class.relispartition <> (tables.schema = 'partitions')
union all
select 'table_of_nobody', 'table', tables.name, null
from audit.tables
where tables.schema = 'app' and tables.organisation is null
union all
select case when index.indisprimary then 'primary_key_without_organisation' else 'unique_without_organisation' end,
  case when held.oid is null then 'index' else 'constraint' end,
  coalesce(quote_ident(held.conname) || ' on ' || tables.name, audit.identity('pg_class', index.indexrelid)), tables.name
from pg_catalog.pg_index index
join audit.tables on tables.oid = index.indrelid
left join pg_catalog.pg_constraint held on held.conindid = index.indexrelid and held.contype in ('p', 'u', 'x')
where tables.organisation is not null and (index.indisunique or index.indisexclusion)
  and index.indkey[0] <> tables.organisation
  -- A digest of 32 random bytes is one of its kind wherever it lies.
  and not (not index.indisprimary and index.indnkeyatts = 1 and exists (
    select from pg_catalog.pg_attribute attribute
    where attribute.attrelid = index.indrelid and attribute.attnum = index.indkey[0]
      and attribute.attname in ('digest', 'token_digest', 'secret_digest')
  ))
union all
select 'foreign_key_without_organisation', 'constraint',
  quote_ident(held.conname) || ' on ' || audit.identity('pg_class', held.conrelid), target.name
from pg_catalog.pg_constraint held
join audit.tables target on target.oid = held.confrelid
left join audit.tables source on source.oid = held.conrelid
where held.contype = 'f' and held.conparentid = 0 and target.organisation is not null
  and (held.conkey[1] = source.organisation and held.confkey[1] = target.organisation) is not true
union all
select 'constraint_not_enforced', 'constraint', quote_ident(held.conname) || ' on ' || tables.name,
  case when held.conenforced then 'not validated' else 'not enforced' end
from pg_catalog.pg_constraint held
join audit.tables on tables.oid = held.conrelid
where not (held.convalidated and held.conenforced)
union all
select 'index_invalid', 'index', audit.identity('pg_class', index.indexrelid), tables.name
from pg_catalog.pg_index index
join audit.tables on tables.oid = index.indrelid
where not (index.indisvalid and index.indisready and index.indislive)
union all
select 'trigger_disabled', 'trigger', quote_ident(trigger.tgname) || ' on ' || tables.name, tables.name
from pg_catalog.pg_trigger trigger
join audit.tables on tables.oid = trigger.tgrelid
where trigger.tgenabled <> 'O'
union all
select 'rule_on_table', 'rule', quote_ident(rule.rulename) || ' on ' || tables.name, tables.name
from pg_catalog.pg_rewrite rule
join audit.tables on tables.oid = rule.ev_class
union all
select 'event_trigger', 'event trigger', quote_ident(trigger.evtname), trigger.evtevent
from pg_catalog.pg_event_trigger trigger
where not exists (
  select from pg_catalog.pg_depend depend
  where depend.classid = 'pg_event_trigger'::regclass and depend.objid = trigger.oid and depend.deptype = 'e'
);
comment on view audit.breaches_of_tables is 'Breaches by tables, keys, triggers and indexes: see audit.findings.';
