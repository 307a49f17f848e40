/**
 * A pool of few connections with pipelining: each statement is its own transaction, and a connection accepts several
 * statements before the first has its response.
 */
import { Socket } from "node:net";
import { Client, type ClientConfig, DatabaseError, type Pool } from "pg";
import { endWithin } from "./ending.ts";
import { TextQuery, type TextStatement } from "./text-query.ts";

export type Values = (string | Buffer | null)[];

/** Counts as pg's Pool does. Waiting statements are unsent, or queued behind another on the same connection. */
export type PoolCounts = Pick<Pool, "totalCount" | "idleCount" | "waitingCount">;

export type StatementOptions = {
  /** The organisation or caller. Statements of one owner never occupy all connections (`isWithinShare`). */
  owner?: string | undefined;
  /** Deadline on the clock of `performance.now`; the statement is not sent later. */
  until?: number | undefined;
};

export type PipelinedPool = {
  counts: PoolCounts;
  /** @throws Error of pg, or of the connection. */
  query(statement: TextStatement, values: Values, options?: StatementOptions): Promise<string | null>;
  close(): Promise<void>;
};

export type PoolSize = {
  connections: number;
  /** Pending statements per connection. */
  statementsPerConnection: number;
};

/** A statement that waits longer than this in the queue fails. */
const queueTimeoutMs = 1_200;

type Call = {
  statement: TextStatement;
  values: Values;
  owner: string | undefined;
  /** The earlier of the queue time-out and `until`. */
  sendUntil: number;
  until: number | undefined;
  resolve(text: string | null): void;
  reject(error: Error): void;
};

export function openPipelinedPool(
  settings: ClientConfig,
  { connections, statementsPerConnection }: PoolSize,
): PipelinedPool {
  const shared = Array.from({ length: connections }, () =>
    sharedConnection(settings, statementsPerConnection > 1, onDone),
  );
  const waiting: Call[] = [];
  let free = connections * statementsPerConnection;
  const pending = new Map<string, number>();

  /** Prefers the first connections, so that no more are opened than necessary. */
  const available = () => shared.find((connection) => connection.pending() < statementsPerConnection);

  /**
   * An owner may have at most twice as many pending statements as there are free places. Of ten connections, one owner
   * gets seven and the next two. So statements of one owner that wait for a lock cannot block other owners.
   */
  const isWithinShare = (owner: string | undefined) => owner === undefined || (pending.get(owner) ?? 0) < 2 * free;

  function count({ owner }: Call, change: 1 | -1): void {
    free -= change;
    if (owner === undefined) return;
    const now = (pending.get(owner) ?? 0) + change;
    if (now === 0) pending.delete(owner);
    else pending.set(owner, now);
  }

  function onDone(call: Call): void {
    count(call, -1);
    sendWaiting();
  }

  function sendWaiting(): void {
    const now = performance.now();
    for (let place = 0; place < waiting.length; ) {
      const call = waiting[place] as Call;
      const expired = now > call.sendUntil;
      const connection = expired ? undefined : available();
      if (!expired && !connection) return;
      if (connection && !isWithinShare(call.owner)) {
        place += 1;
        continue;
      }
      waiting.splice(place, 1);
      if (connection) {
        count(call, 1);
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
        return shared.filter((connection) => connection.isOpen() && connection.pending() === 0).length;
      },
      get waitingCount() {
        return shared.reduce((sum, connection) => sum + Math.max(connection.pending() - 1, 0), waiting.length);
      },
    },
    query: (statement, values, { owner, until } = {}) =>
      new Promise((resolve, reject) => {
        const sendUntil = Math.min(performance.now() + queueTimeoutMs, until ?? Number.POSITIVE_INFINITY);
        waiting.push({ statement, values, owner, sendUntil, until, resolve, reject });
        sendWaiting();
      }),
    async close() {
      await Promise.all(shared.map((connection) => connection.close()));
    },
  };
}

/** The message of pg, which `isOutage` knows. */
const notSent = () => new Error("timeout exceeded when trying to connect");

/**
 * One connection, opened for the first statement and again after a loss.
 *
 * @param isShared whether several statements may be pending
 */
function sharedConnection(settings: ClientConfig, isShared: boolean, onDone: (call: Call) => void) {
  let current: Promise<Client> | undefined;
  let open: Client | undefined;
  let socket = new Socket();
  let isCorked = false;
  let pending = 0;

  function connect(): Promise<Client> {
    const own = new Socket();
    socket = own;
    const client = new Client({ ...settings, pipeline: true, stream: () => own });
    const opening = client.connect().then(() => {
      if (current === opening) open = client;
      return client;
    });
    const reset = () => {
      if (current !== opening) return;
      current = undefined;
      open = undefined;
    };
    client.on("error", reset);
    client.once("end", reset);
    opening.catch(reset);
    return opening;
  }

  /** Sends all statements of one turn of the event loop with one system call. */
  function cork(): void {
    if (isCorked) return;
    isCorked = true;
    const corked = socket;
    corked.cork();
    setImmediate(() => {
      isCorked = false;
      corked.uncork();
    });
  }

  /**
   * Resets the connection: the server must not receive a statement whose caller already got a 503. An orderly end would
   * leave it in the system's send buffer. The next statement opens another connection.
   */
  function abort(sentBy: Socket | undefined): void {
    sentBy?.resetAndDestroy();
    if (sentBy !== socket) return;
    current = undefined;
    open = undefined;
  }

  return {
    isOpen: () => open !== undefined,
    pending: () => pending,
    send(call: Call): void {
      const { statement, values, until, resolve, reject } = call;
      pending += 1;
      let sentBy: Socket | undefined;
      const done = (error: Error | null, text?: string | null) => {
        pending -= 1;
        if (error && !(error instanceof DatabaseError)) abort(sentBy);
        if (error) reject(error);
        else if (text === undefined) reject(new Error("the statement returned no row"));
        else resolve(text);
        onDone(call);
      };
      const query = new TextQuery(statement, values, done);
      const sendTo = (client: Client) => {
        if (until !== undefined) {
          const leftMs = until - performance.now(); // connecting may have used some of it
          if (leftMs <= 0) return done(notSent());
          // A time-out resets the connection. Shared connections only carry reads, which may still run.
          if (!isShared) query.query_timeout = Math.min(leftMs, settings.query_timeout ?? leftMs);
        }
        sentBy = socket;
        if (isShared) cork();
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
