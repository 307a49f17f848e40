/** Two sessions and the orders of their statements: one call is stopped at a point while the other runs. */
import { hash } from "node:crypto";
import { Client } from "pg";
import type { LoginRole } from "../../../src/database/roles.ts";
import { urlAs } from "../../../src/database/urls.ts";
import type { TestDatabase } from "../../support/database.ts";
import { answerIn, isBusy } from "./answers.ts";

export type Call = {
  name: string;
  role: LoginRole;
  text: string;
  values: unknown[];
  /** Whether the caller repeats the call after this answer, because another call was at work. */
  isPassing?(answer: unknown): boolean;
};

export type Ran = {
  /** Of the first and of the second call. */
  answers: unknown[];
  /** The point at which the first call was stopped; undefined if it ended before. */
  place: string | undefined;
  /** How many points the second call had passed when it waited for a lock of the first; undefined if it did not wait. */
  waitedAt: number | undefined;
  /** Whether a call was repeated. */
  gaveWay: boolean;
  /** Tables that were written, with others if a call was rolled back. */
  written: string[];
};

export type Point = {
  place: string;
  number: number;
  /** What the call has read, written or locked since the point before. */
  touched: Set<string>;
};

export type Trace = {
  /** The points that the call passes. */
  points: Point[];
  /** The point after its authentication; the first if it needs none. */
  admitted: number;
  /** Tables in which it writes or locks rows. Advisory locks count as one. */
  meets: Set<string>;
  written: string[];
  answer: unknown;
};

/** Tables in which the transaction is more than a reader. */
const lockedBy = `
  select distinct coalesce(coalesce(pg_partition_root(class.oid), class.oid)::regclass::text, 'advisory') as name
  from pg_locks
  left join pg_class class on class.oid = relation and relkind in ('r', 'p') and relnamespace <> 'pg_catalog'::regnamespace
  where pid = $1 and (locktype = 'advisory' or class.oid is not null and mode <> 'AccessShareLock')`;

export type Sessions = {
  /** One after the other. Returns the answers, and how many points each passed. */
  inTurn(first: Call, second: Call): Promise<Ran>;
  /** The first is stopped at its point, the second runs to its end or to its wait, then the first continues. */
  stoppedAt(point: number, first: Call, second: Call): Promise<Ran>;
  /**
   * The first is stopped at its point, then the second at its own. The first runs to its end or to its wait, then the second
   * continues.
   */
  crossed(points: [first: number, second: number], first: Call, second: Call): Promise<Ran>;
  /** Runs a call alone, until its commit. */
  trace(call: Call): Promise<Trace>;
  close(): Promise<void>;
};

type Session = { client: Client; pid: number; stopped: (place: string) => void };

const unlimited =
  "set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set client_min_messages = notice";

