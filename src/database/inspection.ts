/** What a migration finds in a database before it changes anything: other versions, and changes by hand. */
import type { Client } from "pg";
import { version } from "../version.ts";
import { type Difference, differencesOf, lastBuild } from "./builds.ts";
import { definitionsDigest } from "./definitions.ts";
import { committedMigrations, pendingMigrations } from "./tables.ts";

export type Inspection = {
  /** No migration has run. */
  isNew: boolean;
  /** File names of the migrations to run. */
  pending: string[];
  /** The definitions are those of this version, as this server prints them. */
  isCurrent: boolean;
  /** The version that built the definitions; undefined before the first build. */
  builtBy: string | undefined;
  differences: Difference[];
};

/**
 * @param owner logged in as owner
 * @param examine look for differences even if the definitions are current
 * @throws Error if a newer version made the database
 */
export async function inspect(owner: Client, examine: boolean): Promise<Inspection> {
  const pending = await pendingMigrations(owner);
  const build = await lastBuild(owner);
  if (build && isNewer(build.version)) {
    throw new Error(
      `Version ${build.version} built this database, and this is version ${version}. Nothing was changed. ` +
        `Start version ${build.version} or later. To go back, restore a backup from before the upgrade.`,
    );
  }
  const { rows } = await owner.query<{ major: number; has_queue: boolean }>(
    `select current_setting('server_version_num')::integer / 10000 as major,
       exists (select from pg_namespace where nspname = 'graphile_worker') as has_queue`,
  );
  // Another major version of PostgreSQL may print the same definition differently.
  const isComparable = build?.serverVersion === rows[0]?.major;
  const isCurrent = isComparable && build?.digest === definitionsDigest();
  return {
    isNew: pending.length === committedMigrations().length && !rows[0]?.has_queue,
    pending,
    isCurrent,
    builtBy: build?.version,
    differences: isComparable && (examine || !isCurrent) ? await differencesOf(owner) : [],
  };
}

function isNewer(other: string): boolean {
  return other.localeCompare(version, "en", { numeric: true }) > 0;
}

/** @throws Error that lists the differences */
export function refuseDifferences({ builtBy, differences }: Inspection): void {
  if (differences.length === 0) return;
  throw new Error(
    `This database differs from what version ${builtBy} built:\n${describeDifferences(differences)}\n` +
      'Nothing was changed. Find the cause first. "botstead migrate --repair" then records these differences and rebuilds ' +
      "functions, views, policies and privileges. It does not change tables.",
  );
}

/** One line for each difference, and one for each of its texts that fits on a line. */
export function describeDifferences(differences: Difference[]): string {
  return differences
    .flatMap(({ object, change, built, present }) => [
      `  ${object}: ${change}`,
      ...[["built", built] as const, ["present", present] as const]
        .filter(([, text]) => text && text.length <= maxShown && !text.includes("\n"))
        .map(([name, text]) => `    ${name}: ${text}`),
    ])
    .join("\n");
}

/** The text of a function or view is in audit.differences. */
const maxShown = 200;
