/* Definitions that differ from the state after botstead migrate. */
create view audit.violations_of_definitions (rule, kind, name, detail) as
select 'definition_changed', split_part(coalesce(now.object, made.object), ' ', 1),
  substr(coalesce(now.object, made.object), strpos(coalesce(now.object, made.object), ' ') + 1),
  case when made.object is null then 'added' when now.object is null then 'gone' else 'changed' end
from (
  select found.object, md5(found.definition) as digest from audit.definitions() found where found.schema <> 'partitions'
) now
full join audit.as_migrated made on made.object = now.object
where now.digest is distinct from made.digest;
comment on view audit.violations_of_definitions is 'Definitions that differ from the state after botstead migrate: see audit.findings.';
grant select on audit.violations_of_definitions to auditor;
