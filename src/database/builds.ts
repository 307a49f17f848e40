/**
 * Builds of the definitions: what a database was built from, what has changed in it since, and the definitions that a
 * new database of this version has. (docs/decisions/0004-definitions-beside-migrations.md)
 */
import type { Client } from "pg";
import { version } from "../version.ts";

export type LastBuild = { version: string; digest: string; serverVersion: number };

/** A definition, or the settings of a role, that was changed by hand. */
export type Difference = {
  object: string;
  /** "added", "removed", "changed"; for a role, what differs. */
  change: string;
  /** As built; null if it was added, or for a role. */
  built: string | null;
  /** As found; null if it was removed, or for a role. */
  present: string | null;
};

/**
 * What later changes are compared with: the database itself if it is new, what was recorded before, or definitions of
 * another database as JSON, an array of { schema, object, definition }.
 */
export type Reference = "own" | "recorded" | string;

export type Build = {
  /** The administrator's login and address. */
  builtBy: string;
  differences: Difference[];
  reference: Reference;
};

/** Undefined before the first build. */
export async function lastBuild(db: Client): Promise<LastBuild | undefined> {
  const { rows: found } = await db.query(
    "select from pg_tables where schemaname = 'app' and tablename = 'definition_builds'",
  );
  if (found.length === 0) return undefined;
  const { rows } = await db.query<LastBuild>(
    `select version, digest, server_version as "serverVersion" from app.definition_builds order by id desc limit 1`,
  );
  return rows[0];
}

/** What was changed by hand since the last build, as far as a migration restores or records it. */
export async function differencesOf(owner: Client): Promise<Difference[]> {
  const { rows } = await owner.query<Difference>(
    `select object, change, built, present from audit.differences
     union all
     select kind || ' ' || name, detail, null, null from audit.violations_of_roles
     where rule = 'role_settings' and not starts_with(detail, 'in this database')`,
  );
  return rows;
}

/** Reads the definitions of a database that was just built. */
export async function readReference(owner: Client): Promise<string> {
  const { rows } = await owner.query<{ definitions: string }>(
    "select json_agg(made)::text as definitions from audit.definitions() made",
  );
  return rows[0]?.definitions ?? "[]";
}

/** Within the transaction of the build, as owner. */
export async function recordBuild(owner: Client, digest: string, build: Build): Promise<void> {
  if (build.reference !== "recorded") {
    const [source, values] =
      build.reference === "own"
        ? ["audit.definitions()", []]
        : ["json_to_recordset($1) as made (schema name, object text, definition text)", [build.reference]];
    await owner.query("delete from app.built_definitions");
    await owner.query(
      `insert into app.built_definitions (schema, object, definition)
       select schema, object, definition from ${source} where schema <> 'partitions'`,
      values,
    );
  }
  await owner.query(
    `insert into app.definition_builds (version, digest, server_version, built_by, differences)
     values ($1, $2, current_setting('server_version_num')::integer / 10000, $3, $4)`,
    [version, digest, build.builtBy, JSON.stringify(build.differences)],
  );
}
