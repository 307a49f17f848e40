/**
 * The built-in executor: takes runs through runner.*, under a lease that it renews, and gives each to its engine. What
 * a run may do and when it ends is decided in sql/runner; a run that was taken away is dropped without a word.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Pool } from "pg";
import { holdConnection } from "../database/held-connection.ts";
import { despiteOutages } from "../database/outage.ts";
import { patientPool } from "../database/patient-pool.ts";
import { faultOf, type Log } from "../log.ts";
import { type Assignment, type Engine, RunEnded, RunFailed } from "./engine.ts";
import { handsFor, Interrupted, underLease } from "./hands.ts";

const atOnce = 4;
const beatEveryMs = 10_000;
/** Word of a new run comes by NOTIFY; this finds what no word came of, as a lease that ran out. */
const lookEveryMs = 2_000;
const renewEveryMs = 5_000;
/** Statements of this role end after 10 s (src/database/roles.ts). What is not answered by then was lost with its connection. */
const answeredWithinMs = 15_000;
/** An engine that is asked to stop may end what it is about: most answers take less. */
const patienceMs = 10_000;

export type Executor = {
  /** How many connections it has. */
  pool: Pick<Pool, "totalCount" | "idleCount" | "waitingCount">;
  stop(): Promise<void>;
};

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
  const letGo = new AbortController();
  const settings = {
    connectionString,
    max: atOnce + 1,
    application_name: "botstead executor",
    query_timeout: answeredWithinMs,
  };
  const pool = patientPool(settings, { giveUp: stopping.signal });
  const id = randomUUID();
  const working = new Set<Promise<void>>();
  let looking: Promise<void> | undefined;
  let lookAgain = false;

  const priced = async () =>
    (await pool.query<{ models: string[] }>("select runner.priced_models() as models")).rows[0]?.models ?? [];
  /** Grows only: a run that was claimed just before its model was withdrawn is worked on. */
  const served = new Map<string, Engine>();

  async function beat(): Promise<void> {
    const lists = await Promise.all(engines.map(async (engine) => ({ engine, models: await engine.models(priced) })));
    for (const { engine, models } of lists) for (const model of models) served.set(model, engine);
    const models = lists.flatMap((each) => each.models);
    await pool.query("select runner.beat($1, $2, $3)", [id, `built-in at ${hostname()}`, models]);
  }

  async function takeWhatIsThere(): Promise<void> {
    while (!stopping.signal.aborted && working.size < atOnce) {
      const { rows } = await pool.query<{ run: Assignment | null }>("select runner.claim($1) as run", [id]);
      const run = rows[0]?.run;
      if (!run) return;
      const engine = served.get(run.model);
      const work = perform({ pool, run, engine, log, stopping: stopping.signal, letGo: letGo.signal }).finally(() => {
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
        await takeWhatIsThere().catch((error: Error) => log.warn({ error: faultOf(error) }, "no run could be claimed"));
      }
    })().finally(() => {
      looking = undefined;
    });
  }

  await despiteOutages(beat, stopping.signal);
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
    setInterval(() => beat().catch((error: Error) => log.warn({ error: faultOf(error) }, "no beat")), beatEveryMs),
  ];
  look();

  return {
    pool,
    async stop() {
      stopping.abort();
      for (const timer of timers) clearInterval(timer);
      await wake.release();
      await looking;
      const enough = setTimeout(() => letGo.abort(new Interrupted("the executor stops")), patienceMs);
      await Promise.all(working);
      clearTimeout(enough);
      await pool.query("select runner.leave($1)", [id]).catch(() => {});
      await pool.end();
    },
  };
}

type Performance = {
  pool: Pool;
  run: Assignment;
  engine: Engine | undefined;
  log: Log;
  /** Nothing is waited for any more that an outage holds up. */
  stopping: AbortSignal;
  /** What is under way is given up. */
  letGo: AbortSignal;
};

async function perform({ pool, run, engine, log, stopping, letGo }: Performance): Promise<void> {
  const lease = [run.organisationId, run.runId, run.leaseId];
  const taken = new AbortController();
  const renewal = setInterval(() => {
    underLease(pool.query("select runner.renew($1, $2, $3)", lease)).catch((error: Error) => {
      // An outage shows at the next write; a run that was taken away or cancelled is not worked on any longer.
      if (error instanceof RunEnded) taken.abort(error);
    });
  }, renewEveryMs);
  try {
    if (!engine) throw new Error(`no engine serves the model ${run.model}`);
    const hands = handsFor(pool, lease, AbortSignal.any([taken.signal, letGo]));
    const { text, memoryIds } = await engine.answer(run, hands);
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
    // The words of a RunFailed are ours; of whatever else went wrong they may be anybody's.
    log.error({ runId: run.runId, error: error instanceof RunFailed ? error.message : faultOf(error) }, "run failed");
    const code = error instanceof RunFailed ? error.code : "executor_failed";
    await underLease(pool.query("select runner.fail($1, $2, $3, $4)", [...lease, code])).catch(() => {});
  } finally {
    clearInterval(renewal);
  }
}
