/*
 * Builds of the definitions, and what differs from the last one. app.built_catalogues holds the inventory of a new
 * database of the same version, so a change by hand never becomes the standard (src/database/migrate.ts).
 */
create view audit.builds as
select build.built_at, build.version, lag(build.version) over (order by build.id) as from_version, build.server_version,
  build.built_by, build.differences
from app.definition_builds build
order by build.id desc;
comment on view audit.builds is 'When the definitions were built, by whom, from which version to which, and what had been changed by hand before.';
grant select on audit.builds to auditor;

-- Partitions come and go. All partitions of a table count as one object, and have to be equal.
create function audit.without_week(text text) returns text
language sql immutable
set search_path = ''
as $$
  select case when text ~ '_20|_fkey'
    then regexp_replace(regexp_replace(text, '_20\d{6}(?!\d)', '_*', 'g'), '(_fkey)\d+', '\1*', 'g') else text end
$$;
comment on function audit.without_week is 'A text with the names of partitions, and of foreign keys to partitions, without their week and number.';
grant execute on function audit.without_week to auditor;

create view audit.objects as
select listed.catalogue, listed.object_id, listed.kind || ' ' || listed.name as object, listed.name, listed.part_of,
  case when has_weeks then audit.without_week(listed.kind || '|' || listed.name) else listed.kind || '|' || listed.name end as key,
  case when has_weeks then audit.without_week(listed.attributes::text)::jsonb else listed.attributes end as attributes
from audit.inventory() listed,
  lateral (values (listed.name like '%partitions.%' or listed.catalogue in ('pg_constraint', 'pg_trigger'))) as partitioned (has_weeks);
comment on view audit.objects is 'The inventory, with a key and attributes in which all partitions of a table are one object.';
grant select on audit.objects to auditor;

-- Of what all databases of a cluster share, only what initdb made is intended.
create view audit.catalogues_to_record as
select listed.catalogue, jsonb_object_agg(listed.key, case
  when listed.part_of is null then listed.attributes
  else listed.attributes || jsonb_build_object('part_of', audit.without_week(listed.part_of))
end) as objects
from audit.objects listed
join pg_catalog.pg_class class on class.relname = listed.catalogue and class.relnamespace = 'pg_catalog'::regnamespace
where not class.relisshared or listed.object_id < 16384
group by listed.catalogue;
comment on view audit.catalogues_to_record is 'The inventory as a build records it, one row for each table of pg_catalog.';
grant select on audit.catalogues_to_record to auditor;

create function audit.extension_of(catalogue regclass, object oid) returns text
language sql stable
set search_path = ''
as $$
  select 'extension ' || quote_ident(extension.extname)
  from pg_catalog.pg_depend depend
  join pg_catalog.pg_extension extension on extension.oid = depend.refobjid
  where depend.deptype = 'e' and (
    depend.classid = catalogue and depend.objid = object
    or depend.classid = 'pg_type'::regclass and catalogue = 'pg_class'::regclass
      and depend.objid = (select class.reltype from pg_catalog.pg_class class where class.oid = object)
  )
  limit 1
$$;
comment on function audit.extension_of is 'The extension that this object belongs to.';
grant execute on function audit.extension_of to auditor;

