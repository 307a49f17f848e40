/**
 * Oracle of runs and deliveries: compares acknowledged runs with the database and with the receiver's requests.
 * - Every acknowledged run exists, is completed, and has one event.
 * - Every event has one delivery per active subscriber, which was received or is visibly pending.
 * - Every request at the receiver is in the database under one constant id.
 */
import { stateAfter } from "../models/endpoints.ts";
import { isEnd } from "../models/runs.ts";
import type { Counts } from "../support/reliability.ts";
import type { Delivery, Evidence } from "./evidence.ts";

/** Seconds after which a due delivery without a lease counts as stuck. */
const stuckAfter = 30;
/** Of the suites that use the oracle: the default. */
const attemptsOfRound = 5;

/** Description and kind of a fault. */
type Fault = { kind: "lost" | "doubled" | "unexpected"; fault: string };

type Check = (evidence: Evidence) => Fault[];

const lost = (fault: string): Fault => ({ kind: "lost", fault });
const doubled = (fault: string): Fault => ({ kind: "doubled", fault });
const unexpected = (fault: string): Fault => ({ kind: "unexpected", fault });

/** Each check returns all faults that it finds. */
export const checks = {
  "every acknowledged run is there, acknowledged once": ({ acknowledged, runs }) => {
    const there = new Set(runs.map(({ id }) => id));
    const known = new Map<string, number>();
    for (const id of acknowledged) known.set(id, (known.get(id) ?? 0) + 1);
    return [...known].flatMap(([id, times]) => [
      ...(there.has(id) ? [] : [lost(`Run ${id} was acknowledged and is not there.`)]),
      ...(times === 1 ? [] : [lost(`Run ${id} was acknowledged to ${times} calls.`)]),
    ]);
  },

  "every run that is there was acknowledged": ({ acknowledged, runs }) => {
    const known = new Set(acknowledged);
    return runs.flatMap(({ id }) =>
      known.has(id) ? [] : [doubled(`Run ${id} exists without an acknowledged request.`)],
    );
  },

  "every run was completed": ({ runs }) =>
    runs.flatMap(({ id, state }) => (state === "completed" ? [] : [lost(`Run ${id} is ${state}.`)])),

  "every run that ended has one event, and no other has": ({ runs, events }) => {
    const of = countBy(events, ({ runId }) => runId);
    const known = new Set(runs.map(({ id }) => id));
    return [
      ...runs.flatMap(({ id, state }) => {
        const expected = isEnd(state) ? 1 : 0;
        const count = of.get(id) ?? 0;
        return count === expected ? [] : [beside(count, expected)(`Run ${id}, ${state}, has ${count} events.`)];
      }),
      ...events.flatMap(({ id, runId }) =>
        known.has(runId) ? [] : [unexpected(`Event ${id} is of a run that is not there.`)],
      ),
    ];
  },

  "every event has one delivery for each active subscriber, and no other": ({ events, endpoints, deliveries }) => {
    const pair = (eventId: string, endpointId: string) => `${eventId} at ${endpointId}`;
    const of = countBy(deliveries, ({ eventId, endpointId }) => pair(eventId, endpointId));
    const expected = new Set(
      events.flatMap((event) => endpoints.filter((each) => each.subscribed).map(({ id }) => pair(event.id, id))),
    );
    return [
      ...[...expected].flatMap((each) => {
        const count = of.get(each) ?? 0;
        return count === 1 ? [] : [beside(count, 1)(`Event ${each}: ${count} deliveries.`)];
      }),
      ...[...of.keys()].flatMap((each) =>
        expected.has(each) ? [] : [unexpected(`Event ${each}: a delivery without a subscription.`)],
      ),
    ];
  },

  "what is delivered was received and taken": ({ deliveries, posts }) => {
    const taken = new Set(posts.filter(({ status }) => isSuccess(status)).map(({ deliveryId }) => deliveryId));
    return deliveries.flatMap(({ id, state }) =>
      state === "delivered" && !taken.has(id)
        ? [lost(`Delivery ${id} is delivered, and the receiver never took it.`)]
        : [],
    );
  },

  "what is not delivered stands visibly, with its attempts and the next": ({ deliveries }) =>
    deliveries.flatMap(({ id, state, log, nextAttemptAt }) => {
      if (state === "delivered") return [];
      if (log.length === 0) return [lost(`Delivery ${id} is ${state} without an attempt.`)];
      if ((state === "pending") !== (nextAttemptAt !== null))
        return [lost(`Delivery ${id} is ${state}, next: ${nextAttemptAt}.`)];
      return [];
    }),

  "nothing is stuck": ({ deliveries }) =>
    deliveries.flatMap(({ id, state, overdue }) =>
      state === "pending" && overdue > stuckAfter
        ? [lost(`Delivery ${id} has been due for ${Math.round(overdue)} s.`)]
        : [],
    ),

  "the log of attempts agrees with the row, and with what was received": ({ deliveries, posts }) => {
    const arrived = countBy(posts, ({ deliveryId }) => deliveryId);
    return deliveries.flatMap((delivery) => {
      const { id, attempts, log } = delivery;
      if (attempts !== log.length || log.some(({ number }, index) => number !== index + 1)) {
        return [
          unexpected(`Delivery ${id} counts ${attempts} attempts, and its log ${log.map(({ number }) => number)}.`),
        ];
      }
      if (
        log.some(
          (_, index) => modelled(log.slice(0, index + 1)) !== (index < log.length - 1 ? "pending" : delivery.state),
        )
      ) {
        return [unexpected(`Delivery ${id} is ${delivery.state}, which its log does not say.`)];
      }
      const answered = log.filter(({ statusCode }) => statusCode !== null).length;
      return answered > (arrived.get(id) ?? 0)
        ? [unexpected(`Delivery ${id} has ${answered} answers to fewer posts.`)]
        : [];
    });
  },

  "what was received is in the database, signed, and says what it is of": ({ posts, deliveries, events }) => {
    const known = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
    const runOf = new Map(events.map(({ id, runId }) => [id, runId]));
    return posts.flatMap(({ endpointId, deliveryId, body, signed }) => {
      const delivery = known.get(deliveryId);
      if (delivery?.endpointId !== endpointId)
        return [unexpected(`A post of ${deliveryId} came, which is no delivery there.`)];
      if (!signed) return [unexpected(`A post of ${deliveryId} is not signed.`)];
      const { id, data } = JSON.parse(body) as { id: string; data: { runId: string } };
      const agrees = id === deliveryId && data.runId === runOf.get(delivery.eventId);
      return agrees ? [] : [unexpected(`A post of ${deliveryId} speaks of delivery ${id} and run ${data.runId}.`)];
    });
  },

  "an event has one id and one body at a receiver, for life": ({ posts }) => {
    const seen = new Map<string, { deliveryId: string; body: string }>();
    return posts.flatMap(({ endpointId, deliveryId, body }) => {
      const { runId } = (JSON.parse(body) as { data: { runId: string } }).data;
      const before = seen.get(runId + endpointId);
      seen.set(runId + endpointId, before ?? { deliveryId, body });
      if (!before) return [];
      if (before.deliveryId !== deliveryId)
        return [doubled(`Run ${runId} came as ${before.deliveryId} and as ${deliveryId}.`)];
      return before.body === body ? [] : [unexpected(`Delivery ${deliveryId} came with two bodies.`)];
    });
  },

  "nothing is locked by a dead pool": ({ deadWorkerPools }) =>
    deadWorkerPools.map(({ pool, jobs }) => lost(`${pool}, which is dead, holds ${jobs} jobs.`)),
} satisfies Record<string, Check>;

