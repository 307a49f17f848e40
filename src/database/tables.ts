/**
 * The tables: the committed migrations, by graphile-migrate. It ends the process it runs in when its connection is
 * lost, hence it is given one of its own, and only when there is something to do.
 */
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Client } from "pg";
import { environmentWith } from "../config.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** graphile-migrate's own lock, which it takes or gives up at once. */
const lockOfMaker = "4727445306447283";

/**
 * Runs the committed migrations that have not been run, each in a transaction. A process that was killed while it did
 * so leaves behind the one it had started, which works on: that one is waited for.
 *
 * @throws Error with what was said.
 */
export async function migrateTables(owner: Client, ownerUrl: string): Promise<void> {
  for (;;) {
    await owner.query("select pg_advisory_lock($1), pg_advisory_unlock($1)", [lockOfMaker]);
    if (!(await arePending(owner))) return;
    const complaint = await make(ownerUrl);
    if (complaint === undefined) return;
    if (!complaint.includes("Failed to get exclusive lock")) {
      throw new Error(`The tables could not be brought up to date.\n${complaint}`);
    }
  }
}

/** The names of the files, in their order. */
export function committedMigrations(): string[] {
  return readdirSync(`${root}migrations/committed`)
    .filter((file) => file.endsWith(".sql"))
    .sort();
}

/** Whether a committed migration has not been run. */
async function arePending(owner: Client): Promise<boolean> {
  const { rows } = await owner.query<{ made: boolean }>(
    "select to_regclass('graphile_migrate.migrations') is not null as made",
  );
  if (!rows[0]?.made) return true;
  const { rows: run } = await owner.query<{ filename: string }>("select filename from graphile_migrate.migrations");
  const names = new Set(run.map(({ filename }) => filename));
  return committedMigrations().some((file) => !names.has(file));
}

/** What graphile-migrate complained of; undefined when it did its work. */
function make(ownerUrl: string): Promise<string | undefined> {
  const cli = createRequire(import.meta.url).resolve("graphile-migrate/dist/cli.js");
  return new Promise((resolve) => {
    const options = { cwd: root, env: environmentWith({ DATABASE_URL: ownerUrl }) };
    execFile(process.execPath, [cli, "migrate"], options, (error, output, complaint) => {
      resolve(error ? complaint || output || error.message : undefined);
    });
  });
}