export async function openSessions(db: TestDatabase): Promise<Sessions> {
  const sessions = new Map<string, Session>();
  const written = new Set<string>();
  const control = await open(db.adminUrl, "set lock_timeout = 0");

  async function open(url: string, settings: string): Promise<Client> {
    const client = new Client({ connectionString: url });
    client.on("error", () => {});
    await client.connect();
    await client.query(settings);
    return client;
  }

  async function session(name: "a" | "b", role: LoginRole): Promise<Session> {
    const key = `${name} ${role}`;
    const known = sessions.get(key);
    if (known) return known;
    const client = await open(urlAs(role, db.adminUrl, db.key), `set orders.session = '${name}'; ${unlimited}`);
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    const made: Session = { client, pid: rows[0]?.pid ?? 0, stopped: () => {} };
    client.on("notice", ({ message }) => {
      const table = message?.match(/^writes (.*)$/)?.[1];
      if (table) written.add(table);
      const place = message?.match(/^stopped at (.*)$/)?.[1];
      if (place) made.stopped(place);
    });
    sessions.set(key, made);
    return made;
  }

  const ask = async <Row>(text: string, values: unknown[] = []) =>
    (await control.query({ name: nameOf(text), text, values })).rows as Row[];

  /** @param beforeCommit is done before the commit */
  async function perform({ client }: Session, { text, values }: Call, beforeCommit = async () => {}): Promise<unknown> {
    try {
      await client.query("begin");
      const { rows } = await client.query({ name: nameOf(text), text, values });
      await client.query("select orders.point('before the commit')");
      await beforeCommit();
      await client.query("commit");
      return answerIn(rows);
    } catch (error) {
      await client.query("rollback");
      const { code, message } = error as { code?: string; message: string };
      return { failed: code, message };
    }
  }

  async function isBlocked(waiting: number, by: number): Promise<boolean> {
    const [found] = await ask<{ is: boolean }>("select $2::integer = any (pg_blocking_pids($1)) as is", [waiting, by]);
    return found?.is ?? false;
  }

  async function passed(session: "a" | "b"): Promise<number> {
    const [found] = await ask<{ last: string }>(`select last_value as last from orders.${session}`);
    return Number(found?.last);
  }

  /** Resolves when the call has ended, or waits for the other. */
  async function untilEndOrWait(call: Promise<unknown>, { pid }: Session, by: Session): Promise<boolean> {
    let ended = false;
    const end = call.then(() => {
      ended = true;
    });
    while (!ended) {
      if (await isBlocked(pid, by.pid)) return true;
      await Promise.race([end, new Promise((resolve) => setTimeout(resolve, 2))]); // between two looks at the locks
    }
    return false;
  }

  function takeWritten(): string[] {
    const names = [...written].toSorted();
    written.clear();
    return names;
  }

  const isPassing = (call: Call, answer: unknown) => isBusy(answer) || call.isPassing?.(answer) || false;

  /** Resolves when the call has stopped, with its place, or ended. */
  function untilStopped(session: Session, start: () => Promise<unknown>) {
    let place: string | undefined;
    const stopped = new Promise<void>((resolve) => {
      session.stopped = (at) => {
        place = at;
        resolve();
      };
    });
    const call = start();
    return { call, reached: Promise.race([stopped, call]).then(() => place) };
  }

  const stopAt = (name: "a" | "b", point: number) => ask("select pg_advisory_lock(ascii($1), $2)", [name, point]);
  const goOn = (name: "a" | "b", point: number) => ask("select pg_advisory_unlock(ascii($1), $2)", [name, point]);

  async function switched(first: Call, second: Call, point: number, ofSecond?: number): Promise<Ran> {
    const [a, b] = [await session("a", first.role), await session("b", second.role)];
    await ask("select setval('orders.a', 1, false), setval('orders.b', 1, false)");
    await stopAt("a", point);
    if (ofSecond !== undefined) await stopAt("b", ofSecond);
    const { call: performing, reached } = untilStopped(a, () => perform(a, first));
    const place = await reached;
    const { call: other, reached: reachedToo } = untilStopped(b, () => perform(b, second));
    let waitedAt: number | undefined;
    if (ofSecond === undefined) {
      waitedAt = (await untilEndOrWait(other, b, a)) ? await passed("b") : undefined;
      await goOn("a", point);
    } else {
      await untilEndOrWait(reachedToo, b, a);
      await goOn("a", point);
      await untilEndOrWait(performing, a, b);
      await goOn("b", ofSecond);
    }
    const answers = [await performing, await other];
    const passing = [isPassing(first, answers[0]), isPassing(second, answers[1])];
    if (passing[0]) answers[0] = await perform(a, first);
    if (passing[1]) answers[1] = await perform(b, second);
    return { answers, place, waitedAt, gaveWay: passing.includes(true), written: takeWritten() };
  }

  return {
    async inTurn(first, second) {
      const [a, b] = [await session("a", first.role), await session("b", second.role)];
      const answers = [await perform(a, first), await perform(b, second)];
      return { answers, place: undefined, waitedAt: undefined, gaveWay: false, written: takeWritten() };
    },
    stoppedAt: (point, first, second) => switched(first, second, point),
    crossed: ([point, ofSecond], first, second) => switched(first, second, point, ofSecond),
    async trace(call) {
      const traced = await session("a", call.role);
      const points: Point[] = [];
      let before: Record<string, number> = {};
      traced.stopped = (at) => {
        const [place = "", work = "{}"] = at.split(" after ");
        const now: Record<string, number> = JSON.parse(work);
        const touched = new Set(Object.keys(now).filter((table) => now[table] !== before[table]));
        points.push({ place, number: points.length + 1, touched });
        before = now;
      };
      await traced.client.query("set orders.session = 'trace'");
      let meets: { name: string }[] = [];
      const answer = await perform(traced, call, async () => {
        await traced.client.query("set constraints all immediate");
        meets = await ask(lockedBy, [traced.pid]);
      });
      await traced.client.query("set orders.session = 'a'");
      const authenticated = points.findLastIndex(({ place }) => place.startsWith("authenticate:"));
      return {
        points,
        admitted: points.slice(authenticated + 1).find(({ place }) => place.startsWith("handle:"))?.number ?? 1,
        meets: new Set(meets.map(({ name }) => name)),
        written: takeWritten(),
        answer,
      };
    },
    async close() {
      await Promise.all([control, ...[...sessions.values()].map(({ client }) => client)].map((client) => client.end()));
    },
  };
}

/** Of a prepared statement: at most 63 bytes. */
const nameOf = (text: string): string => hash("sha256", text).slice(0, 32);
