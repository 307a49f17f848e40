/**
 * Compares the definitions of schema audit with the files of this version. A superuser can replace a view of the audit by
 * one that finds nothing, so the comparison reads the catalogue itself. (docs/decisions/0032-security-audit.md)
 */
import type { Client } from "pg";
import { version } from "../version.ts";
import { lastBuild } from "./builds.ts";
import { definitionsDigest, readDefinitions } from "./definitions.ts";
import { describeRoles } from "./roles.ts";
import { describeMigrations } from "./versions.ts";

export type ChangedDefinition = {
  object: string;
  /** "added", "removed", "changed", or why the object could not be compared. */
  change: string;
};

/**
 * The objects of schema audit that differ from the objects of this version. Builds the files as temporary objects in a
 * transaction that it rolls back, since only PostgreSQL prints a view as the catalogue does.
 *
 * @param owner logged in as owner, outside of a transaction
 */
export async function changedAuditDefinitions(owner: Client): Promise<ChangedDefinition[]> {
  const build = await lastBuild(owner);
  if (build?.digest !== definitionsDigest()) {
    const change = `built by version ${build?.version ?? "unknown"} from other files than those of this version ${version}`;
    return [{ object: "schema audit", change }];
  }
  await owner.query("begin read write");
  try {
    await owner.query("set local search_path = ''");
    await owner.query("select set_config('botstead.roles', $1, true), set_config('botstead.migrations', $2, true)", [
      describeRoles(),
      describeMigrations(),
    ]);
    for (const { file, text } of readDefinitions().filter(({ file }) => file.startsWith("audit/"))) {
      const failed = await owner.query(asTemporary(text)).catch((error: Error) => error);
      // A definition that this definition needs is gone or has other columns.
      if (failed instanceof Error)
        return [{ object: "schema audit", change: `not what sql/${file} needs: ${failed.message}` }];
    }
    return (await owner.query<ChangedDefinition>(comparison)).rows;
  } finally {
    await owner.query("rollback");
  }
}

/** Within the definitions, references to schema audit remain: each object is compared by itself. */
const asTemporary = (text: string) =>
  text.replaceAll(/\b(create view|create function|on view|on function|grant select on) audit\./g, "$1 pg_temp.");

const comparison = `
  with objects as (
    select class.relnamespace as schema, 'view audit.' || class.relname as object,
      concat_ws(' ', class.relkind, class.reloptions, class.relrowsecurity, pg_catalog.pg_get_viewdef(class.oid), (
        select string_agg(format('%s %s', rule.rulename, rule.ev_enabled), ' ' order by rule.rulename)
        from pg_catalog.pg_rewrite rule
        where rule.ev_class = class.oid
      )) as definition
    from pg_catalog.pg_class class
    where class.relkind not in ('i', 'I', 'c', 't')
    union all
    select function.pronamespace,
      format('function audit.%s(%s)', function.proname, pg_catalog.pg_get_function_identity_arguments(function.oid)),
      (to_jsonb(function) - '{oid,pronamespace,proowner,proacl}'::text[])::text
    from pg_catalog.pg_proc function
  ), present as (
    select object, definition from objects where schema = 'audit'::regnamespace
  ), built as (
    select object, definition from objects where schema = pg_catalog.pg_my_temp_schema()
  )
  select coalesce(present.object, built.object) as object,
    case when built.object is null then 'added' when present.object is null then 'removed' else 'changed' end as change
  from present
  full join built on built.object = present.object
  where present.definition is distinct from built.definition
  union all
  -- What prints the definitions is PostgreSQL's own.
  select 'function ' || function.oid::regprocedure, 'changed'
  from pg_catalog.pg_proc function
  where function.pronamespace = 'pg_catalog'::regnamespace
    and function.prolang <> (select language.oid from pg_catalog.pg_language language where language.lanname = 'internal')
    and function.proname in ('pg_get_viewdef', 'pg_get_function_identity_arguments', 'to_jsonb', 'pg_my_temp_schema')
  order by object`;
