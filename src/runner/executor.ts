/**
 * The built-in executor leases runs, renews the leases and passes each run to its engine. sql/runner decides what a run may do
 * and when it ends. If a lease is lost, the executor drops the run silently.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Pool } from "pg";
import { openListeningConnection } from "../database/connections/listening.ts";
import { timeouts } from "../database/connections/timeouts.ts";
import { openWorkerPool } from "../database/connections/worker-pool.ts";
import { retryOutages } from "../database/outage.ts";
import { faultOf, type Log } from "../log.ts";
import { type Assignment, type Engine, RunEnded, RunFailed } from "./engine.ts";
import { engineContextFor, Interrupted, underLease } from "./engine-context.ts";

/** A recall run takes milliseconds in the database, so more slots would only wait. */
const defaultSlots = 4;
/** Fewer than slots: a run needs a connection for milliseconds, not while it waits for its model. */
const maxConnections = 8;
const heartbeatIntervalMs = 10_000;
/** New runs arrive by NOTIFY. Polling also finds runs without a notification: of expired leases, and whose start time has come. */
const pollIntervalMs = 1_000;
const renewIntervalMs = 5_000;
/** Running engines get this long to finish; most answers take less. */
const stopTimeoutMs = 10_000;

export type Executor = {
  /** Connection counts, for metrics. */
  pool: Pick<Pool, "totalCount" | "idleCount" | "waitingCount">;
  stop(): Promise<void>;
};

/** @param settings.slots maximum of concurrent runs */
export async function startExecutor({
  connectionString,
  engines,
  log,
  slots = defaultSlots,
  name = "built-in",
}: {
  connectionString: string;
  engines: Engine[];
  log: Log;
  slots?: number;
  name?: string;
}): Promise<Executor> {
  const stopping = new AbortController();
  const aborting = new AbortController();
  const settings = {
    connectionString,
    max: Math.min(slots, maxConnections) + 1,
    application_name: "botstead executor",
    query_timeout: timeouts.executor.statement,
  };
  const pool = openWorkerPool(settings, {
    stopping: stopping.signal,
    onRetry: (error) => log.warn({ error: faultOf(error) }, "connecting to the database failed, will retry"),
  });
  const id = randomUUID();
  const running = new Set<Promise<void>>();
  let leasing: Promise<void> | undefined;
  let leaseAgain = false;

  const priced = async () =>
    (await pool.query<{ models: string[] }>("select runner.priced_models() as models")).rows[0]?.models ?? [];
  /** Never shrinks, so that a run leased just before its model was withdrawn still finds its engine. */
  const served = new Map<string, Engine>();

  async function heartbeat(): Promise<void> {
    const lists = await Promise.all(engines.map(async (engine) => ({ engine, models: await engine.models(priced) })));
    for (const { engine, models } of lists) for (const model of models) served.set(model, engine);
    const models = lists.flatMap((each) => each.models);
    await pool.query("select runner.heartbeat($1, $2, $3)", [id, `${name} at ${hostname()}`, models]);
  }

  /** The last quarter of the slots is reserved for organisations without a running run. */
  const share = () => (running.size < (slots * 3) / 4 ? Math.ceil((slots * 3) / 4) : 1);

  async function leaseRuns(): Promise<void> {
    while (!stopping.signal.aborted && running.size < slots) {
      const text = "select runner.lease_run($1, share => $2) as run";
      const { rows } = await pool.query<{ run: Assignment | null }>(text, [id, share()]);
      const run = rows[0]?.run;
      if (!run) return;
      const engine = served.get(run.model);
      const work = perform({ pool, run, engine, log, stopping: stopping.signal, aborting: aborting.signal }).finally(
        () => {
          running.delete(work);
          poll();
        },
      );
      running.add(work);
    }
  }

  function poll(): void {
    if (stopping.signal.aborted) return;
    leaseAgain = true;
    leasing ??= (async () => {
      while (leaseAgain) {
        leaseAgain = false;
        await leaseRuns().catch((error: Error) =>
          log.warn({ error: faultOf(error) }, "leasing a run failed, will retry"),
        );
      }
    })().finally(() => {
      leasing = undefined;
    });
  }

  await retryOutages(heartbeat, stopping.signal);
  const listener = openListeningConnection(
    { connectionString, application_name: "botstead executor, listening" },
    async (client) => {
      client.on("notification", poll);
      await client.query("listen botstead_runs");
      poll(); // notifications may have been missed before this
    },
  );
  const sendHeartbeat = () =>
    heartbeat().catch((error: Error) => log.warn({ error: faultOf(error) }, "heartbeat failed, will retry"));
  const timers = [setInterval(poll, pollIntervalMs), setInterval(sendHeartbeat, heartbeatIntervalMs)];
  poll();

  return {
    pool,
    async stop() {
      stopping.abort();
      for (const timer of timers) clearInterval(timer);
      await listener.close();
      await leasing;
      const timer = setTimeout(() => aborting.abort(new Interrupted("the executor stops")), stopTimeoutMs);
      await Promise.all(running);
      clearTimeout(timer);
      await pool.query("select runner.deregister($1)", [id]).catch(() => {});
      await pool.end();
    },
  };
}

type Work = {
  pool: Pool;
  run: Assignment;
  engine: Engine | undefined;
  log: Log;
  /** Ends retries during outages. */
  stopping: AbortSignal;
  /** Aborts the engine. */
  aborting: AbortSignal;
};

async function perform({ pool, run, engine, log, stopping, aborting }: Work): Promise<void> {
  const lease = [run.organisationId, run.runId, run.leaseId];
  const leaseLost = new AbortController();
  const renewal = setInterval(() => {
    underLease(pool.query("select runner.renew($1, $2, $3)", lease)).catch((error: Error) => {
      // Only a lost lease or a cancelled run ends the work. After an outage the next write fails or succeeds.
      if (error instanceof RunEnded) leaseLost.abort(error);
    });
  }, renewIntervalMs);
  try {
    if (!engine) throw new Error(`no engine serves the model ${run.model}`);
    const { context, endPreview } = engineContextFor(pool, run, AbortSignal.any([leaseLost.signal, aborting]));
    const { text, memoryIds } = await engine.answer(run, context).finally(endPreview);
    // A repeated call changes nothing: the first one has ended the lease.
    const finish = () => pool.query("select runner.finish($1, $2, $3, $4, $5)", [...lease, text, memoryIds]);
    await underLease(retryOutages(finish, stopping));
    log.info({ runId: run.runId }, "run finished");
  } catch (error) {
    if (error instanceof RunEnded) return;
    if (error instanceof Interrupted) {
      log.warn({ runId: run.runId, error: error.message }, "run interrupted, another executor will lease it");
      return;
    }
    // Only the messages of RunFailed are ours; others may quote the run or personal data.
    log.error({ runId: run.runId, error: error instanceof RunFailed ? error.message : faultOf(error) }, "run failed");
    const code = error instanceof RunFailed ? error.code : "executor_failed";
    await underLease(pool.query("select runner.fail($1, $2, $3, $4)", [...lease, code])).catch(() => {});
  } finally {
    clearInterval(renewal);
  }
}