/** The state after these attempts of one round, by the model. */
const modelled = (log: Delivery["log"]) =>
  stateAfter({ isTest: false, inRound: log.length }, outcomeOf(log.at(-1)), attemptsOfRound);
const outcomeOf = (attempt: Delivery["log"][number] | undefined) =>
  attempt?.failure === null ? attempt.statusCode : null;

export type Finding = Fault & { check: keyof typeof checks };

/** Returns all faults that the evidence shows. */
export function judge(evidence: Evidence): Finding[] {
  return (Object.keys(checks) as (keyof typeof checks)[]).flatMap((check) =>
    checks[check](evidence).map((fault) => ({ check, ...fault })),
  );
}

/** For the summary (npm run test:fault): what was acknowledged, and how many faults there are of each kind. */
export function countFaults({ acknowledged }: Evidence, findings: Finding[]): Counts {
  const of = (kind: Finding["kind"]) => findings.filter((finding) => finding.kind === kind).length;
  return {
    acknowledged: acknowledged.length,
    lost: of("lost"),
    doubled: of("doubled"),
    unexpected: of("unexpected"),
  };
}

/** The counts in a line. */
export function count(evidence: Evidence): string {
  const { acknowledged, events, deliveries, posts } = evidence;
  const inState = (state: Delivery["state"]) => deliveries.filter((delivery) => delivery.state === state).length;
  const retries = deliveries.reduce((sum, { log }) => sum + Math.max(log.length - 1, 0), 0);
  return [
    `${acknowledged.length} runs acknowledged`,
    `${events.length} events`,
    `${deliveries.length} deliveries (${inState("delivered")} delivered, ${inState("pending")} pending, ${inState("failed")} failed)`,
    `${posts.length} posts received`,
    `${repeats(evidence)} repeats`,
    `${retries} retries`,
  ].join(", ");
}

/** Repeated requests, which "at least once" allows, for the summary. */
export const noteOf = (evidence: Evidence): string =>
  `${evidence.deliveries.length} deliveries, ${repeats(evidence)} posts repeated`;

/** Number of received requests without a recorded outcome. */
function repeats({ deliveries, posts }: Evidence): number {
  const answered = deliveries.flatMap(({ log }) => log.filter(({ statusCode }) => statusCode !== null));
  return posts.length - answered.length;
}

function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

/** Fewer than expected means lost, more means doubled. */
const beside = (count: number, expected: number) => (count < expected ? lost : doubled);

function countBy<Row>(rows: Row[], keyOf: (row: Row) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1);
  return counts;
}
