/* Definitions that differ from those of the last build. */
create view audit.violations_of_definitions (rule, kind, name, detail) as
select 'definition_changed', split_part(object, ' ', 1), substr(object, strpos(object, ' ') + 1), change
from audit.differences;
comment on view audit.violations_of_definitions is 'Definitions that differ from those of the last build: see audit.findings.';
grant select on audit.violations_of_definitions to auditor;
