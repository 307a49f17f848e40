/**
 * Builds of the definitions: their sources, later changes in the database, and the definitions of a new database of this
 * version. (docs/decisions/0005-definitions-beside-migrations.md)
 */
import type { Client } from "pg";
import { version } from "../version.ts";
import { recordVersion } from "./versions.ts";

export type LastBuild = { id: string; version: string; digest: string; serverVersion: number };

/** An object, or the attributes or settings of a role, that was changed by hand. */
export type Difference = {
  object: string;
  /** "added", "removed", "changed"; for a role, what differs. */
  change: string;
  /** As built: all attributes, or the differing ones; null if it was added, or for a role. */
  built: Record<string, unknown> | null;
  /** As found; null if it was removed, or for a role. */
  present: Record<string, unknown> | null;
};

/**
 * The reference of later changes. "new": this database, which was just created. "later": the same, recorded after
 * the build. "own": this database, for want of a new one. "recorded": the reference of the last build. Otherwise the
 * inventory of a new database: JSON, an array of { catalogue, objects }.
 */
export type Reference = "new" | "later" | "own" | "recorded" | { inventory: string };

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
    `select id, version, digest, server_version as "serverVersion" from app.definition_builds order by id desc limit 1`,
  );
  return rows[0];
}

/** Findings of the audit about roles, settings and the database. A migration restores a part of it. */
const aroundDatabase = `
  select kind || ' ' || name as object,
    case rule when 'membership_missing' then 'is no member of ' || detail else coalesce(detail, 'is missing') end as change,
    rule, name, detail,
    rule in ('role_differs', 'membership_missing')
      or rule = 'role_settings' and kind = 'role' and name <> 'all' and detail !~ 'in this database, expected not set$' as is_restored
  from audit.violations_of_cluster`;

/** Changes by hand since the last build that a migration restores or records. */
export async function differencesOf(owner: Client): Promise<Difference[]> {
  const { rows: found } = await owner.query(
    "select to_regclass('audit.violations_of_cluster') is not null as comparable",
  );
  if (!found[0]?.comparable) return []; // an upgrade from 0.2.0, or one that was interrupted
  const { rows } = await owner.query<Difference>(
    `select object, change, built, present from audit.refused_differences
     union all
     select object, change, null, null from (${aroundDatabase}) around where is_restored`,
  );
  return rows;
}

/** Findings about roles, settings and the database that no migration changes. Definitions of this version are there. */
export async function unrestoredFindings(owner: Client): Promise<Difference[]> {
  const { rows } = await owner.query<Difference>(
    `select object, change, null as built, null as present
     from (${aroundDatabase}) around
     where not is_restored and not audit.is_of_move(rule, name, detail)
       and audit.finding_id(rule, object, detail) not in (select accepted.finding from audit.accepted)
     order by object, change`,
  );
  return rows;
}

/** Reads the record of a database that was just built. */
export async function readReference(owner: Client): Promise<Reference> {
  const { rows } = await owner.query<{ built: string }>(
    "select json_agg(recorded)::text as built from app.built_catalogues recorded",
  );
  return { inventory: rows[0]?.built ?? "[]" };
}

/** Whether later changes can be compared. Not after a first start that was killed before it recorded its database. */
export async function isRecorded(owner: Client): Promise<boolean> {
  const { rows } = await owner.query("select from app.built_catalogues limit 1");
  return rows.length > 0;
}

export async function recordOwnInventory(owner: Client): Promise<void> {
  await owner.query(
    "insert into app.built_catalogues (catalogue, objects) select catalogue, objects from audit.catalogues_to_record",
  );
}

async function recordReference(owner: Client, reference: Reference): Promise<void> {
  if (reference === "recorded" || reference === "later") return;
  await owner.query("delete from app.built_catalogues");
  if (typeof reference === "string") return recordOwnInventory(owner);
  await owner.query(
    `insert into app.built_catalogues (catalogue, objects)
     select catalogue, objects from json_to_recordset($1) as recorded (catalogue name, objects jsonb)`,
    [reference.inventory],
  );
}

/** Within the transaction of the build, as owner. */
export async function recordBuild(owner: Client, digest: string, build: Build): Promise<void> {
  const { reference } = build;
  await owner.query(recordVersion()); // the inventory includes it
  await recordReference(owner, reference);
  await owner.query(
    `insert into app.definition_builds (version, digest, server_version, built_by, differences, compared_with_itself)
     values (
       $1, $2, current_setting('server_version_num')::integer / 10000, $3, $4,
       case $5
         when 'recorded' then (select compared_with_itself from app.definition_builds order by id desc limit 1)
         else $5 is not distinct from 'own'
       end
     )`,
    [
      version,
      digest,
      build.builtBy,
      JSON.stringify(build.differences),
      typeof reference === "string" ? reference : null,
    ],
  );
}
