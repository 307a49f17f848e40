/*
 * Whom things belong to: an owner may do anything with what is its own, and a definer function what its owner may.
 */
create view audit.breaches_of_ownership (rule, kind, name, detail) as
with owned as (
  select 'pg_namespace'::regclass as catalogue, schema.oid, schema.nspowner as owner
  from pg_catalog.pg_namespace schema
  where schema.nspname in (
    'app', 'partitions', 'caller', 'search', 'rows', 'triggers', 'jobs', 'runner', 'operator', 'api', 'audit', 'extensions'
  )
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
    identified.schema in (
      'app', 'partitions', 'caller', 'search', 'rows', 'triggers', 'jobs', 'runner', 'operator', 'api', 'audit'
    )
    or owned.catalogue = 'pg_namespace'::regclass
  )
)
select 'owned_by_another', ours.type, audit.identity(ours.catalogue, ours.oid), pg_get_userbyid(ours.owner)::text
from ours
left join audit.handed_over handed on handed.oid = ours.oid and ours.catalogue = 'pg_proc'::regclass
where pg_get_userbyid(ours.owner) <> coalesce(handed.owner, 'owner')
union all
select 'not_handed_over', 'function', handed.function, handed.owner
from audit.handed_over handed
where handed.oid is null
union all
-- What a role owns elsewhere. worker has the schema of its library, owner what graphile-migrate keeps.
select 'owned_elsewhere', identified.type, audit.identity(depend.classid, depend.objid, depend.objsubid), role.name
from pg_catalog.pg_shdepend depend
join audit.our_roles role on role.oid = depend.refobjid and role.name not in ('owner', 'worker'),
  pg_identify_object(depend.classid, depend.objid, depend.objsubid) identified
where depend.refclassid = 'pg_authid'::regclass and depend.deptype = 'o'
  and depend.dbid = (select database.oid from pg_catalog.pg_database database where database.datname = current_database())
  and not exists (
    select from ours where ours.catalogue = depend.classid and ours.oid = depend.objid
  );
comment on view audit.breaches_of_ownership is 'Breaches by whom things belong to: see audit.findings.';
