/**
 * What walls ask of the catalogue: the schemas and roles that are ours, and our tables, relations and functions as
 * sub-selects.
 */
export const rebuilt = "('caller', 'search', 'rows', 'triggers', 'jobs', 'runner', 'operator', 'api', 'audit')";
export const ours =
  "('app', 'partitions', 'caller', 'search', 'rows', 'triggers', 'jobs', 'runner', 'operator', 'api', 'audit')";
export const roles =
  "('owner', 'server', 'tenant', 'authenticator', 'searcher', 'worker', 'runner', 'operator', 'auditor')";

/** app's tables and their partitions; of_tenant when they say whose each row is. */
export const tables = `
  select class.oid, class.oid::regclass as name, class.relname, attribute.attnum as organisation,
    attribute.attnum is not null as of_tenant
  from pg_class class
  left join pg_attribute attribute
    on attribute.attrelid = class.oid and attribute.attname = 'organisation_id' and not attribute.attisdropped
  where class.relnamespace in ('app'::regnamespace, 'partitions'::regnamespace) and class.relkind in ('r', 'p')`;

export const functions = `
  select function.oid, function.oid::regprocedure::text as name, function.proname, schema.nspname, function.prosecdef,
    function.proconfig, function.proowner::regrole::text as owner, obj_description(function.oid, 'pg_proc') as comment
  from pg_proc function join pg_namespace schema on schema.oid = function.pronamespace
  where schema.nspname in ${ours}`;

export const relations = `
  select class.oid, class.oid::regclass::text as name, class.relkind, schema.nspname
  from pg_class class join pg_namespace schema on schema.oid = class.relnamespace
  where schema.nspname in ${ours} and class.relkind in ('r', 'p', 'v', 'm', 'S', 'f')`;

/** Any privilege on a relation, on the whole or on a column of it. */
export const reaches = (role: string) => `(
  case when relkind = 'S' then has_sequence_privilege(${role}, oid, 'usage, select, update')
  else has_table_privilege(${role}, oid, 'select, insert, update, delete, truncate, references, trigger, maintain')
    or has_any_column_privilege(${role}, oid, 'select, insert, update, references')
  end)`;
