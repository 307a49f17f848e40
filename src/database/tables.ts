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

/** Whether a committed migration has not been run. */
export async function tablesArePending(owner: Client): Promise<boolean> {
  const { rows } = await owner.query<{ made: boolean }>(
    "select to_regclass('graphile_migrate.migrations') is not null as made",
  );
  if (!rows[0]?.made) return true;
  const { rows: run } = await owner.query<{ filename: string }>("select filename from graphile_migrate.migrations");
  const names = new Set(run.map(({ filename }) => filename));
  return readdirSync(`${root}migrations/committed`).some((file) => file.endsWith(".sql") && !names.has(file));
}

/** Runs the committed migrations that have not been run, each in a transaction. @throws Error with what was said. */
export function migrateTables(ownerUrl: string): Promise<void> {
  const cli = createRequire(import.meta.url).resolve("graphile-migrate/dist/cli.js");
  return new Promise((resolve, reject) => {
    const options = { cwd: root, env: environmentWith({ DATABASE_URL: ownerUrl }) };
    execFile(process.execPath, [cli, "migrate"], options, (error, output, complaint) => {
      if (!error) resolve();
      else reject(new Error(`The tables could not be brought up to date.\n${complaint || output || error.message}`));
    });
  });
}
