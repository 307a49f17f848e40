/**
 * Recording what has happened outside. It must not be lost to a passing outage, or the same would happen again; what is
 * recorded through here is fenced in SQL, so that recording it twice does no harm.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { PoolClient } from "pg";
import { isOutage } from "../database/outage.ts";
import type { WithClient } from "../database/shared-client.ts";

const patienceMs = 30_000;

export async function record<T>(withClient: WithClient, write: (db: PoolClient) => Promise<T>): Promise<T> {
  for (const until = performance.now() + patienceMs; ; await sleep(250)) {
    try {
      return await withClient(write);
    } catch (error) {
      if (!isOutage(error) || performance.now() > until) throw error;
    }
  }
}
