/*
 * Builds of the definitions, and what differs from the last one. app.built_definitions holds the definitions as a new
 * database of the same version has them, so a change by hand never becomes the standard (src/database/migrate.ts).
 */
create view audit.builds as
select build.built_at, build.version, lag(build.version) over (order by build.id) as from_version, build.server_version,
  build.built_by, build.differences
from app.definition_builds build
order by build.id desc;
comment on view audit.builds is 'When the definitions were built, by whom, from which version to which, and what had been changed by hand before.';
grant select on audit.builds to auditor;

create view audit.differences as
select coalesce(present.object, built.object) as object,
  case when built.object is null then 'added' when present.object is null then 'removed' else 'changed' end as change,
  built.definition as built, present.definition as present
from (
  select found.object, found.definition from audit.definitions() found where found.schema <> 'partitions'
) present
full join app.built_definitions built on built.object = present.object
where present.definition is distinct from built.definition
order by object;
comment on view audit.differences is 'Definitions that differ from those of the last build, with both texts.';
grant select on audit.differences to auditor;
