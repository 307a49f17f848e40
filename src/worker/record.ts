/**
 * Recording what has happened outside. It must not be lost to a passing outage, or the same would happen again; what is
 * recorded through here is fenced in SQL, so that recording it twice does no harm.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { JobHelpers } from "graphile-worker";
import type { PoolClient } from "pg";
import { isOutage } from "../database/outage.ts";

const patienceMs = 30_000;

export async function record(
  withPgClient: JobHelpers["withPgClient"],
  write: (db: PoolClient) => Promise<unknown>,
): Promise<void> {
  for (const until = Date.now() + patienceMs; ; await sleep(250)) {
    try {
      await withPgClient(write);
      return;
    } catch (error) {
      if (!isOutage(error) || Date.now() > until) throw error;
    }
  }
}
