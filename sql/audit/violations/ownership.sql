/* Ownership: an owner may do anything with its objects, and a definer function may do what its owner may. */
create view audit.violations_of_ownership (rule, kind, name, detail, remedy) as
with owned as (
  select 'pg_namespace'::regclass as catalogue, schema.oid, schema.nspowner as owner
  from pg_catalog.pg_namespace schema
  where schema.nspname in (select ours.name from audit.our_schemas ours) or schema.nspname = 'extensions'
  union all
  select 'pg_class'::regclass, class.oid, class.relowner
  from pg_catalog.pg_class class
  where class.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
  union all
  select 'pg_proc'::regclass, function.oid, function.proowner
  from pg_catalog.pg_proc function
  union all
  select 'pg_type'::regclass, type.oid, type.typowner
  from pg_catalog.pg_type type
  where type.typtype in ('e', 'd', 'r')
), ours as (
  select owned.catalogue, owned.oid, owned.owner, identified.type
  from owned, pg_identify_object(owned.catalogue, owned.oid, 0) identified
  where (
    identified.schema in (select ours.name from audit.our_schemas ours)
    or owned.catalogue = 'pg_namespace'::regclass
  )
)
select 'owned_by_another', ours.type, audit.identity(ours.catalogue, ours.oid), pg_get_userbyid(ours.owner)::text,
  -- The owner of a table's sequence is the owner of the table.
  format(
    'alter %s %s owner to %s;', case when ours.type = 'sequence' and owned_by.oid is not null then 'table' else ours.type end,
    coalesce(audit.identity('pg_class', owned_by.oid), audit.identity(ours.catalogue, ours.oid)), coalesce(handed.owner, 'owner')
  )
from ours
left join audit.handed_over handed on handed.oid = ours.oid and ours.catalogue = 'pg_proc'::regclass
left join lateral (
  select depend.refobjid as oid
  from pg_catalog.pg_depend depend
  where ours.catalogue = 'pg_class'::regclass and depend.classid = ours.catalogue and depend.objid = ours.oid
    and depend.refclassid = ours.catalogue and depend.refobjsubid > 0 and depend.deptype in ('a', 'i')
  limit 1
) owned_by on true
where pg_get_userbyid(ours.owner) <> coalesce(handed.owner, 'owner')
union all
select 'not_handed_over', 'function', handed.function, handed.owner, null
from audit.handed_over handed
where handed.oid is null;
comment on view audit.violations_of_ownership is 'Violations of ownership: see audit.findings.';
grant select on audit.violations_of_ownership to auditor;
