/**
 * Runs the jobs of the queue. Mails have their own slots: a mail server that hangs blocks each slot for 30 seconds, and must
 * not block deliveries.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Logger, run, type TaskList, type WorkerEvents, type WorkerPool } from "graphile-worker";
import type { Pool } from "pg";
import { faultOf, type Log } from "../log.ts";
import { maxMails } from "./mailer.ts";

/**
 * Concurrent jobs other than mails. Most are delivery jobs, which wait for receivers. sql/jobs/leasable_deliveries.sql limits
 * their attempts to 200 by default, but for the first attempt at each endpoint. So there are 100 more slots.
 */
const maxOtherJobs = 300;

/**
 * Messages of graphile-worker that are not logged. The warning assumes that each job holds a connection, and a failed job
 * is logged from its event.
 */
const ignoredMessages = /^(WARNING: having maxPoolSize|Failed task )/;

/** If no slot is free, a fetched job returns to the queue after this time, so that another worker can run it. */
const localQueueTtlMs = 2_000;

/** A notification does not name the kind of the job. After finding no mail, the mail runner ignores notifications this long. */
const mailRefetchDelayMs = 250;

type Queue = { events: WorkerEvents; log: Log; stopTimeoutMs: number };
type Jobs = { pool: Pool; tasks: TaskList };
type Slots = { slots: number; refetchDelay?: { durationMs: number } };

export type RunningJobs = {
  /** Lets running jobs end, and aborts them after the stop time-out. */
  stop(): Promise<void>;
  /** Resolves when the runners stopped; rejects when one of them failed. */
  done: Promise<void>;
};

/**
 * @param queue.stopTimeoutMs how long running jobs may take after stop()
 * @throws Error with a hint for operators if the queue's schema is older than this version
 */
export async function startJobs(queue: Queue, { mails, others }: { mails: Jobs; others: Jobs }): Promise<RunningJobs> {
  filterNotifications(queue, others.pool);
  const runners = await Promise.all([
    startRunner(queue, others, { slots: maxOtherJobs }),
    startRunner(queue, mails, { slots: maxMails, refetchDelay: { durationMs: mailRefetchDelayMs } }),
  ]).catch((error: Error & { code?: string }) => {
    // graphile-worker runs missing migrations when it starts. The role worker may not: the queue belongs to owner.
    if (error.code !== "42501") throw error;
    throw new Error("The job queue is older than this version of Botstead. Run botstead migrate.", { cause: error });
  });
  return {
    async stop() {
      await Promise.all(runners.map((runner) => runner.stop().catch(() => {})));
      // graphile-worker (0.18.0) does not wait until its last jobs are completed.
      while (others.pool.waitingCount + mails.pool.waitingCount > 0) await sleep(10);
    },
    done: Promise.race(runners.map(({ promise }) => promise)),
  };
}

/** Shortest interval between two fetches of jobs that notifications cause. */
const nudgeIntervalMs = 5;

/**
 * Filters NOTIFY messages for graphile-worker, because every login of the database can send them. Notifications of new jobs
 * are throttled. At "worker:migrate" the worker stops only if the database has a breaking migration that this version lacks.
 */
function filterNotifications({ events, log }: Queue, pool: Pool): void {
  const nudges = new WeakMap<WorkerPool, () => void>();
  let isChecking = false;
  events.on("pool:create", ({ workerPool }) =>
    nudges.set(
      workerPool,
      throttled(() => workerPool.nudge(1)),
    ),
  );
  events.on("pool:listen:notification", ({ ctx, workerPool, message }) => {
    const { channel } = message;
    message.channel = "ignored"; // graphile-worker ignores unknown channels
    if (channel === "jobs:insert") nudges.get(workerPool)?.();
    if (channel !== "worker:migrate" || isChecking) return;
    isChecking = true;
    void stopWhenOutdated(pool, ctx.maxMigrationNumber, () => {
      log.warn("the job queue has a newer version, this worker stops");
      process.exitCode = 57;
      return workerPool.gracefulShutdown();
    })
      .catch((error: Error) =>
        log.warn({ error: faultOf(error) }, "reading the version of the job queue failed, this worker continues"),
      )
      .finally(() => {
        isChecking = false;
      });
  });
}

/** The first call nudges in this turn of the event loop, so that several jobs of a transaction cause one fetch. */
function throttled(nudge: () => void): () => void {
  let nudgedAt = Number.NEGATIVE_INFINITY;
  let isWaiting = false;
  function send(): void {
    isWaiting = false;
    nudgedAt = performance.now();
    nudge();
  }
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    const waitMs = nudgedAt + nudgeIntervalMs - performance.now();
    if (waitMs > 0) setTimeout(send, waitMs).unref();
    else setImmediate(send);
  };
}

async function stopWhenOutdated(pool: Pool, known: number, stop: () => unknown): Promise<void> {
  const { rows } = await pool.query<{ outdated: boolean }>(
    "select coalesce(max(id) > $1, false) as outdated from graphile_worker.migrations where breaking",
    [known],
  );
  if (rows[0]?.outdated) await stop();
}

function startRunner({ events, log, stopTimeoutMs }: Queue, { pool, tasks }: Jobs, { slots, ...refetch }: Slots) {
  return run({
    pgPool: pool,
    preset: {
      worker: {
        gracefulShutdownAbortTimeout: stopTimeoutMs,
        // Jobs are fetched in batches: an idle queue costs one query a second instead of one per slot. They are not
        // completed in batches: graphile-worker 0.18.0 ends the whole pool if a connection is lost meanwhile.
        localQueue: { size: slots, ttl: localQueueTtlMs, ...refetch },
      },
    },
    concurrency: slots,
    noHandleSignals: true,
    pollInterval: 1_000,
    events,
    logger: new Logger(() => (level, message) => {
      if (ignoredMessages.test(message)) return;
      if (level === "error" || level === "warning") log.warn({ from: "graphile-worker" }, message);
    }),
    taskList: withRedactedErrors(tasks),
  });
}

/**
 * Wraps tasks: an error's message is replaced by its kind, and the error becomes the cause. graphile-worker stores the message,
 * and messages quote mail addresses or rows.
 */
function withRedactedErrors(tasks: TaskList): TaskList {
  const wrapped = Object.entries(tasks).map(([name, task]): [string, TaskList[string]] => [
    name,
    async (payload, helpers) => {
      try {
        return await task?.(payload as never, helpers);
      } catch (error) {
        throw new Error(kindOf(error), { cause: error });
      }
    },
  ]);
  return Object.fromEntries(wrapped);
}

/** For example "Error EENVELOPE 450". */
function kindOf(error: unknown): string {
  const { name, code, responseCode } = faultOf(error);
  return [name ?? "DatabaseError", code, responseCode].filter((part) => part !== undefined).join(" ");
}
