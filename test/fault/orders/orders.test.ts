/**
 * Every two calls, in orders of their statements. The first call is stopped at one of its points, and the second runs to its end or
 * until it waits for a lock. The outcome must equal a serial order.
 */
import { expectAll, howMany, long, reportCounts } from "../../support/reliability.ts";
import type { Counts } from "./pairs.ts";
import { openPlace, type Place } from "./place.ts";
import type { Call } from "./scheduler.ts";
import { leftOut } from "./work-calls.ts";

/** In the long form several databases share the pairs. */
const places: Place[] = [];
let place: Place;
beforeAll(async () => {
  for (let count = 0; count < howMany(1, 2); count += 1) places.push(await openPlace());
  [place] = places as [Place];
});
afterAll(() => Promise.all(places.map((each) => each.close())));

/** Only pairs with a call whose name matches, such as "export". */
const only = new RegExp(process.env.ORDERS_CALLS ?? "");
/** The short form takes one pair of this many, and one point of so many. Another seed takes other pairs. */
const seed = Number(process.env.ORDERS_SEED ?? 0);
const pairStride = 29;
const pointStride = 3;

test(
  "two calls at once have the outcome of a serial order",
  async () => {
    const pairs = place.calls.a
      .flatMap((one, a) =>
        place.calls.b.map((other, b) => ({ a, b, isChosen: only.test(one.name) || only.test(other.name) })),
      )
      .filter(({ isChosen }) => isChosen);
    const chosen = pairs.filter(({ a, b }, index) => long || a === b || (index + seed) % pairStride === 0);
    const parts = await Promise.all(
      places.map(async ({ runner, calls }, part) => {
        const own = runner();
        for (const { a, b } of chosen.filter((_, index) => index % places.length === part)) {
          await own.run(calls.a[a] as Call, calls.b[b] as Call, howMany(pointStride, 1));
        }
        return own;
      }),
    );
    const findings = parts.flatMap((each) => each.findings);
    const counts = sumOf(parts.map((each) => each.counts));
    reportCounts("two calls at once", {
      acknowledged: counts.ran + counts.waited + counts.gaveWay + counts.crossed - findings.length,
      lost: 0,
      doubled: 0,
      unexpected: findings.length,
      note: [
        `${counts.pairs} pairs of ${place.calls.a.length} calls`,
        `${counts.ran} orders in which the second call ended within the first`,
        `${counts.waited} in which it waited`,
        `${counts.gaveWay} in which one was repeated`,
        `${counts.crossed} in which both were about to wait`,
        `${counts.readEarlier} read earlier, ${counts.authenticatedEarlier} authenticated earlier, ${counts.explained} explained`,
      ].join("; "),
    });
    expect(findings).toEqual([]);
  },
  long ? 4 * 3_600_000 : undefined,
);

const sumOf = (all: Counts[]): Counts =>
  all.reduce((sum, each) => {
    const names = Object.keys(sum) as (keyof Counts)[];
    return Object.fromEntries(names.map((name) => [name, sum[name] + each[name]])) as Counts;
  });

/** Calls that only read, and jobs that find nothing of a deleted bot. */
const writeNothing = [
  "runner.delta",
  "runner.search_memories",
  "jobs.cancel_runs_of_bots",
  "jobs.delete_memories_of_bots",
];

/** The organisation has a stream, and may have one: a creation succeeds after a deletion. */
const refusedAlone = ["create_audit_stream"];

test("every call succeeds and writes when it runs alone", async () => {
  const runner = place.runner();
  const outcomes: [string, string][] = [];
  for (const side of ["a", "b"] as const) {
    for (const call of place.calls[side]) {
      const { answer, written } = await runner.alone(call);
      const fault = JSON.stringify(answer)
        .match(/^(\{"failed"|\[\{"refusal").*/)?.[0]
        .slice(0, 200);
      if (refusedAlone.includes(call.name)) expect(fault).toContain("audit_stream_exists");
      else
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
