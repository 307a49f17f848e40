/** A pool of few pipelined connections. Each statement is its own transaction. */
import type { ClientConfig, Pool } from "pg";
import { type Call, notSent, pipelinedConnection, type Values } from "./pipelined-connection.ts";
import type { TextStatement } from "./text-query.ts";
import { timeouts } from "./timeouts.ts";

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

type Waiting = Call & {
  owner: string | undefined;
  /** The earlier of the queue time-out and `until`. */
  sendUntil: number;
};

export function openPipelinedPool(
  settings: ClientConfig,
  { connections, statementsPerConnection }: PoolSize,
): PipelinedPool {
  const shared = Array.from({ length: connections }, () =>
    pipelinedConnection(settings, statementsPerConnection > 1, onDone),
  );
  const waiting: Waiting[] = [];
  let free = connections * statementsPerConnection;
  const pending = new Map<string, number>();

  /** Prefers the first connections, so that no more are opened than necessary. */
  const available = () => shared.find((connection) => connection.pending() < statementsPerConnection);

  /**
   * An owner may have at most twice as many pending statements as there are free places. Of ten connections, one owner
   * gets seven and the next two. So statements of one owner that wait for a lock cannot block other owners.
   */
  const isWithinShare = (owner: string | undefined) => owner === undefined || (pending.get(owner) ?? 0) < 2 * free;

  function count({ owner }: Waiting, change: 1 | -1): void {
    free -= change;
    if (owner === undefined) return;
    const now = (pending.get(owner) ?? 0) + change;
    if (now === 0) pending.delete(owner);
    else pending.set(owner, now);
  }

  function onDone(call: Waiting): void {
    count(call, -1);
    sendWaiting();
  }

  function sendWaiting(): void {
    const now = performance.now();
    for (let place = 0; place < waiting.length; ) {
      const call = waiting[place] as Waiting;
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
        const sendUntil = Math.min(performance.now() + timeouts.api.queue, until ?? Number.POSITIVE_INFINITY);
        waiting.push({ statement, values, owner, sendUntil, until, resolve, reject });
        sendWaiting();
      }),
    async close() {
      await Promise.all(shared.map((connection) => connection.close()));
    },
  };
}
