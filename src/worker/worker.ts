/**
 * The worker: jobs from the queue, the sweep that finds what a killed worker left, routines, and the built-in executor of
 * runs.
 */
import { EventEmitter } from "node:events";
import type { WorkerEvents } from "graphile-worker";
import type { PoolConfig } from "pg";
import type { Config } from "../config.ts";
import { type HeldConnection, holdConnection } from "../database/held-connection.ts";
import { patientPool } from "../database/patient-pool.ts";
import { sharedClient } from "../database/shared-client.ts";
import { urlAs } from "../database/urls.ts";
import { createPoster, type Poster } from "../delivery/post.ts";
import { faultOf, type Log } from "../log.ts";
import { watchPools } from "../metrics/pools.ts";
import { makeRegistry, type Registry } from "../metrics/registry.ts";
import { measureEngines, measureJobs, measureMails, measurePosts } from "../metrics/work.ts";
import { type Engine, RunEnded } from "../runner/engine.ts";
import { recallEngine } from "../runner/engines/recall.ts";
import { startExecutor } from "../runner/executor.ts";
import type { MasterKey } from "../secrets/master-key.ts";
import { openTracer } from "../tracing/spans.ts";
import { originOf, traceEngines, tracePosts } from "../tracing/work.ts";
import { startJobs } from "./jobs.ts";
import { openLedger } from "./ledger.ts";
import { makeMailer } from "./mailer.ts";
import { startRoutineClock } from "./routines.ts";
import { startSweeper } from "./sweeper.ts";
import { sendMail } from "./tasks/send-mail.ts";
import { takeWords } from "./tasks/take-words.ts";
import { visitEndpoint } from "./tasks/visit-endpoint.ts";

/**
 * Connections: hearing of jobs, one for mails and one for all else; fetching and ending them, mail, sweeping. Visits take
 * none of these: they share the ledger's. All are kept, since the first statements of a new one are planned anew, for
 * milliseconds each.
 */
const connections = 6;

/** Statements of this role end after 60 s (src/database/roles.ts). What is not answered by then was lost with its connection. */
const answeredWithinMs = 65_000;
/** Of the ledger, for which all visits wait: giving up too early does no harm, since all that it says is fenced. */
const ledgerAnsweredWithinMs = 15_000;

/** A worker that stops lets what it is sending end: an attempt takes ten seconds at most (part 6, rule 3). */
const patienceMs = 12_000;

export type RunningWorker = {
  /** Finishes what is under way, then stops. */
  stop(): Promise<void>;
  /** Resolves when the worker stopped; rejects when it could not go on. */
  done: Promise<void>;
};

/** The SDK takes memory, so it is loaded where there is a service to speak to. */
async function enginesFor(models: Config["models"], log: Log): Promise<Engine[]> {
  if (!models) return [];
  const { modelEngine } = await import("../runner/engines/models/engine.ts");
  return [modelEngine({ service: models, log })];
}

/** A line an attempt, for who looks for one delivery: at level debug. */
function logPosts(log: Log, poster: Poster): Poster {
  return {
    async post(request, signal) {
      const outcome = await poster.post(request, signal);
      log.debug({ deliveryId: request.headers["x-botstead-delivery"], ...outcome }, "an attempt at a delivery");
      return outcome;
    },
    close: () => poster.close(),
  };
}

export async function startWorker(
  config: Pick<Config, "webhooks" | "smtpUrl" | "mailFrom" | "dataDir" | "baseUrl" | "models" | "tracing">,
  adminUrl: string,
  key: MasterKey,
  log: Log,
  registry: Registry = makeRegistry("worker"),
): Promise<RunningWorker> {
  const url = urlAs("worker", adminUrl, key);
  const stopped = new AbortController();
  const openPool = (what: string, settings: PoolConfig & { query_timeout: number }) =>
    patientPool(
      { connectionString: url, idleTimeoutMillis: 0, application_name: `botstead worker${what}`, ...settings },
      { giveUp: stopped.signal },
    );
  const pool = openPool("", { max: connections, query_timeout: answeredWithinMs });
  const ledgerPool = openPool(", ledger", { max: 1, pipeline: true, query_timeout: ledgerAnsweredWithinMs });
  const sender = createPoster({
    ...config.webhooks,
    onProxyTrouble: (reason) => log.warn({ reason }, "the proxy of WEBHOOK_PROXY gave no connection for a delivery"),
  });
  const measured = measurePosts(registry, logPosts(log, sender));
  const tracer = await openTracer(config.tracing, "worker");
  const poster = tracer ? tracePosts(tracer, originOf(pool), measured) : measured;
  const mailer = measureMails(registry, makeMailer(config));

  // What tells that a pool of slots lives: where its advisory lock can be had, jobs.sweep frees what it held.
  const signsOfLife: HeldConnection[] = [];
  const events: WorkerEvents = new EventEmitter();
  events.on("pool:create", ({ workerPool }) => {
    signsOfLife.push(
      holdConnection(
        { connectionString: url, application_name: "botstead worker, sign of life" },
        async (client) => void (await client.query("select jobs.hold_pool($1)", [workerPool.id])),
      ),
    );
  });
  measureJobs(registry, events);
  events.on("job:error", ({ job, error }) =>
    log.error(
      {
        job: job.task_identifier,
        jobId: job.id,
        key: job.key,
        attempt: job.attempts,
        error: faultOf((error as Error).cause),
      },
      "a job failed",
    ),
  );

  const sweeper = startSweeper(pool, log);
  const jobs = await startJobs(
    { pool, events, log, patienceMs },
    {
      mails: { send_mail: sendMail(mailer, key.sealing, config.baseUrl, log) },
      others: {
        visit_endpoint: visitEndpoint({
          ledger: openLedger(sharedClient(ledgerPool)),
          poster,
          sealing: key.sealing,
          stopping: stopped.signal,
        }),
        take_words: takeWords,
      },
    },
  );
  const engines = measureEngines(registry, [recallEngine, ...(await enginesFor(config.models, log))]);
  const isEnd = (error: unknown) => error instanceof RunEnded;
  const executor = await startExecutor({
    connectionString: urlAs("runner", adminUrl, key),
    engines: tracer ? traceEngines(tracer, originOf(pool), engines, isEnd) : engines,
    log,
  });
  watchPools(registry, { worker: pool, ledger: ledgerPool, executor: executor.pool });
  // After the executor, so that what was missed meanwhile finds somebody to carry it out.
  const routines = startRoutineClock(pool, log);

  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= (async () => {
      stopped.abort();
      await Promise.all([executor.stop(), routines.stop(), sweeper.stop(), jobs.stop()]);
      await Promise.all([poster.close(), tracer?.stop()]);
      mailer.close();
      await Promise.all(signsOfLife.map((each) => each.release()));
      await Promise.all([pool.end(), ledgerPool.end()]);
    })();
    return stopping;
  };
  return { stop, done: jobs.done };
}
