/** The worker process: queue jobs, maintenance, routines and the built-in executors. */
import { EventEmitter } from "node:events";
import type { WorkerEvents } from "graphile-worker";
import type { PoolConfig } from "pg";
import type { Config } from "../config.ts";
import { type ListeningConnection, openListeningConnection } from "../database/connections/listening.ts";
import { timeouts } from "../database/connections/timeouts.ts";
import { openWorkerPool, sharedClient } from "../database/connections/worker-pool.ts";
import { urlAs } from "../database/urls.ts";
import { createPoster } from "../delivery/post.ts";
import { faultOf, type Log } from "../log.ts";
import { watchPools } from "../metrics/pools.ts";
import { makeRegistry, type Registry } from "../metrics/registry.ts";
import { measureEngines, measureJobs, measureMails, measurePosts } from "../metrics/work.ts";
import { type Engine, RunEnded } from "../runner/engine.ts";
import { recallEngine } from "../runner/engines/recall.ts";
import { startExecutor } from "../runner/executor.ts";
import type { MasterKey } from "../secrets/master-key.ts";
import { openTracer } from "../tracing/tracer.ts";
import { originOf, traceEngines, tracePosts } from "../tracing/work.ts";
import { openDeliver } from "./deliver.ts";
import { openDeliveryLeases } from "./delivery-leases.ts";
import type { WorkerExtension } from "./extension.ts";
import { startJobs } from "./jobs.ts";
import { makeMailer } from "./mailer.ts";
import { startMaintenance } from "./maintenance.ts";
import { startRoutineClock } from "./routines.ts";
import { startSessionGuard } from "./session-guard.ts";
import { openSigners } from "./signers.ts";
import { rebuildSearchVectors } from "./tasks/rebuild-search-vectors.ts";
import { sendMail } from "./tasks/send-mail.ts";
import { streamAuditLog } from "./tasks/stream-audit-log.ts";

/** One connection listens for mails; the rest send mail and run maintenance. */
const maxConnections = 4;

/** One connection listens for jobs other than mails; the rest fetch and complete them. */
const maxJobConnections = 3;

/** At least the 10 s that an attempt may take, so that attempts end normally. (docs/specification/deliveries.md#leasing) */
const stopTimeoutMs = 12_000;

export type RunningWorker = {
  /** Finishes running jobs, then stops. */
  stop(): Promise<void>;
  /** Resolves when the worker stopped; rejects when its queue runner failed. */
  done: Promise<void>;
};

export type WorkerOptions = { extensions?: WorkerExtension[]; registry?: Registry };

/** Runs of models mostly wait for the model service. */
const modelSlots = 64;

/** Loaded only if a model service is set, because it takes memory. */
async function engineFor(models: NonNullable<Config["models"]>, log: Log): Promise<Engine> {
  const { modelEngine } = await import("../runner/engines/models/engine.ts");
  return modelEngine({ service: models, log, timeouts: models.timeouts });
}

