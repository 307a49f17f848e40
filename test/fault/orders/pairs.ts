/** Runs two calls in many orders, and compares each outcome with the two serial orders. */
import { isExplained, mayPrecedeAuthority } from "./allowed.ts";
import { difference, isReadEarlier, isSame } from "./compare.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import type { Call, Point, Ran, Sessions, Trace } from "./scheduler.ts";
import type { State } from "./state.ts";

export type Counts = {
  pairs: number;
  /** Orders in which the second call ran to its end while the first was stopped. */
  ran: number;
  /** Of all: a call read before the other's commit what it answers or may do, and is in the audit log after the other. */
  readEarlier: number;
  /** Of all: a call was authenticated before the other ended its credential. */
  authenticatedEarlier: number;
  /** Of all: no serial order has the outcome, and allowed.ts says why. */
  explained: number;
  /** Orders in which the second call waited for a lock of the first. */
  waited: number;
  /** Orders after which a call was repeated, because the other had a lock for too long. */
  gaveWay: number;
};

export type Finding = { pair: string; place: string; lines: string[] };

export type Runner = {
  counts: Counts;
  findings: Finding[];
  /** Runs the second call at the points of the first that `takes` admits. */
  run(first: Call, second: Call, takes?: (point: number) => boolean): Promise<void>;
  /** What a call alone answers, and the tables that it writes. */
  alone(call: Call): Promise<Pick<Trace, "answer" | "written">>;
  /** Whether neither call writes a table that the other reads or writes, beside the tables of `common`. */
  areApart(first: Call, second: Call): Promise<boolean>;
};

/** Tables that nearly every call writes: the audit log and idempotent responses. */
const common = new Set(
  [
    "audit_chain_heads",
    "audit_log",
    "audit_pending_entries",
    "idempotency_records",
    "response_bytes",
    "response_rows",
  ].map((name) => `app.${name}`),
);

export function makeRunner(sessions: Sessions, state: State): Runner {
  const counts: Counts = {
    pairs: 0,
    ran: 0,
    readEarlier: 0,
    authenticatedEarlier: 0,
    explained: 0,
    waited: 0,
    gaveWay: 0,
  };
  const findings: Finding[] = [];
  const known = new Map<Call, Trace>();

  async function admitted(first: Call, second: Call): Promise<Outcome[]> {
    const stopped = async (one: Call, other: Call, swapped: boolean): Promise<Outcome[]> => {
      if (!mayPrecedeAuthority(one, other)) return [];
      const { admitted } = await traceOf(one);
      return [await outcome(await sessions.stoppedAt(admitted, one, other), swapped)];
    };
    return [...(await stopped(first, second, false)), ...(await stopped(second, first, true))];
  }

  /** With points that do not follow another without any access between. */
  async function traceOf(call: Call): Promise<Trace> {
    const found = known.get(call);
    if (found) return found;
    const trace = await sessions.trace(call);
    await state.restore(await state.read(trace.written));
    const distinct = { ...trace, points: trace.points.filter(({ isSameAsBefore }) => !isSameAsBefore) };
    known.set(call, distinct);
    return distinct;
  }

  /** @param swapped whether the second call ran first */
  async function outcome({ written, answers }: Ran, swapped = false): Promise<Outcome> {
    const now = await state.read(written);
    await state.restore(now);
    return outcomeOf(swapped ? answers.toReversed() : answers, now, state);
  }

  async function serials(first: Call, second: Call): Promise<Outcome[]> {
    const inOrder = await outcome(await sessions.inTurn(first, second));
    return [inOrder, await outcome(await sessions.inTurn(second, first), true)];
  }

  async function at({ number }: Point, first: Call, second: Call, serial: Outcome[]): Promise<Ran> {
    const ran = await sessions.stoppedAt(number, first, second);
    const found = await outcome(ran);
    if (ran.gaveWay) counts.gaveWay += 1;
    else if (ran.waitedAt === undefined) counts.ran += 1;
    else counts.waited += 1;
    if (serial.some((each) => isSame(each, found))) return ran;
    if (isReadEarlier(found, serial)) {
      counts.readEarlier += 1;
      return ran;
    }
    if (isReadEarlier(found, await admitted(first, second))) {
      counts.authenticatedEarlier += 1;
      return ran;
    }
    const is = found.withoutLogOrder();
    const differences = serial.map((each) => difference(each.withoutLogOrder(), is));
    const [lines = []] = differences.toSorted((a, b) => a.length - b.length);
    const finding = { pair: `${first.name} stopped, ${second.name}`, place: ran.place ?? "", lines };
    if (isExplained(finding)) counts.explained += 1;
    else findings.push(finding);
    return ran;
  }

  async function run(first: Call, second: Call, takes: (point: number) => boolean = () => true): Promise<void> {
    const { points } = await traceOf(first);
    const serial = await serials(first, second);
    const last = points.length - 1;
    counts.pairs += 1;
    const runAt = (index: number) => at(points[index] as Point, first, second, serial);

    /** If the second call waits at the same place in both orders, it waits there in all orders between. */
    async function between(from: number, to: number, waitedFrom: number, waitedTo: number | undefined): Promise<void> {
      if (to - from < 2 || waitedFrom === waitedTo) return;
      const middle = Math.floor((from + to) / 2);
      const { waitedAt } = await runAt(middle);
      await between(from, middle, waitedFrom, waitedAt);
      await between(middle, to, waitedAt ?? -1, waitedTo);
    }

    for (let index = 0; index <= last; index += 1) {
      if (!takes(index)) continue;
      const { waitedAt } = await runAt(index);
      if (waitedAt === undefined) continue;
      if (index < last) await between(index, last, waitedAt, (await runAt(last)).waitedAt);
      return;
    }
  }

  async function areApart(first: Call, second: Call): Promise<boolean> {
    const [a, b] = [await traceOf(first), await traceOf(second)];
    const meets = (one: Trace, other: Trace) =>
      [...one.writes].some((table) => !common.has(table) && (other.writes.has(table) || other.reads.has(table)));
    return !meets(a, b) && !meets(b, a);
  }

  return { counts, findings, run, alone: traceOf, areApart };
}
