/** The processor time of the checkpoint job: for a new entry, and for an older one that it verifies again. */
import { Pool } from "pg";
import { urlAs } from "../src/database/urls.ts";
import { makeLog } from "../src/log.ts";
import { signerFrom } from "../src/transparency/note.ts";
import { makeCheckpointJob } from "../src/worker/checkpoints/job.ts";
import { sessionCpu } from "./cpu.ts";
import type { Data } from "./data.ts";
import { median } from "./median.ts";

const posts = 2_000;
const none = { added: 50_000, verified: 1, organisations: 5_000 };
const verified = 10_000;

/** Medians in µs, of PostgreSQL and Node together. @param post writes entries */
export async function measureCheckpoints(
  data: Data,
  rounds: number,
  post: (posts: number) => Promise<void>,
): Promise<{ added: number; verified: number }> {
  const pool = new Pool({ connectionString: urlAs("worker", data.adminUrl, data.key), max: 1 });
  const client = await pool.connect();
  const postgres = await sessionCpu(client);
  client.release();
  const signer = signerFrom("bench", 1, data.key.checkpoints);
  const jobWith = (budget: typeof none) =>
    makeCheckpointJob({ pool, log: makeLog("warn", "bench"), signer, pauseMs: 0, budget });
  const cost = async (job: ReturnType<typeof makeCheckpointJob>) => {
    const [before, node] = [postgres(), process.cpuUsage()];
    const outcome = await job.run();
    if (!outcome || outcome.open.length > 0) throw new Error("The checkpoint job found a fault.");
    const { user, system } = process.cpuUsage(node);
    return postgres() - before + user + system;
  };
  const figures = { added: [] as number[], verified: [] as number[] };
  try {
    const [alone, verifying] = [jobWith(none), jobWith({ ...none, verified })];
    while ((await alone.run())?.more) {}
    for (let round = 0; round < Math.max(rounds, 3); round += 1) {
      const idle = await cost(alone);
      figures.verified.push(((await cost(verifying)) - idle) / verified);
      await post(posts);
      figures.added.push(((await cost(alone)) - idle) / posts);
    }
  } finally {
    await pool.end();
  }
  return { added: median(figures.added), verified: median(figures.verified) };
}