create view audit.changed_objects as
with present as materialized (
  select * from audit.objects
), built as materialized (
  select recorded.catalogue, entry.key, regexp_replace(entry.key, '[|]', ' ') as object, substr(entry.key, strpos(entry.key, '|') + 1) as name,
    entry.value ->> 'part_of' as part_of, entry.value - 'part_of' as attributes
  from app.built_catalogues recorded, jsonb_each(recorded.objects) entry
), parts as (
  select present.catalogue, present.key, audit.without_week(place.of_table) as of_table, array_agg(place.of_table) as partitions
  from present
  cross join lateral (values (case present.catalogue when 'pg_trigger' then regexp_replace(present.name, '^.* on ', '') else present.part_of end)) place (of_table)
  where place.of_table like 'partitions.%'
  group by present.catalogue, present.key, audit.without_week(place.of_table)
), lacking as materialized ( -- mostly none; PostgreSQL would search all of "built" for each partition
  select parts.catalogue, parts.key, parts.of_table, partition.name
  from parts
  join present partition on partition.catalogue = 'pg_class' and partition.key like 'table|partitions.%'
    and partition.key = 'table|' || parts.of_table and partition.name <> all (parts.partitions)
), differing as (
  select coalesce(present.catalogue, built.catalogue) as catalogue, coalesce(present.object, built.object) as object,
    coalesce(present.name, built.name) as name,
    case when built.key is null then 'added' when present.key is null then 'removed' else 'changed' end as change,
    coalesce(audit.extension_of(present.catalogue::text::regclass, present.object_id), present.part_of, built.part_of) as part_of,
    built.attributes as built, present.attributes as present, present.object_id
  from present
  full join built on built.catalogue = present.catalogue and built.key = present.key
  -- Old rows have this value of a later column. VACUUM FULL writes it into them, and a dump contains it.
  where present.attributes is distinct from case
    when built.attributes ? 'attmissingval' and not present.attributes ? 'attmissingval' then built.attributes - 'attmissingval'
    else built.attributes
  end
  union all
  -- One partition lacks what others have.
  select built.catalogue, replace(built.object, lacking.of_table, lacking.name), replace(built.name, lacking.of_table, lacking.name),
    'removed', lacking.name, built.attributes, null, null
  from lacking
  join built on built.catalogue = lacking.catalogue and built.key = lacking.key
)
select differing.catalogue || ' ' || differing.object as id, differing.*
from differing
where exists (select from app.built_catalogues);
comment on view audit.changed_objects is 'Objects that a new database of this version does not have, or has with other attributes.';
grant select on audit.changed_objects to auditor;

create function audit.unequal(one jsonb, other jsonb) returns jsonb
language sql immutable
set search_path = ''
as $$
  select coalesce(jsonb_object_agg(entry.key, entry.value), '{}')
  from jsonb_each(one) entry
  where other -> entry.key is distinct from entry.value
$$;
comment on function audit.unequal is 'The attributes of one object that another does not have, or has with other values.';
grant execute on function audit.unequal to auditor;

-- Parts that changed in the same way with a table, function or extension are listed once, with their number.
create view audit.differences as
with changed as materialized (
  select * from audit.changed_objects
), parents as (
  select part.id, min(whole.id) as whole
  from changed part
  join changed whole on part.part_of in (whole.name, whole.object)
  where part.id <> whole.id and whole.part_of is distinct from whole.name and part.change = whole.change and (
    part.change <> 'changed' or audit.unequal(part.present, part.built) = audit.unequal(whole.present, whole.built)
  )
  group by part.id
), grouped as (
  select coalesce(above.whole, parents.whole, changed.id) as whole, changed.*
  from changed
  left join parents on parents.id = changed.id
  left join parents above on above.id = parents.whole
)
select main.catalogue, main.object, main.name, main.change,
  case main.change when 'changed' then audit.unequal(main.built, main.present) else main.built end as built,
  case main.change when 'changed' then audit.unequal(main.present, main.built) else main.present end as present,
  count(*) - 1 as parts,
  sha256(convert_to(string_agg(concat_ws(' ', part.object, part.change, part.present), E'\n' order by part.catalogue, part.object, part.present::text), 'UTF8')) as digest,
  array_agg(part.catalogue || ' ' || part.object_id) filter (where part.object_id is not null) as members
from grouped main
join grouped part on part.whole = main.id
where main.whole = main.id
group by main.id, main.catalogue, main.object, main.name, main.change, main.built, main.present;
comment on view audit.differences is 'Changes by hand: objects that a new database of this version does not have, or has with other attributes, and those attributes. digest covers all parts. members are their catalogues and OIDs.';
grant select on audit.differences to auditor;
