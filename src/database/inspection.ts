/** The state of a database before a migration: other versions, and changes by hand. */
import { isDeepStrictEqual } from "node:util";
import type { Client } from "pg";
import { changedAuditDefinitions } from "./audit-definitions.ts";
import { type Difference, differencesOf, isRecorded, type LastBuild, lastBuild, unrestoredFindings } from "./builds.ts";
import { definitionsDigest } from "./definitions.ts";
import { pendingMigrations } from "./tables.ts";
import { committedMigrations, isNewer, newerVersion } from "./versions.ts";

/** What only a migration changes. */
type Migrated = {
  /** File names of the migrations to run. */
  pending: string[];
  build: LastBuild | undefined;
  /** The definitions equal this version, and later changes can be compared with them. */
  isRecorded: boolean;
};

export type Inspection = {
  migrated: Migrated;
  /** No migration has run. */
  isNew: boolean;
  /** File names of the migrations to run. */
  pending: string[];
  /** The definitions equal this version, as this server prints them, and later changes can be compared with them. */
  isCurrent: boolean;
  /** The version that built the definitions; undefined before the first build. */
  builtBy: string | undefined;
  differences: Difference[];
  /** Findings of the audit about roles, settings and the database that no migration changes. */
  unrestored: Difference[];
};

/**
 * @param owner logged in as owner, outside of a transaction
 * @param server version of PostgreSQL, for example 180004
 * @param examine look for differences even if the definitions are current
 * @throws Error if a newer version made the database
 */
export async function inspect(owner: Client, server: number, examine: boolean): Promise<Inspection> {
  const migrated = await readMigrated(owner);
  const { pending, build } = migrated;
  if (build && isNewer(build.version)) throw newerVersion(build.version);
  const { rows } = await owner.query<{ has_queue: boolean }>(
    "select exists (select from pg_namespace where nspname = 'graphile_worker') as has_queue",
  );
  // Another major version of PostgreSQL may print the same definition differently.
  const isComparable = build?.serverVersion === Math.trunc(server / 10_000);
  const isCurrent = isComparable && migrated.isRecorded;
  const differences = isComparable && (examine || !isCurrent) ? await differencesOf(owner) : [];
  return {
    migrated,
    isNew: pending.length === committedMigrations().length && !rows[0]?.has_queue,
    pending,
    isCurrent,
    builtBy: build?.version,
    differences:
      isCurrent && examine ? [...differences, ...(await differencesOfAudit(owner, differences))] : differences,
    unrestored: isCurrent && examine ? await unrestoredFindings(owner) : [],
  };
}

async function readMigrated(owner: Client): Promise<Migrated> {
  const pending = await pendingMigrations(owner);
  const build = await lastBuild(owner);
  return { pending, build, isRecorded: build?.digest === definitionsDigest() && (await isRecorded(owner)) };
}

/** Whether no migration ran since. */
export const isStillMigrated = async (owner: Client, { migrated }: Inspection): Promise<boolean> =>
  isDeepStrictEqual(await readMigrated(owner), migrated);

/** The audit lists its own changes too, unless they hide them. */
async function differencesOfAudit(owner: Client, known: Difference[]): Promise<Difference[]> {
  const changed = await changedAuditDefinitions(owner);
  return changed
    .filter(({ object }) => !known.some((difference) => difference.object === object))
    .map(({ object, change }) => ({ object, change, built: null, present: null }));
}

/** Undefined if there are none. */
export function listDifferences({ builtBy, differences }: Changes): string | undefined {
  if (differences.length === 0) return undefined;
  return `This database differs from what version ${builtBy ?? "unknown"} built:\n${describeDifferences(differences)}`;
}

/** `builtBy` is undefined if owner could not log in. */
type Changes = Pick<Inspection, "builtBy" | "differences">;

/** @throws Error that lists the differences */
export function refuseDifferences(found: Changes): void {
  const list = listDifferences(found);
  if (list === undefined) return;
  throw new Error(
    `${list}\n` +
      'Nothing was changed. Find the cause first. "botstead migrate --repair" then records these differences and rebuilds ' +
      "functions, views, policies and privileges. It does not change tables.",
  );
}

/** One line for each difference, and lines for the attributes that differ. audit.differences has all of them. */
export function describeDifferences(differences: Difference[]): string {
  return differences
    .flatMap(({ object, change, built, present }) => [
      `  ${object}: ${change}`,
      ...describeAttributes("built", built ?? {}, present ?? {}),
      ...describeAttributes("present", present ?? {}, built ?? {}),
    ])
    .join("\n");
}

type Attributes = Record<string, unknown>;

/** Omits privileges that both access lists have, and unset attributes of a whole object. */
function describeAttributes(title: string, attributes: Attributes, others: Attributes): string[] {
  const isWhole = Object.keys(others).length === 0;
  const shown = Object.entries(attributes).flatMap(([name, value]) => {
    if (isWhole && (value === false || ("definition" in attributes && name !== "definition"))) return [];
    const other = others[name];
    const rest = Array.isArray(value) && Array.isArray(other) ? value.filter((each) => !other.includes(each)) : value;
    const text = Array.isArray(rest) ? rest.join(", ") : String(rest);
    return text.trim() !== "" && text.length <= maxShown && !text.includes("\n") ? [`${name} ${text}`] : [];
  });
  return shown.length > 0 ? [`    ${title}: ${shown.join(", ")}`] : [];
}

/** The text of a function or view is longer. */
const maxShown = 200;

/** Adds the remedy if owner lacks a right on an object that it must read, lock or rebuild. Returns any other error as it is. */
export function describeMissingRight(error: unknown): unknown {
  const { code, cause } = error as { code?: string; cause?: { code?: string } };
  if (!(error instanceof Error) || (code ?? cause?.code) !== "42501") return error;
  return new Error(
    `The role owner lacks a right: ${error.message}. Another role owns this object. If Botstead made it, run as ` +
      'administrator: alter … owner to owner. If it was added by hand, drop it. Then run this again. "botstead audit" lists ' +
      "all such objects.",
  );
}
