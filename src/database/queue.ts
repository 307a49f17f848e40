/**
 * The job queue: the schema of graphile-worker. Owner owns it, and only `migrate` changes it. The worker may only read
 * and write rows (sql/policies/queue.sql), so it cannot replace a function or view that runs with other rights.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { runMigrations, Logger as WorkerLogger } from "graphile-worker";

const logger = new WorkerLogger(() => () => {});

/** The version of graphile-worker, which has to match our definitions. */
export function queueVersion(): string {
  const main = createRequire(import.meta.url).resolve("graphile-worker");
  return (JSON.parse(readFileSync(new URL("../package.json", `file://${main}`), "utf8")) as { version: string })
    .version;
}

/** Runs the pending migrations of graphile-worker. */
export async function migrateQueue(ownerUrl: string): Promise<void> {
  await runMigrations({ connectionString: ownerUrl, logger });
}
