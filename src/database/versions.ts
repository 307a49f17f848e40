/**
 * The version that built a database. Its processes compare that with their own version. So the record is a comment: every
 * login may read it, and it stays readable when functions change.
 */
import { readdirSync, readFileSync } from "node:fs";
import { type Client, escapeLiteral } from "pg";
import { version } from "../version.ts";

const folder = new URL("../../migrations/committed/", import.meta.url);

/** A newer version, or one with other migrations, made the database. */
export class OtherVersionError extends Error {}

/** File names in order. */
export function committedMigrations(): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort();
}

/** The hash that graphile-migrate wrote into the file and records when the migration ran. */
export function hashOf(file: string): string {
  return /^--! Hash: (.*)$/m.exec(readFileSync(new URL(file, folder), "utf8"))?.[1] ?? "";
}

/** The migrations as JSON, for the definitions. */
export const describeMigrations = (): string =>
  JSON.stringify(committedMigrations().map((file) => ({ file, hash: hashOf(file) })));

/** A statement of owner that records this version. It makes the comment that `refuseNewerVersion` reads. */
export function recordVersion(): string {
  const last = committedMigrations().at(-1) ?? "";
  const comment = `The lock of botstead migrate. Built by version ${version}, last migration ${last} ${hashOf(last)}.`;
  return `comment on schema migration is ${escapeLiteral(comment)}`;
}

/**
 * @param client any login
 * @throws OtherVersionError
 */
export async function refuseNewerVersion(client: Client): Promise<void> {
  const { rows } = await client.query<{ comment: string | null }>(
    "select pg_catalog.obj_description(pg_catalog.to_regnamespace('migration'), 'pg_namespace') as comment",
  );
  const [, builtBy, file = "", hash] =
    /Built by version (\S+), last migration (\S+) (\S+)\.$/.exec(rows[0]?.comment ?? "") ?? [];
  if (builtBy === undefined) return; // no version that records itself has built it yet
  if (!committedMigrations().some((known) => hashOf(known) === hash)) throw unknownMigration(file);
  if (isNewer(builtBy)) throw newerVersion(builtBy);
}

export function isNewer(other: string): boolean {
  return other.localeCompare(version, "en", { numeric: true }) > 0;
}

export const newerVersion = (other: string): OtherVersionError =>
  new OtherVersionError(
    `Version ${other} built this database, and this is version ${version}. Nothing was changed. ` +
      `Start version ${other} or later. To go back, restore a backup from before the upgrade.`,
  );

export const unknownMigration = (file: string): OtherVersionError =>
  new OtherVersionError(
    `Another version migrated this database: version ${version} does not have its migration ${file}. ` +
      "Nothing was changed. Start that version, or a later one.",
  );
