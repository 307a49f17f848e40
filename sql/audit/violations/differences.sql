/* Differences from a new database of this version (builds.sql), and whether they could be examined. */
/*
 * Places of remedies. An object is dropped after the added objects that use it. An object that an intended object uses is
 * dropped after the repair of the intended object.
 */
create function audit.dependant(catalogue oid, object oid) returns text
language sql stable
set search_path = ''
as $$
  select case catalogue
    when 'pg_rewrite'::regclass then (select 'pg_class ' || rule.ev_class from pg_catalog.pg_rewrite rule where rule.oid = object)
    when 'pg_type'::regclass then (
      select case when element.typrelid <> 0 then 'pg_class ' || element.typrelid else 'pg_type ' || element.oid end
      from pg_catalog.pg_type type
      join pg_catalog.pg_type element on element.oid = case type.typcategory when 'A' then type.typelem else type.oid end
      where type.oid = object
    )
    else concat(catalogue::regclass, ' ', object)
  end
$$;
comment on function audit.dependant is 'An object as members of audit.differences name it: a view instead of its query, a table instead of its row type.';
grant execute on function audit.dependant to auditor;

-- Extensions that only measure, and empty schemas: what is in them is a finding of its own.
create function audit.is_out_of_reach(found audit.differences) returns boolean
language sql stable
set search_path = ''
as $$
  select found.change = 'added' and (found.catalogue = 'pg_namespace' or found.name in ('pg_stat_statements', 'pg_buffercache', 'pg_visibility', 'pgstattuple'))
    and not exists (
      select from audit.our_roles role
      where has_schema_privilege(role.oid, to_regnamespace(coalesce(found.present ->> 'extnamespace', found.name))::oid, 'usage, create')
    )
$$;
comment on function audit.is_out_of_reach is 'Whether none of our roles may enter the schema, or the schema of the extension.';
grant execute on function audit.is_out_of_reach to auditor;

create view audit.violations_of_differences as
with recursive found as materialized (
  select * from audit.differences
), added as materialized (
  select found.object, found.catalogue, member
  from found
  left join lateral unnest(found.members) member on true
  where found.change = 'added'
), uses as materialized (
  select distinct used.object, user_of.object as by_object
  from pg_catalog.pg_depend depend
  join added used on used.member = audit.dependant(depend.refclassid, depend.refobjid)
  left join added user_of on user_of.member = audit.dependant(depend.classid, depend.objid)
  where depend.deptype = 'n' and user_of.object is distinct from used.object
), placed (object, place) as (
  select added.object, case
      when added.catalogue = 'pg_event_trigger' then 2000
      when exists (select from uses where uses.object = added.object and uses.by_object is null) then 6000
      else 4000
    end
  from added
  union
  select uses.object, placed.place + 1
  from placed
  join uses on uses.by_object = placed.object
  where placed.place % 1000 < 100 -- if objects use each other
), places as (
  select placed.object, max(placed.place) as place from placed group by placed.object
)
select 'difference' as rule, left(found.object, -length(found.name) - 1) as kind, found.name,
  found.change || case found.change when 'changed' then ' in ' || (
    select string_agg(attribute, ', ' order by attribute)
    from (select jsonb_object_keys(found.built) union select jsonb_object_keys(found.present)) as differing (attribute)
  ) else '' end || case when found.parts > 0 then format(', with %s parts', found.parts) else '' end as detail,
  audit.shown(found.built) as expected, audit.shown(found.present) as actual,
  case when found.catalogue in ('pg_namespace', 'pg_extension') and audit.is_out_of_reach(found.*::audit.differences) then 'notice' else catalogue.severity end as severity,
  catalogue.why, remedy.text as remedy, encode(found.digest, 'hex') as evidence,
  coalesce(places.place, case
    when remedy.text !~ ';$' then 5000
    when found.built ->> 'definition' ~ '^FOREIGN KEY' then 4901 -- after the key that it refers to
    else 4900
  end) as place
from found
cross join lateral (select audit.remedy_of_difference(found.*::audit.differences) as text) remedy
left join places on places.object = found.object
left join audit.catalogues catalogue on catalogue.name = found.catalogue;
comment on view audit.violations_of_differences is 'Objects that differ from the objects of a new database: see audit.findings. place orders their remedies.';
grant select on audit.violations_of_differences to auditor;

create view audit.refused_differences as
select found.object, found.change, found.built, found.present
from audit.differences found
where (
    audit.is_ours(found.name) or found.catalogue = 'pg_namespace' and audit.is_ours(found.name || '.')
    or found.object = 'description of schema migration' -- the version, which the processes read
  )
  and audit.finding_id('difference', found.object, encode(found.digest, 'hex')) not in (select accepted.finding from audit.accepted);
comment on view audit.refused_differences is 'Differences in Botstead''s schemas that are not accepted: `botstead migrate` refuses to hide them.';
grant select on audit.refused_differences to auditor;
