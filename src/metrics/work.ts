/**
 * Metrics of a worker: delivery attempts, mails, jobs and runs. Each function wraps the object that does the work, so that it
 * needs no code for metrics.
 */
import type { EventEmitter } from "node:events";
import { Counter, Gauge, Histogram } from "prom-client";
import type { Registry } from "./registry.ts";

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const longSeconds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

type Outcome = { statusCode: number | null; failure: string | null; durationMs: number };
type Poster<Request, Made extends Outcome> = {
  post(request: Request, signal?: AbortSignal): Promise<Made>;
  close(): Promise<void>;
};

/** An outcome is a failure code, "delivered", or "status" for any other status. */
export function measurePosts<Request, Made extends Outcome>(
  registry: Registry,
  poster: Poster<Request, Made>,
): Poster<Request, Made> {
  const attempts = new Counter({
    name: "botstead_delivery_attempts_total",
    help: "Delivery attempts by outcome: delivered, status (not a 2xx), or a failure code.",
    labelNames: ["outcome"],
    registers: [registry],
  });
  const duration = new Histogram({
    name: "botstead_delivery_attempt_duration_seconds",
    help: "Duration of delivery attempts: DNS, connection, TLS and response.",
    buckets: seconds,
    registers: [registry],
  });
  let underWay = 0;
  new Gauge({
    name: "botstead_delivery_attempts_in_flight",
    help: "Delivery attempts in flight.",
    registers: [registry],
    collect() {
      this.set(underWay);
    },
  });
  return {
    async post(request, signal) {
      underWay += 1;
      try {
        const made = await poster.post(request, signal);
        const { statusCode, failure, durationMs } = made;
        const delivered = statusCode !== null && statusCode >= 200 && statusCode < 300;
        attempts.inc({ outcome: failure ?? (delivered ? "delivered" : "status") });
        duration.observe(durationMs / 1000);
        return made;
      } finally {
        underWay -= 1;
      }
    },
    close: () => poster.close(),
  };
}

type Mailer<Mail> = { send(mail: Mail): Promise<string>; close(): void };

export function measureMails<Mail>(registry: Registry, mailer: Mailer<Mail>): Mailer<Mail> {
  const mails = new Counter({
    name: "botstead_mails_total",
    help: "Mails by outcome: sent to the mail server (or written to a file without one), or failed.",
    labelNames: ["outcome"],
    registers: [registry],
  });
  return {
    async send(mail) {
      try {
        const where = await mailer.send(mail);
        mails.inc({ outcome: "sent" });
        return where;
      } catch (error) {
        mails.inc({ outcome: "failed" });
        throw error;
      }
    },
    close: () => mailer.close(),
  };
}

type Engine<Assignment, EngineContext, Answer> = {
  answer(assignment: Assignment, context: EngineContext): Promise<Answer>;
};

/** The outcome is "unanswered" if the engine throws; another executor may continue the run. */
export function measureEngines<Assignment, EngineContext, Answer, E extends Engine<Assignment, EngineContext, Answer>>(
  registry: Registry,
  engines: (E & Engine<Assignment, EngineContext, Answer>)[],
): E[] {
  const work = new Histogram({
    name: "botstead_run_work_seconds",
    help: "Time that an engine worked on a run without interruption, and whether it returned an answer.",
    labelNames: ["outcome"],
    buckets: longSeconds,
    registers: [registry],
  });
  let underWay = 0;
  new Gauge({
    name: "botstead_runs_running",
    help: "Runs that this executor is working on.",
    registers: [registry],
    collect() {
      this.set(underWay);
    },
  });
  return engines.map((engine) => ({
    ...engine,
    async answer(assignment: Assignment, context: EngineContext) {
      underWay += 1;
      const began = performance.now();
      let outcome = "unanswered";
      try {
        const answer = await engine.answer(assignment, context);
        outcome = "answered";
        return answer;
      } finally {
        underWay -= 1;
        work.observe({ outcome }, (performance.now() - began) / 1000);
      }
    },
  }));
}

/** @param events of graphile-worker */
export function measureJobs(registry: Registry, events: Pick<EventEmitter, "on">): void {
  const jobs = new Counter({
    name: "botstead_worker_jobs_total",
    help: "Jobs by task and outcome.",
    labelNames: ["task", "outcome"],
    registers: [registry],
  });
  type Event = { job: { task_identifier: string } };
  events.on("job:success", ({ job }: Event) => jobs.inc({ task: job.task_identifier, outcome: "done" }));
  events.on("job:error", ({ job }: Event) => jobs.inc({ task: job.task_identifier, outcome: "failed" }));
}
