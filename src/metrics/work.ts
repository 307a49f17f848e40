/**
 * What a worker does: attempts at deliveries by what came of them, mails, jobs and runs. Each is told by standing around
 * what does it, so that it need not know.
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

/** Outcomes are the fixed words of failures, "delivered", and "status" for any other status. */
export function measurePosts<Request, Made extends Outcome>(
  registry: Registry,
  poster: Poster<Request, Made>,
): Poster<Request, Made> {
  const attempts = new Counter({
    name: "botstead_delivery_attempts_total",
    help: "Attempts at deliveries, by outcome: delivered, status (not a 2xx), or the word of a failure.",
    labelNames: ["outcome"],
    registers: [registry],
  });
  const duration = new Histogram({
    name: "botstead_delivery_attempt_duration_seconds",
    help: "How long attempts took, over name, connection, TLS and answer.",
    buckets: seconds,
    registers: [registry],
  });
  let underWay = 0;
  new Gauge({
    name: "botstead_delivery_attempts_in_flight",
    help: "Attempts under way.",
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
    help: "Mails handed to the mail server, or to the file system where there is none, and failures to.",
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

type Engine<Assignment, Hands, Answer> = { answer(assignment: Assignment, hands: Hands): Promise<Answer> };

/** Counts what ends without an answer as "unanswered": the run may go on with another. */
export function measureEngines<Assignment, Hands, Answer, E extends Engine<Assignment, Hands, Answer>>(
  registry: Registry,
  engines: (E & Engine<Assignment, Hands, Answer>)[],
): E[] {
  const work = new Histogram({
    name: "botstead_run_work_seconds",
    help: "How long an engine worked on a run at a stretch, and whether it came to an answer.",
    labelNames: ["outcome"],
    buckets: longSeconds,
    registers: [registry],
  });
  let underWay = 0;
  new Gauge({
    name: "botstead_runs_worked_on",
    help: "Runs that this executor works on.",
    registers: [registry],
    collect() {
      this.set(underWay);
    },
  });
  return engines.map((engine) => ({
    ...engine,
    async answer(assignment: Assignment, hands: Hands) {
      underWay += 1;
      const began = performance.now();
      let outcome = "unanswered";
      try {
        const answer = await engine.answer(assignment, hands);
        outcome = "answered";
        return answer;
      } finally {
        underWay -= 1;
        work.observe({ outcome }, (performance.now() - began) / 1000);
      }
    },
  }));
}

/** @param events of graphile-worker, whose tasks are few */
export function measureJobs(registry: Registry, events: Pick<EventEmitter, "on">): void {
  const jobs = new Counter({
    name: "botstead_worker_jobs_total",
    help: "Jobs that were done or failed, by task.",
    labelNames: ["task", "outcome"],
    registers: [registry],
  });
  type Event = { job: { task_identifier: string } };
  events.on("job:success", ({ job }: Event) => jobs.inc({ task: job.task_identifier, outcome: "done" }));
  events.on("job:error", ({ job }: Event) => jobs.inc({ task: job.task_identifier, outcome: "failed" }));
}
