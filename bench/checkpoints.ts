/**
 * The processor time of the checkpoint job. A round is a minute of POSTs without a pause, then one run of the job as the worker
 * makes it. Rounds of both rates alternate.
 */
import { Pool } from "pg";
import { urlAs } from "../src/database/urls.ts";
import { makeLog } from "../src/log.ts";
import { signerFrom } from "../src/secrets/note-key.ts";
import { makeCheckpointJob } from "../src/transparency/checkpoints/job.ts";
import { usualBudget } from "../src/transparency/checkpoints/run.ts";
import { sessionCpu } from "./cpu.ts";
import type { Data } from "./data.ts";

/** POSTs per second. */
const rates = [21, 50];
const minRounds = 7;

export type CheckpointCosts = {
  /** Entries in the tree before the first round and after the last. */
  entries: { first: number; last: number };
  /** µs for a POST in each round: of PostgreSQL for the POST itself, of PostgreSQL and Node for the job. */
  rates: { rate: number; post: number[]; job: number[] }[];
};

/** @param post writes entries, and returns the processor time of PostgreSQL in µs */
export async function measureCheckpoints(
  data: Data,
  rounds: number,
  post: (posts: number) => Promise<number>,
): Promise<CheckpointCosts> {
  const pool = new Pool({ connectionString: urlAs("worker", data.adminUrl, data.key), max: 1, idleTimeoutMillis: 0 });
  const client = await pool.connect();
  const postgres = await sessionCpu(client);
  client.release();
  const signer = signerFrom("bench", 1, data.key.checkpoints);
  const settings = { pool, log: makeLog("error", "bench"), signer, pauseMs: 0 };
  const whole = makeCheckpointJob({ ...settings, budget: { ...usualBudget, verified: 100_000 } });
  const job = makeCheckpointJob(settings);
  const run = async (by = job) => {
    const outcome = await by.run();
    if (!outcome || outcome.open.length > 0) throw new Error("The checkpoint job found a fault.");
    return outcome;
  };
  const costs: CheckpointCosts = {
    entries: { first: 0, last: 0 },
    rates: rates.map((rate) => ({ rate, post: [], job: [] })),
  };
  const entries = async () => {
    const { rows } = await pool.query<{ size: string }>("select tree_size as size from jobs.newest_checkpoint()");
    return Number(rows[0]?.size);
  };
  try {
    while ((await run(whole)).more) {}
    while ((await run()).more) {} // a new job first verifies the whole log if the counters say so
    costs.entries.first = await entries();
    for (let round = 0; round < Math.max(rounds, minRounds); round += 1) {
      for (const each of costs.rates) {
        const posts = each.rate * 60;
        each.post.push((await post(posts)) / posts);
        const [before, node] = [postgres(), process.cpuUsage()];
        await run();
        const { user, system } = process.cpuUsage(node);
        each.job.push((postgres() - before + user + system) / posts);
      }
    }
    costs.entries.last = await entries();
  } finally {
    await pool.end();
  }
  return costs;
}
