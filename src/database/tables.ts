/**
 * Runs the committed migrations with graphile-migrate, as a child process: graphile-migrate ends its process when it
 * loses its connection.
 */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Client } from "pg";
import { environmentWith } from "../config.ts";
import { lockWithin } from "./migration-lock.ts";
import { committedMigrations, hashOf, unknownMigration } from "./versions.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** graphile-migrate's own advisory lock; graphile-migrate fails if another process has it. */
const graphileMigrateLock = 4727445306447283n;

/**
 * Runs pending migrations, each in a transaction. If this process was killed during an earlier run, that run's child
 * may still be migrating: the lock waits for it.
 *
 * @throws Error with the output of graphile-migrate, or that names the session which holds its lock
 */
export async function migrateTables(owner: Client, ownerUrl: string, lockTimeoutMs: number): Promise<void> {
  while ((await pendingMigrations(owner)).length > 0) {
    await lockWithin(owner, lockTimeoutMs, { advisory: graphileMigrateLock }, async () => {
      await owner.query("select pg_advisory_lock($1), pg_advisory_unlock($1)", [graphileMigrateLock]);
    });
    if ((await pendingMigrations(owner)).length === 0) return;
    const output = await runMigrate(ownerUrl);
    if (output === undefined) return;
    if (!output.includes("Failed to get exclusive lock")) {
      throw new Error(`A migration failed.\n${output}`);
    }
  }
}

/** File names of the committed migrations that have not run. @throws Error if another version made the tables */
export async function pendingMigrations(owner: Client): Promise<string[]> {
  const { rows } = await owner.query<{ made: boolean }>(
    "select to_regclass('graphile_migrate.migrations') is not null as made",
  );
  const committed = new Map(committedMigrations().map((file) => [hashOf(file), file]));
  if (!rows[0]?.made) return [...committed.values()];
  const { rows: applied } = await owner.query<{ hash: string; filename: string }>(
    "select hash, filename from graphile_migrate.migrations order by filename",
  );
  const [first] = committed.keys();
  if (applied.length > 0 && !applied.some(({ hash }) => hash === first)) {
    throw new Error(
      "A version before 0.2.0 made this database. Its migrations were replaced by a baseline, so it cannot be upgraded. " +
        "Use an empty database.",
    );
  }
  const unknown = applied.find(({ hash }) => !committed.has(hash));
  if (unknown) throw unknownMigration(unknown.filename);
  for (const { hash } of applied) committed.delete(hash);
  return [...committed.values()];
}

/** The output of graphile-migrate if it failed, else undefined. */
function runMigrate(ownerUrl: string): Promise<string | undefined> {
  const cli = createRequire(import.meta.url).resolve("graphile-migrate/dist/cli.js");
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [cli, "migrate"], {
      cwd: root,
      env: environmentWith({ DATABASE_URL: ownerUrl }),
      stdio: ["ignore", "pipe", "pipe"],
      detached: true, // Ctrl-C signals the whole process group, but a migration should finish
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (said += text));
    child.once("error", reject);
    child.once("close", (code, signal) =>
      resolve(code === 0 ? undefined : said.trim() || `It ended with ${signal ?? code}.`),
    );
  });
}
