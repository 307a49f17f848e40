/**
 * Every two calls, in orders of their statements. The first call is stopped at one of its points, and the second runs to its end or
 * until it waits for a lock. The outcome must equal a serial order.
 */
import { expectAll, long, reportCounts } from "../../support/reliability.ts";
import { openPlace, type Place } from "./place.ts";
import type { Call } from "./scheduler.ts";
import { leftOut } from "./work-calls.ts";

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place?.close());

/** The short form takes one pair of this many, and one point of as many as `stride` says. Another seed takes others. */
const seed = Number(process.env.ORDERS_SEED ?? 0);
const pairStride = 23;
const pointStride = 4;
/** The long form takes all pairs, and one point of this many: three seeds take all. */
const longPointStride = 3;

test(
  "two calls at once have the outcome of a serial order",
  async () => {
    const { a, b } = place.calls;
    const runner = place.runner();
    const all = a.flatMap((first) => b.map((second): [Call, Call] => [first, second]));
    const chosen = all.filter(
      ([first, second], index) => long || first.name === second.name || (index + seed) % pairStride === 0,
    );
    let apart = 0;
    for (const [index, [first, second]] of chosen.entries()) {
      const areApart = await runner.areApart(first, second);
      if (areApart) apart += 1;
      // Calls that share no table cannot meet. A part of their points checks this.
      const stride = (long ? longPointStride : pointStride) * (areApart ? 4 : 1);
      await runner.run(first, second, (point) => (point + index + seed) % stride === 0);
    }
    const { counts, findings } = runner;
    reportCounts("two calls at once", {
      acknowledged: counts.ran + counts.waited + counts.gaveWay - findings.length,
      lost: 0,
      doubled: 0,
      unexpected: findings.length,
      note: [
        `${counts.pairs} pairs of ${a.length} calls, ${apart} of them apart`,
        `${counts.ran} orders in which the second call ended within the first`,
        `${counts.waited} in which it waited`,
        `${counts.gaveWay} in which one was repeated`,
        `${counts.readEarlier} read earlier, ${counts.authenticatedEarlier} authenticated earlier, ${counts.explained} explained`,
      ].join("; "),
    });
    expect(findings).toEqual([]);
  },
  long ? 4 * 3_600_000 : undefined,
);

/** Calls that only read, and jobs that find nothing of a deleted bot. */
const writeNothing = [
  "runner.delta",
  "runner.search_memories",
  "jobs.cancel_runs_of_bots",
  "jobs.delete_memories_of_bots",
];

test("every call succeeds and writes when it runs alone", async () => {
  const runner = place.runner();
  const outcomes: [string, string][] = [];
  for (const side of ["a", "b"] as const) {
    for (const call of place.calls[side]) {
      const { answer, written } = await runner.alone(call);
      const fault = JSON.stringify(answer)
        .match(/^(\{"failed"|\[\{"refusal").*/)?.[0]
        .slice(0, 200);
      outcomes.push([
        call.name,
        fault ?? (written.length > 0 || writeNothing.includes(call.name) ? call.name : "wrote nothing"),
      ]);
    }
  }
  expectAll("calls alone", outcomes);
});

test("every function of executors and workers is a call, or left out for a reason", async () => {
  const functions = await place.db.sql<{ name: string }>(
    `select distinct pronamespace::regnamespace || '.' || proname as name
     from pg_proc
     where pronamespace in ('runner'::regnamespace, 'jobs'::regnamespace) and prokind = 'f' and provolatile = 'v'
       and (has_function_privilege('executor', oid, 'execute') or has_function_privilege('worker', oid, 'execute'))`,
  );
  const known = new Set([
    ...place.calls.a.map(({ name }) => name.replace(/ of .*/, "")),
    ...Object.values(leftOut).flatMap((names) => names.map((name) => `jobs.${name}`)),
  ]);
  expectAll(
    "functions of executors and workers",
    functions.map(({ name }) => [name, known.has(name) ? name : "not run"]),
  );
});
