/**
 * Runs the jobs of the queue. Mails have their own slots: a mail server that hangs blocks each slot for 30 seconds, and must
 * not block deliveries.
 */
import type { EventEmitter } from "node:events";
import { Logger, run, type TaskList, type WorkerEventMap } from "graphile-worker";
import type { Pool } from "pg";
import { faultOf, type Log } from "../log.ts";
import { withRedactedErrors } from "./faults.ts";
import { maxMails } from "./mailer.ts";

/**
 * Concurrent jobs other than mails: the default of service_settings.delivery_slots. Most are delivery jobs, which wait for
 * receivers. sql/jobs/leases.sql limits the attempts that they make.
 */
const maxOtherJobs = 200;

/**
 * Messages of graphile-worker that are not logged. The warning assumes that each job holds a connection, and a failed job
 * is logged from its event.
 */
const ignoredMessages = /^(WARNING: having maxPoolSize|Failed task )/;

/** If no slot is free, a fetched job returns to the queue after this time, so that another worker can run it. */
const localQueueTtlMs = 2_000;

/** A notification does not name the kind of the job. After finding no mail, the mail runner ignores notifications this long. */
const mailRefetchDelayMs = 250;

type Queue = { pool: Pool; events: EventEmitter; log: Log; stopTimeoutMs: number };
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
export async function startJobs(queue: Queue, tasks: { mails: TaskList; others: TaskList }): Promise<RunningJobs> {
  filterNotifications(queue);
  const runners = await Promise.all([
    startRunner(queue, tasks.others, { slots: maxOtherJobs }),
    startRunner(queue, tasks.mails, { slots: maxMails, refetchDelay: { durationMs: mailRefetchDelayMs } }),
  ]).catch((error: Error & { code?: string }) => {
    // graphile-worker runs missing migrations when it starts. The role worker may not: the queue belongs to owner.
    if (error.code !== "42501") throw error;
    throw new Error("The job queue is older than this version of Botstead. Run botstead migrate.", { cause: error });
  });
  return {
    stop: async () => void (await Promise.all(runners.map((runner) => runner.stop().catch(() => {})))),
    done: Promise.race(runners.map(({ promise }) => promise)),
  };
}

/** Shortest interval between two notifications of new jobs that are passed on. */
const nudgeEveryMs = 20;

/**
 * Filters NOTIFY messages for graphile-worker, because every login of the database can send them. Notifications of new jobs
 * are throttled. At "worker:migrate" the worker stops only if the database has a breaking migration that this version lacks.
 */
function filterNotifications({ pool, events, log }: Queue): void {
  const nudged = new WeakMap<object, { at: number; timer?: NodeJS.Timeout | undefined }>();
  let isChecking = false;
  const onNotification = ({ ctx, workerPool, message }: WorkerEventMap["pool:listen:notification"]) => {
    const { channel } = message;
    message.channel = "ignored"; // graphile-worker ignores unknown channels
    if (channel === "worker:migrate") {
      if (isChecking) return;
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
      return;
    }
    if (channel !== "jobs:insert") return;
    const last = nudged.get(workerPool) ?? { at: 0 };
    nudged.set(workerPool, last);
    if (last.timer) return;
    if (Date.now() - last.at >= nudgeEveryMs) {
      last.at = Date.now();
      message.channel = channel;
      message.payload = "";
      return;
    }
    last.timer = setTimeout(() => {
      last.timer = undefined;
      last.at = Date.now();
      workerPool.nudge(1);
    }, nudgeEveryMs).unref();
  };
  events.on("pool:listen:notification", onNotification);
}

async function stopWhenOutdated(pool: Pool, known: number, stop: () => unknown): Promise<void> {
  const { rows } = await pool.query<{ outdated: boolean }>(
    "select coalesce(max(id) > $1, false) as outdated from graphile_worker.migrations where breaking",
    [known],
  );
  if (rows[0]?.outdated) await stop();
}

function startRunner({ pool, events, log, stopTimeoutMs }: Queue, tasks: TaskList, { slots, ...refetch }: Slots) {
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
