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
  /** Orders with two switches: each call had reached the place before which it waits for the other. */
  crossed: number;
};

export type Finding = { pair: string; place: string; lines: string[] };

export type Runner = {
  counts: Counts;
  findings: Finding[];
  /** Runs the second call at the points of the first, of them one of this many. */
  run(first: Call, second: Call, stride?: number): Promise<void>;
  /** What a call alone answers, and the tables that it writes. */
  alone(call: Call): Promise<Pick<Trace, "answer" | "written">>;
};

export function makeRunner(sessions: Sessions, state: State): Runner {
  const counts: Counts = {
    pairs: 0,
    ran: 0,
    readEarlier: 0,
    authenticatedEarlier: 0,
    explained: 0,
    waited: 0,
    gaveWay: 0,
    crossed: 0,
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

  async function traceOf(call: Call): Promise<Trace> {
    const found = known.get(call);
    if (found) return found;
    const trace = await sessions.trace(call);
    await state.restore(await state.read(trace.written));
    known.set(call, trace);
    return trace;
  }

  /**
   * The points of the first call at which the second may find something else than at the point before: the first has
   * since then touched a table in which the second writes or locks. Of what the first call writes, the second sees nothing before the
   * commit.
   */
  async function pointsFor(first: Call, second: Call): Promise<Point[]> {
    const { meets } = await traceOf(second);
    return (await traceOf(first)).points.filter(({ touched }, index) => index === 0 || !touched.isDisjointFrom(meets));
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

  const atPoint = async ({ number }: Point, first: Call, second: Call, serial: Outcome[]): Promise<Ran> => {
    const ran = await sessions.stoppedAt(number, first, second);
    await judge(ran, first, second, serial);
    if (ran.gaveWay) counts.gaveWay += 1;
    else if (ran.waitedAt === undefined) counts.ran += 1;
    else counts.waited += 1;
    return ran;
  };

  /** If the first call then waits for the second, they wait for each other. */
  async function cross({ number }: Point, waitedAt: number, first: Call, second: Call, serial: Outcome[]) {
    counts.crossed += 1;
    await judge(await sessions.crossed([number, waitedAt], first, second), first, second, serial);
  }

  /** Notes a finding, unless a serial order has the outcome or it is allowed. */
  async function judge(ran: Ran, first: Call, second: Call, serial: Outcome[]): Promise<void> {
    const found = await outcome(ran);
    if (serial.some((each) => isSame(each, found))) return;
    if (isReadEarlier(found, serial)) {
      counts.readEarlier += 1;
      return;
    }
    if (isReadEarlier(found, await admitted(first, second))) {
      counts.authenticatedEarlier += 1;
      return;
    }
    const is = found.withoutLogOrder();
    const differences = serial.map((each) => difference(each.withoutLogOrder(), is));
    const [lines = []] = differences.toSorted((a, b) => a.length - b.length);
    const finding = { pair: `${first.name} stopped, ${second.name}`, place: ran.place ?? "", lines };
    if (isExplained(finding)) counts.explained += 1;
    else findings.push(finding);
  }

  async function run(first: Call, second: Call, stride = 1): Promise<void> {
    const points = await pointsFor(first, second);
    const serial = await serials(first, second);
    const last = points.length - 1;
    const offset = counts.pairs % stride;
    counts.pairs += 1;
    /** By the place at which the second call waited: the first point. */
    const waits = new Map<number, Point>();
    const runAt = async (index: number) => {
      const point = points[index] as Point;
      const { waitedAt } = await atPoint(point, first, second, serial);
      const known = waitedAt === undefined ? undefined : waits.get(waitedAt);
      if (waitedAt !== undefined && (!known || point.number < known.number)) waits.set(waitedAt, point);
      return waitedAt;
    };

    /** If the second call waits at the same place in both orders, it waits there in all orders between. */
    async function between(from: number, to: number, waitedFrom: number, waitedTo: number | undefined): Promise<void> {
      if (to - from < 2 || waitedFrom === waitedTo) return;
      const middle = Math.floor((from + to) / 2);
      const waitedAt = await runAt(middle);
      await between(from, middle, waitedFrom, waitedAt);
      await between(middle, to, waitedAt ?? -1, waitedTo);
    }

    for (let index = Math.min(offset, last); index <= last; index += stride) {
      const waitedAt = await runAt(index);
      if (waitedAt === undefined) continue;
      if (index < last) await between(index, last, waitedAt, await runAt(last));
      break;
    }
    for (const [waitedAt, point] of waits) await cross(point, waitedAt, first, second, serial);
  }

  return { counts, findings, run, alone: traceOf };
}
