/**
 * Jobs of the queue. Those of mails have slots of their own: a mail server that hangs holds each that it is given for half
 * a minute, and what waits for it must not wait in the slots of deliveries.
 */
import type { EventEmitter } from "node:events";
import { Logger, run, type TaskList } from "graphile-worker";
import type { Pool } from "pg";
import type { Log } from "../log.ts";
import { tellingKindsAlone } from "./faults.ts";
import { mailsAtOnce } from "./mailer.ts";

/**
 * Jobs at a time, most of them visits that wait for receivers and not for us: as many as service_settings.delivery_slots
 * has by default. How many posts they make is for the shares of sql/jobs/visits.sql to say.
 */
const othersAtOnce = 200;

/**
 * What graphile-worker says and the log does not repeat: it takes every job for one that holds a connection while it works;
 * and of a job that failed it tells what its event tells better.
 */
const notOfUs = /^(WARNING: having maxPoolSize|Failed task )/;

/** A job that was fetched and finds no free slot within this time goes back, where another worker may have one. */
const fetchedForMs = 2_000;

/** Word of a new job does not say of what kind it is: who looks for mails lets it be for so long after finding none. */
const mailsWaitMs = 250;

type Queue = { pool: Pool; events: EventEmitter; log: Log; patienceMs: number };
type Slots = { atOnce: number; refetchDelay?: { durationMs: number } };

export type RunningJobs = {
  /** Lets what is under way end, and what takes too long be. */
  stop(): Promise<void>;
  /** Resolves when it stopped; rejects when it could not go on. */
  done: Promise<void>;
};

/** @param queue.patienceMs how long what is under way may take once it is asked to stop */
export async function startJobs(queue: Queue, tasks: { mails: TaskList; others: TaskList }): Promise<RunningJobs> {
  const runners = await Promise.all([
    startRunner(queue, tasks.others, { atOnce: othersAtOnce }),
    startRunner(queue, tasks.mails, { atOnce: mailsAtOnce, refetchDelay: { durationMs: mailsWaitMs } }),
  ]);
  return {
    stop: async () => void (await Promise.all(runners.map((runner) => runner.stop().catch(() => {})))),
    done: Promise.race(runners.map(({ promise }) => promise)),
  };
}

function startRunner({ pool, events, log, patienceMs }: Queue, tasks: TaskList, { atOnce, ...refetch }: Slots) {
  return run({
    pgPool: pool,
    preset: {
      worker: {
        gracefulShutdownAbortTimeout: patienceMs,
        // Fetched in batches: by one query a second when there is nothing to do, instead of one a slot. Not ended in
        // batches, although that can be set: when a connection is lost meanwhile, 0.18.0 ends the whole pool.
        localQueue: { size: atOnce, ttl: fetchedForMs, ...refetch },
      },
    },
    concurrency: atOnce,
    noHandleSignals: true,
    pollInterval: 1_000,
    events,
    logger: new Logger(() => (level, message) => {
      if (notOfUs.test(message)) return;
      if (level === "error" || level === "warning") log.warn({ from: "graphile-worker" }, message);
    }),
    taskList: tellingKindsAlone(tasks),
  });
}
