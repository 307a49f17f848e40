/**
 * The built-in executor: takes runs through runner.*, under a lease that it renews, and gives each to its engine. What
 * a run may do and when it ends is decided in sql/runner; a run that was taken away is dropped without a word.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Pool } from "pg";
import { holdConnection } from "../database/held-connection.ts";
import { despiteOutages, isOutage } from "../database/outage.ts";
import { patientPool } from "../database/patient-pool.ts";
import type { Log } from "../log.ts";
import { type Assignment, type Claim, type Engine, type Hands, RunEnded } from "./engine.ts";

const atOnce = 4;
const beatEveryMs = 10_000;
/** Word of a new run comes by NOTIFY; this finds what no word came of, as a lease that ran out. */
const lookEveryMs = 2_000;
const renewEveryMs = 10_000;

export type Executor = { stop(): Promise<void> };

export async function startExecutor({
  connectionString,
  engines,
  log,
}: {
  connectionString: string;
  engines: Engine[];
  log: Log;
}): Promise<Executor> {
  const stopping = new AbortController();
  const settings = { connectionString, max: atOnce + 1, application_name: "botstead executor" };
  const pool = patientPool(settings, { giveUp: stopping.signal });
  const id = randomUUID();
  const working = new Set<Promise<void>>();
  let looking: Promise<void> | undefined;
  let lookAgain = false;

  const beat = () =>
    pool.query("select runner.beat($1, $2, $3)", [id, `built-in at ${hostname()}`, engines.flatMap((e) => e.models)]);

  async function takeWhatIsThere(): Promise<void> {
    while (!stopping.signal.aborted && working.size < atOnce) {
      const { rows } = await pool.query<{ run: Assignment | null }>("select runner.claim($1) as run", [id]);
      const run = rows[0]?.run;
      if (!run) return;
      const work = perform({ pool, run, engines, log, stopping: stopping.signal }).finally(() => {
        working.delete(work);
        look();
      });
      working.add(work);
    }
  }

  function look(): void {
    if (stopping.signal.aborted) return;
    lookAgain = true;
    looking ??= (async () => {
      while (lookAgain) {
        lookAgain = false;
        await takeWhatIsThere().catch((error: Error) => log.warn({ error: error.message }, "no run could be claimed"));
      }
    })().finally(() => {
      looking = undefined;
    });
  }

  await beat();
  const wake = holdConnection(
    { connectionString, application_name: "botstead executor, listening" },
    async (client) => {
      client.on("notification", look);
      await client.query("listen botstead_runs");
      look(); // word may have gone out while nobody listened
    },
  );
  const timers = [
    setInterval(look, lookEveryMs),
    setInterval(() => beat().catch((error: Error) => log.warn({ error: error.message }, "no beat")), beatEveryMs),
  ];
  look();

  return {
    async stop() {
      stopping.abort();
      for (const timer of timers) clearInterval(timer);
      await wake.release();
      await looking;
      await Promise.all(working);
      await pool.query("select runner.leave($1)", [id]).catch(() => {});
      await pool.end();
    },
  };
}

type Performance = { pool: Pool; run: Assignment; engines: Engine[]; log: Log; stopping: AbortSignal };

async function perform({ pool, run, engines, log, stopping }: Performance): Promise<void> {
  const lease = [run.organisationId, run.runId, run.leaseId];
  const renewal = setInterval(() => {
    // A renewal that fails because the run was taken away shows at the next write.
    pool.query("select runner.renew($1, $2, $3)", lease).catch(() => {});
  }, renewEveryMs);
  try {
    const engine = engines.find(({ models }) => models.includes(run.model));
    if (!engine) throw new Error(`no engine serves the model ${run.model}`);
    const { text, memoryIds } = await engine.answer(run, handsFor(pool, lease));
    // Said twice it does no harm: the second time the lease is over.
    const finish = () => pool.query("select runner.finish($1, $2, $3, $4, $5)", [...lease, text, memoryIds]);
    await underLease(despiteOutages(finish, stopping));
    log.info({ runId: run.runId }, "run finished");
  } catch (error) {
    if (error instanceof RunEnded) return;
    if (error instanceof Interrupted) {
      // No fault of the run: it goes to whoever works when its lease has run out.
      log.warn({ runId: run.runId, error: error.message }, "a run was interrupted");
      return;
    }
    log.error({ runId: run.runId, error: (error as Error).message }, "run failed");
    await underLease(pool.query("select runner.fail($1, $2, $3, 'executor_failed')", lease)).catch(() => {});
  } finally {
    clearInterval(renewal);
  }
}

function handsFor(pool: Pool, lease: string[]): Hands {
  return {
    async recall(question, atMost) {
      const recalled = pool.query<{ claims: Claim[] }>("select runner.recall($1, $2, $3, $4, $5) as claims", [
        ...lease,
        question,
        atMost,
      ]);
      return (await underLease(recalled)).rows[0]?.claims ?? [];
    },
    async step({ kind, inputTokens = 0, outputTokens = 0, spendMicroCents = 0 }) {
      const { rows } = await underLease(
        pool.query<{ state: string }>("select runner.step($1, $2, $3, $4, $5, $6, $7) as state", [
          ...lease,
          kind,
          inputTokens,
          outputTokens,
          spendMicroCents,
        ]),
      );
      if (rows[0]?.state !== "running") throw new RunEnded();
    },
  };
}

/** The database is away. Told apart from what an engine may meet, as a service of its own that is away. */
class Interrupted extends Error {}

/** SQLSTATE OA002 is runner.held's word for a lease that is no longer ours. */
async function underLease<T>(query: Promise<T>): Promise<T> {
  return query.catch((error: Error & { code?: string }) => {
    if (error.code === "OA002") throw new RunEnded();
    throw isOutage(error) ? new Interrupted(error.message, { cause: error }) : error;
  });
}
