/**
 * Retries a write for 30 seconds of outage. A lost record of a sent mail or attempt would cause a second one. The SQL
 * functions behind such writes check the lease, so that a repeated write changes nothing.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { PoolClient } from "pg";
import type { WithClient } from "../database/connections/worker-pool.ts";
import { isOutage } from "../database/outage.ts";

const retryTimeoutMs = 30_000;

export async function record<T>(withClient: WithClient, write: (db: PoolClient) => Promise<T>): Promise<T> {
  for (const until = performance.now() + retryTimeoutMs; ; await sleep(250)) {
    try {
      return await withClient(write);
    } catch (error) {
      if (!isOutage(error) || performance.now() > until) throw error;
    }
  }
}
