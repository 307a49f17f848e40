/**
 * The walls of the database: each is a query over the catalogue that answers what breaches it, in words, and nothing
 * when it stands.
 */
import { operations, pageOperations } from "../../src/contract/operations.ts";
import { functions, ours, reaches, rebuilt, relations, tables } from "./catalogue.ts";
import { wallsOfRoles } from "./walls-of-roles.ts";

export type Wall = { name: string; breaches: string };

/** Tables of no tenant. Whoever adds one says so here. */
const ofNoTenant = `(
  'organisations', 'people', 'platform_keys', 'executors', 'delivery_ladder', 'service_settings', 'sweep', 'operator_tokens',
  'operator_sessions', 'definitions', 'model_prices'
)`;

/** Functions of schema api that are no operation: the way to them. */
const wayIn = ["handle", "dispatch", "recall", "remember"];

const quoted = (names: string[]) => names.map((name) => `('${name}')`).join(", ");

export const walls: Wall[] = [
  {
    name: "row-level security is enabled and forced on every table",
    breaches: `
      select class.oid::regclass::text as breach
      from pg_class class join pg_namespace schema on schema.oid = class.relnamespace
      where class.relkind in ('r', 'p')
        and schema.nspname not in ('pg_catalog', 'information_schema')
        and schema.nspname not like 'graphile\\_%'
        and not (class.relrowsecurity and class.relforcerowsecurity)`,
  },
  {
    name: "every table of ours has a policy for the definer functions that work on it",
    breaches: `
      select name from (${relations}) relation
      where nspname = 'app' and relkind in ('r', 'p') and not exists (
        select from pg_policy where polrelid = relation.oid and 'owner'::regrole = any (polroles)
      )`,
  },
  {
    name: "a partition lies in schema partitions, is reached through its table alone, and nothing else lies there",
    breaches: `
      select name || ' has a policy of its own'
      from (${relations}) relation join pg_policy on polrelid = relation.oid where nspname = 'partitions'
      union all
      select role.name || ' on ' || relation.name
      from (${relations}) relation, (values ('server'), ('tenant'), ('authenticator'), ('searcher'), ('worker'), ('runner'), ('operator'), ('auditor')) as role (name)
      where nspname = 'partitions' and ${reaches("role.name")}
      union all
      select role.name || ' in partitions'
      from (values ('server'), ('tenant'), ('authenticator'), ('searcher'), ('worker'), ('runner'), ('operator'), ('auditor')) as role (name)
      where has_schema_privilege(role.name, 'partitions', 'usage, create')
      union all
      select relation.name || ' is out of place'
      from (${relations}) relation join pg_class using (oid)
      where relation.relkind in ('r', 'p') and relispartition <> (nspname = 'partitions')`,
  },
  {
    name: "no policy speaks to everybody, and only tenant, authenticator, searcher and owner are spoken to",
    breaches: `
      select polrelid::regclass || '.' || polname
      from pg_policy
      where not polroles
        <@ array['tenant'::regrole::oid, 'authenticator'::regrole::oid, 'searcher'::regrole::oid, 'owner'::regrole::oid]`,
  },
  {
    name: "tenant has no privilege without a policy for it",
    breaches: `
      select relation.name || ' ' || command.name
      from (${relations}) relation,
        (values ('r', 'select'), ('a', 'insert'), ('w', 'update'), ('d', 'delete')) as command (letter, name)
      where relkind in ('r', 'p')
        and (has_table_privilege('tenant', oid, command.name)
          or command.name <> 'delete' and has_any_column_privilege('tenant', oid, command.name))
        and not exists (
          select from pg_policy
          where polrelid = relation.oid and 'tenant'::regrole = any (polroles) and polcmd in (command.letter::"char", '*')
        )`,
  },
  {
    name: "a policy of tenant on a table of tenants compares with the caller's organisation",
    breaches: `
      select polrelid::regclass || '.' || polname
      from pg_policy join (${tables}) tables on tables.oid = polrelid
      where of_tenant and 'tenant'::regrole = any (polroles)
        and coalesce(pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))
          !~ 'organisation_id = .*caller\\.organisation_id\\(\\)'`,
  },
  {
    name: "tenant can neither truncate a table nor refer to it, since policies do not hold these",
    breaches: `
      select name from (${relations}) relation
      where relkind in ('r', 'p') and has_table_privilege('tenant', oid, 'truncate, references, trigger, maintain')`,
  },
  {
    name: "a table says whose its rows are, or is known to belong to nobody",
    breaches: `select name::text from (${tables}) tables where not of_tenant and relname not in ${ofNoTenant}`,
  },
  {
    name: "primary keys and unique constraints and indexes of tenants' tables begin with organisation_id, or are of a digest",
    breaches: `
      select indexrelid::regclass::text
      from pg_index join (${tables}) tables on tables.oid = indrelid
      where of_tenant and indisunique
        and indkey[0] <> organisation
        and not (not indisprimary and indnkeyatts = 1 and exists (
          select from pg_attribute where attrelid = indrelid and attnum = indkey[0] and attname in ('digest', 'token_digest', 'secret_digest')
        ))`,
  },
  {
    name: "a foreign key to a table of tenants begins with organisation_id on both sides",
    breaches: `
      select conrelid::regclass || '.' || conname
      from pg_constraint
      join (${tables}) target on target.oid = confrelid
      left join (${tables}) source on source.oid = conrelid
      where contype = 'f' and target.of_tenant
        and (conkey[1] = source.organisation and confkey[1] = target.organisation) is not true`,
  },
  {
    name: "a definer function pins search_path to nothing",
    breaches: `
      select name from (${functions}) function
      where prosecdef and not coalesce('search_path=""' = any (proconfig), false)`,
  },
  {
    name: "a definer function says what stands in place of row-level security",
    breaches: `
      select name from (${functions}) function
      where prosecdef and coalesce(comment, '') not like 'Instead of row-level security: _%'`,
  },
  {
    name: "PUBLIC may enter no schema, execute nothing and read nothing",
    breaches: `
      select 'schema ' || nspname from pg_namespace
      where (nspname in ${ours} or nspname = 'public') and has_schema_privilege('public', oid, 'usage, create')
      union all
      select name from (${functions}) function where has_function_privilege('public', oid, 'execute')
      union all
      select name from (${relations}) relation where ${reaches("'public'")}`,
  },
  {
    name: "the functions of schema api are the operations of the contract and the way to them",
    breaches: `
      select coalesce('without an operation: ' || found.proname, 'without a function: ' || wanted.name)
      from (select distinct proname from (${functions}) function where nspname = 'api') found
      full join (values ${quoted([...[...operations, ...pageOperations].map(({ name }) => name), ...wayIn])}) as wanted (name)
        on wanted.name = found.proname
      where found.proname is null or wanted.name is null`,
  },
  {
    name: "a view in schema rows reads as whoever asks",
    breaches: `
      select name from (${relations}) relation join pg_class using (oid)
      where nspname = 'rows' and not coalesce('security_invoker=true' = any (reloptions), false)`,
  },
  {
    name: "no column or constraint of app hangs on a schema that is rebuilt",
    breaches: `
      with rebuilt as (
        select oid, 'pg_proc'::regclass as class from pg_proc where pronamespace::regnamespace::text in ${rebuilt}
        union all
        select oid, 'pg_class'::regclass from pg_class where relnamespace::regnamespace::text in ${rebuilt}
        union all
        select oid, 'pg_type'::regclass from pg_type where typnamespace::regnamespace::text in ${rebuilt}
      )
      select pg_describe_object(classid, objid, objsubid)
      from pg_depend join rebuilt on rebuilt.oid = refobjid and rebuilt.class = refclassid
      left join pg_constraint on classid = 'pg_constraint'::regclass and pg_constraint.oid = objid
      left join pg_attrdef on classid = 'pg_attrdef'::regclass and pg_attrdef.oid = objid
      left join pg_class on classid = 'pg_class'::regclass and pg_class.oid = objid
      where coalesce(nullif(connamespace, 0), (select relnamespace from pg_class where oid = adrelid), relnamespace)
        = 'app'::regnamespace`,
  },
  ...wallsOfRoles,
];
