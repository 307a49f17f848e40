/** A pool of few pipelined connections. Calls that wait share a transaction, if their statement allows it. */
import type { ClientConfig, Pool } from "pg";
import { type Call, notSent, pipelinedConnection } from "./pipelined-connection.ts";
import type { TextStatement, Values } from "./text-query.ts";
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
  /** Pending transactions per connection. */
  transactionsPerConnection: number;
  /** More than 1 for calls that take no locks: locks of several calls in one transaction could deadlock with others. */
  callsPerTransaction: number;
};

type Waiting = Call & {
  owner: string | undefined;
  /** The earlier of the queue time-out and `until`. */
  sendUntil: number;
  /** Its transaction with others was undone, so it gets one to itself. */
  isAlone: boolean;
};

export function openPipelinedPool(
  settings: ClientConfig,
  { connections, transactionsPerConnection, callsPerTransaction }: PoolSize,
): PipelinedPool {
  const shared = Array.from({ length: connections }, () =>
    pipelinedConnection<Waiting>(settings, transactionsPerConnection > 1, { onDone, onUndone }),
  );
  const waiting: Waiting[] = [];
  let free = connections * transactionsPerConnection;
  const pending = new Map<string, number>();

  /** Prefers the first connections, so that no more are opened than necessary. */
  const available = () => shared.find((connection) => connection.pending() < transactionsPerConnection);

  /**
   * An owner may have at most twice as many pending transactions as there are free places. Of ten connections, one owner
   * gets seven and the next two. So statements of one owner that wait for a lock cannot block other owners.
   */
  const isWithinShare = (owner: string | undefined) => owner === undefined || (pending.get(owner) ?? 0) < 2 * free;

  function count(calls: Waiting[], change: 1 | -1): void {
    free -= change;
    for (const owner of new Set(calls.map(({ owner }) => owner))) {
      if (owner === undefined) continue;
      const now = (pending.get(owner) ?? 0) + change;
      if (now === 0) pending.delete(owner);
      else pending.set(owner, now);
    }
  }

  function onDone(calls: Waiting[]): void {
    count(calls, -1);
    sendWaiting();
  }

  function onUndone(calls: Waiting[]): void {
    waiting.unshift(...calls.map((call) => ({ ...call, isAlone: true })));
    onDone(calls);
  }

  const mayShare = (one: Waiting, other: Waiting) =>
    one.statement.sharesTransaction && one.statement.text === other.statement.text && !(one.isAlone || other.isAlone);

  /** Removes this call from the waiting ones, with later calls that may share its transaction. */
  function takeFrom(place: number): Waiting[] {
    const [first] = waiting.splice(place, 1) as [Waiting];
    const calls = [first];
    for (let next = place; next < waiting.length && calls.length < callsPerTransaction; ) {
      if (mayShare(first, waiting[next] as Waiting)) calls.push(...waiting.splice(next, 1));
      else next += 1;
    }
    return calls;
  }

  function sendWaiting(): void {
    const now = performance.now();
    for (let place = 0; place < waiting.length; ) {
      const call = waiting[place] as Waiting;
      const expired = now > call.sendUntil;
      const connection = expired ? undefined : available();
      if (!expired && !connection) return;
      if (!connection) {
        waiting.splice(place, 1);
        call.reject(notSent());
      } else if (isWithinShare(call.owner)) {
        const calls = takeFrom(place);
        count(calls, 1);
        connection.send(calls);
      } else place += 1;
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
        waiting.push({ statement, values, owner, sendUntil, until, isAlone: false, resolve, reject });
        sendWaiting();
      }),
    async close() {
      await Promise.all(shared.map((connection) => connection.close()));
    },
  };
}
