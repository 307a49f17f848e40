/**
 * A lane: a few connections that statements share. Each statement is its own transaction, and none waits in Node for the
 * answer to the one before it on its connection, up to as many as the lane says.
 */
import { Socket } from "node:net";
import { Client, type ClientConfig, DatabaseError, type Pool } from "pg";
import { endWithin } from "./ending.ts";
import { TextQuery, type TextStatement } from "./text-query.ts";

export type Values = (string | Buffer | null)[];

/** As a Pool of pg counts. Who waits has not been sent yet, or stands behind another on the same connection. */
export type LaneCounts = Pick<Pool, "totalCount" | "idleCount" | "waitingCount">;

export type Terms = {
  /** On whose behalf; statements of one owner never take all connections (`mayTake`). */
  owner?: string | undefined;
  /** Nobody waits for it any longer then (performance.now): it is not sent after that. */
  until?: number | undefined;
};

export type Lane = {
  counts: LaneCounts;
  /** @throws Error of pg, or of the connection. */
  ask(statement: TextStatement, values: Values, terms?: Terms): Promise<string | null>;
  close(): Promise<void>;
};

export type Width = {
  connections: number;
  /** Statements on one connection at a time. */
  each: number;
};

/** What could not be sent within this time is not sent any more. */
const patienceMs = 1_200;

type Call = {
  statement: TextStatement;
  values: Values;
  owner: string | undefined;
  /** Whichever comes first: it has waited for too long, or nobody waits for it any longer. */
  sendUntil: number;
  until: number | undefined;
  resolve(text: string | null): void;
  reject(error: Error): void;
};

export function openLane(settings: ClientConfig, { connections, each }: Width): Lane {
  const shared = Array.from({ length: connections }, () => sharedConnection(settings, each > 1, isOver));
  const waiting: Call[] = [];
  let room = connections * each;
  const taken = new Map<string, number>();

  /** The first that takes one more, so that no more are open than are needed. */
  const free = () => shared.find((connection) => connection.busy() < each);

  /**
   * At most twice as much as remains to all: of ten connections one owner has seven, and whoever comes then has two. So
   * what stands still for one, as behind a row that somebody holds, keeps the others from nothing.
   */
  const mayTake = (owner: string | undefined) => owner === undefined || (taken.get(owner) ?? 0) < 2 * room;

  function take({ owner }: Call, by: 1 | -1): void {
    room -= by;
    if (owner === undefined) return;
    const now = (taken.get(owner) ?? 0) + by;
    if (now === 0) taken.delete(owner);
    else taken.set(owner, now);
  }

  function isOver(call: Call): void {
    take(call, -1);
    next();
  }

  function next(): void {
    const now = performance.now();
    for (let place = 0; place < waiting.length; ) {
      const call = waiting[place] as Call;
      const expired = now > call.sendUntil;
      const connection = expired ? undefined : free();
      if (!expired && !connection) return;
      if (connection && !mayTake(call.owner)) {
        place += 1;
        continue;
      }
      waiting.splice(place, 1);
      if (connection) {
        take(call, 1);
        connection.send(call);
      } else call.reject(notSent());
    }
  }

  return {
    counts: {
      get totalCount() {
        return shared.filter((connection) => connection.isOpen()).length;
      },
      get idleCount() {
        return shared.filter((connection) => connection.isOpen() && connection.busy() === 0).length;
      },
      get waitingCount() {
        return shared.reduce((count, connection) => count + Math.max(connection.busy() - 1, 0), waiting.length);
      },
    },
    ask: (statement, values, { owner, until } = {}) =>
      new Promise((resolve, reject) => {
        const sendUntil = Math.min(performance.now() + patienceMs, until ?? Number.POSITIVE_INFINITY);
        waiting.push({ statement, values, owner, sendUntil, until, resolve, reject });
        next();
      }),
    async close() {
      await Promise.all(shared.map((connection) => connection.close()));
    },
  };
}

/** In the words of pg, for which it is an outage. */
const notSent = () => new Error("timeout exceeded when trying to connect");

/**
 * One connection, opened when first asked for, and again whenever it was lost.
 *
 * @param gathers whether several statements may be sent together
 * @param isOver called when a statement is over
 */
function sharedConnection(settings: ClientConfig, gathers: boolean, isOver: (call: Call) => void) {
  let current: Promise<Client> | undefined;
  let open: Client | undefined;
  let socket = new Socket();
  let gathering = false;
  let underWay = 0;

  function connect(): Promise<Client> {
    const own = new Socket();
    socket = own;
    const client = new Client({ ...settings, pipeline: true, stream: () => own });
    const opening = client.connect().then(() => {
      if (current === opening) open = client;
      return client;
    });
    const forget = () => {
      if (current !== opening) return;
      current = undefined;
      open = undefined;
    };
    client.on("error", forget);
    client.once("end", forget);
    opening.catch(forget);
    return opening;
  }

  /** What is sent within one turn of the event loop goes out together: a system call for all requests that came in. */
  function gather(): void {
    if (gathering) return;
    gathering = true;
    const corked = socket;
    corked.cork();
    setImmediate(() => {
      gathering = false;
      corked.uncork();
    });
  }

  /**
   * What was not heard yet must not be heard later, when its caller has long been told 503: an end in order would leave it in
   * the system's buffers, and this takes it back. Who comes next, in this very turn, gets another connection.
   */
  function giveUp(sentBy: Socket | undefined): void {
    sentBy?.resetAndDestroy();
    if (sentBy !== socket) return;
    current = undefined;
    open = undefined;
  }

  return {
    isOpen: () => open !== undefined,
    busy: () => underWay,
    send(call: Call): void {
      const { statement, values, until, resolve, reject } = call;
      underWay += 1;
      let sentBy: Socket | undefined;
      const done = (error: Error | null, text?: string | null) => {
        underWay -= 1;
        if (error && !(error instanceof DatabaseError)) giveUp(sentBy);
        if (error) reject(error);
        else if (text === undefined) reject(new Error("a statement answered no row"));
        else resolve(text);
        isOver(call);
      };
      const query = new TextQuery(statement, values, done);
      const sendTo = (client: Client) => {
        if (until !== undefined) {
          const leftMs = until - performance.now(); // of which connecting may have taken some
          if (leftMs <= 0) return done(notSent());
          // Given up with its connection, so that it is not heard later; where others share that, there are reads alone.
          if (!gathers) query.query_timeout = Math.min(leftMs, settings.query_timeout ?? leftMs);
        }
        sentBy = socket;
        if (gathers) gather();
        client.query(query);
      };
      current ??= connect();
      if (open) sendTo(open);
      else current.then(sendTo, done);
    },
    async close() {
      await current?.then(endWithin).catch(() => {});
    },
  };
}