export async function startWorker(
  config: Config,
  adminUrl: string,
  key: MasterKey,
  log: Log,
  { extensions = [], registry = makeRegistry("worker") }: WorkerOptions = {},
): Promise<RunningWorker> {
  const url = urlAs("worker", adminUrl, key);
  const stopped = new AbortController();
  const openPool = (suffix: string, settings: PoolConfig & { query_timeout: number }) =>
    openWorkerPool(
      { connectionString: url, idleTimeoutMillis: 0, application_name: `botstead worker${suffix}`, ...settings },
      {
        stopping: stopped.signal,
        onRetry: (error) => log.warn({ error: faultOf(error) }, "connecting to the database failed, will retry"),
      },
    );
  const pool = openPool("", { max: maxConnections, query_timeout: timeouts.worker.statement });
  // A crash of the database may lose that a job was fetched or completed. The job then runs again, which is harmless.
  const jobsPool = openPool(", jobs", {
    max: maxJobConnections,
    query_timeout: timeouts.worker.statement,
    options: "-c synchronous_commit=off",
  });
  const leasesPool = openPool(", delivery leases", {
    max: 2,
    pipeline: true,
    query_timeout: timeouts.worker.leaseStatement,
  });
  const sender = createPoster({
    ...config.webhooks,
    onProxyFailure: (reason) =>
      log.warn({ reason }, "the proxy of WEBHOOK_PROXY refused a connection, the attempt fails"),
  });
  const measured = measurePosts(registry, sender);
  const tracer = await openTracer(config.tracing, "worker");
  const poster = tracer ? tracePosts(tracer, originOf(pool), measured) : measured;
  const mailer = measureMails(registry, makeMailer(config));

  const leases = openDeliveryLeases(sharedClient(leasesPool), (failed) =>
    log.info(failed, "delivery failed, no retry is left"),
  );
  const firstLeases = openDeliveryLeases(sharedClient(leasesPool));
  const signers = await openSigners(pool, key.sealing, log);
  const deliver = openDeliver({
    leases,
    firstLeases,
    poster,
    sealing: key.sealing,
    signers,
    stopping: stopped.signal,
    log,
  });

  // Each connection shows a worker pool alive. Once it has ended, maintenance releases the pool's jobs. The session guard
  // uses the connection that opened last.
  const heartbeats: ListeningConnection[] = [];
  const sessionGuard = startSessionGuard(log);
  const events: WorkerEvents = new EventEmitter();
  events.on("pool:create", ({ workerPool: { id } }) => {
    const connection = { connectionString: url, application_name: "botstead worker, heartbeat" };
    heartbeats.push(
      openListeningConnection(connection, async (client) => {
        await client.query("select jobs.register_worker_pool($1)", [id]);
        sessionGuard.use(client);
      }),
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
      "job failed",
    ),
  );

  const maintenance = startMaintenance(pool, log);
  const attached = extensions.map((each) => each.start({ config, pool, key, log }));
  const jobs = await startJobs(
    { events, log, stopTimeoutMs },
    {
      mails: { pool, tasks: { send_mail: sendMail(mailer, key, config.baseUrl, log) } },
      others: {
        pool: jobsPool,
        tasks: {
          deliver_to_endpoint: deliver,
          stream_audit_log: streamAuditLog({ poster, sealing: key.sealing, signers, log }),
          rebuild_search_vectors: rebuildSearchVectors,
        },
      },
    },
  );
  // Models have their own executor, so that a slow model service delays neither the slots nor the heartbeat of recall.
  const measuredEngines = measureEngines(registry, [
    recallEngine,
    ...(config.models ? [await engineFor(config.models, log)] : []),
  ]);
  const isEnd = (error: unknown) => error instanceof RunEnded;
  const engines = tracer ? traceEngines(tracer, originOf(pool), measuredEngines, isEnd) : measuredEngines;
  const [builtIn, models] = engines;
  const startFor = (engine: Engine | undefined, settings: { slots?: number; name?: string }) =>
    engine && startExecutor({ connectionString: urlAs("runner", adminUrl, key), engines: [engine], log, ...settings });
  const executor = await startFor(builtIn, {});
  const modelExecutor = await startFor(models, { slots: modelSlots, name: "built-in, for models," });
  const pools = {
    worker: pool,
    jobs: jobsPool,
    delivery_leases: leasesPool,
    ...(executor && { executor: executor.pool }),
    ...(modelExecutor && { model_executor: modelExecutor.pool }),
  };
  watchPools(registry, () => [{ cell: "", pools }]);
  // After the executors, so that overdue routines find an executor.
  const routines = startRoutineClock(pool, log);

  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= (async () => {
      stopped.abort();
      await Promise.all([
        executor?.stop(),
        modelExecutor?.stop(),
        routines.stop(),
        maintenance.stop(),
        sessionGuard.stop(),
        signers.stop(),
        ...attached.map((each) => each.stop()),
        jobs.stop(),
      ]);
      await Promise.all([poster.close(), tracer?.stop()]);
      mailer.close();
      await Promise.all(heartbeats.map((each) => each.close()));
      await Promise.all([pool.end(), jobsPool.end(), leasesPool.end()]);
    })();
    return stopping;
  };
  return { stop, done: jobs.done };
}
