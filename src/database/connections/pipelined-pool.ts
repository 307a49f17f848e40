/** A pool of few pipelined connections. Calls that wait can share a transaction. (docs/decisions/0012-database-connections.md) */
import { setTimeout as sleep } from "node:timers/promises";
import { type ClientConfig, DatabaseError } from "pg";
import { type Call, notSent, pipelinedConnection, type Texts } from "./pipelined-connection.ts";
import type { PipelinedPool, PoolSize } from "./pool.ts";

type Waiting = Call & {
  owner: string | undefined;
  group: string | undefined;
  once: string | undefined;
  /** The earlier of the queue time-out and `until`. */
  sendUntil: number;
};

/** How long the calls of an owner get transactions to themselves after one of them took too long. */
const apartMs = 1_000;

/**
 * @param settings.connectionTimeoutMillis is also the longest that a call waits for a connection
 * @param fallback takes each call of a transaction that was undone, and one that took too long. Required if calls share
 *   transactions. Its time-outs are the time-outs of a single call.
 */
export function openPipelinedPool(
  settings: ClientConfig,
  {
    namesStatements = true,
    connections,
    callsPerTransaction,
    whileSharing = connections,
    oneTransactionPerOwner = false,
    apartAfter,
  }: PoolSize,
  fallback?: PipelinedPool,
): PipelinedPool {
  const shared = Array.from({ length: connections }, () => pipelinedConnection<Waiting>(settings, onEnd));
  const waiting: Waiting[] = [];
  let size = connections;
  let free = size;
  let sharedTransactions = 0;
  let isScheduled = false;
  const queueMs = settings.connectionTimeoutMillis ?? Number.POSITIVE_INFINITY;
  const pending = new Map<string, number>();
  const apartUntil = new Map<string, number>();
  const unanswered = new Set<string>();

  /** Prefers the first connections, so that no more are opened than necessary. */
  const available = () => {
    const usable = sharedTransactions > 0 ? Math.min(size, whileSharing) : size;
    return shared.find((connection, place) => place < usable && connection.isIdle());
  };

  /**
   * An owner may have at most twice as many pending transactions as there are free places. Of ten connections, one owner
   * gets seven and the next two. So statements of one owner that wait for a lock cannot block other owners.
   */
  const isWithinShare = (owner: string | undefined) =>
    owner === undefined || (pending.get(owner) ?? 0) < (oneTransactionPerOwner ? 1 : 2 * free);

  function count(calls: Waiting[], change: 1 | -1): void {
    free -= change;
    if (calls.length > 1) sharedTransactions += change;
    for (const owner of new Set(calls.map(({ owner }) => owner))) {
      if (owner === undefined) continue;
      const now = (pending.get(owner) ?? 0) + change;
      if (now === 0) pending.delete(owner);
      else pending.set(owner, now);
    }
  }

  /** @param texts of the calls before the failed call, if any */
  function onEnd(calls: Waiting[], error: Error | null, texts: Texts): void {
    count(calls, -1);
    for (const { once } of calls) if (once !== undefined) unanswered.delete(once);
    const tookTooLong = error instanceof DatabaseError && error.code !== undefined && error.code === apartAfter;
    if (fallback && error instanceof DatabaseError && (calls.length > 1 || tookTooLong)) {
      const owner = tookTooLong ? calls[texts.length]?.owner : undefined;
      if (owner !== undefined) setApart(owner);
      for (const { statement, values, resolve, reject, owner, until } of calls) {
        fallback.query(statement, values, { owner, until }).then(resolve, reject);
      }
    } else {
      calls.forEach((call, index) => {
        const text = texts[index];
        if (error) call.reject(error);
        else if (text === undefined) call.reject(new Error("the statement returned no row"));
        else call.resolve(text);
      });
    }
    sendSoon();
  }

  function setApart(owner: string): void {
    const now = performance.now();
    for (const [each, until] of apartUntil) if (until < now) apartUntil.delete(each);
    apartUntil.set(owner, now + apartMs);
  }

  const mayShare = (one: Waiting, other: Waiting) =>
    one.group !== undefined && one.group === other.group && one.statement.text === other.statement.text;

  /** Removes this call from the waiting ones, with later calls that may share its transaction. */
  function takeFrom(place: number): Waiting[] {
    const [first] = waiting.splice(place, 1) as [Waiting];
    const calls = [first];
    for (let next = place; next < waiting.length && calls.length < callsPerTransaction; ) {
      const call = waiting[next] as Waiting;
      if (mayShare(first, call) && isWithinShare(call.owner)) calls.push(...waiting.splice(next, 1));
      else next += 1;
    }
    return oneTransactionPerOwner ? calls.sort(byOwner) : calls;
  }

  /**
   * After all input that has arrived, so that its calls share transactions. Sent at once, the first call would be alone
   * while the others are still unread. Calls that fill a transaction are sent at once.
   */
  function sendSoon(): void {
    if (waiting.length >= callsPerTransaction) sendWaiting();
    else if (waiting.length > 0 && !isScheduled) {
      isScheduled = true;
      setImmediate(() => {
        isScheduled = false;
        sendWaiting();
      });
    }
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
        if (call.once !== undefined) unanswered.delete(call.once);
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
        return shared.filter((connection) => connection.isOpen() && connection.isIdle()).length;
      },
      get waitingCount() {
        return waiting.length;
      },
    },
    query(statement, values, options = {}) {
      const { owner, until, group } = options;
      const now = performance.now();
      const once = fallback ? options.once?.toString("latin1") : undefined;
      const isApart = owner !== undefined && now < (apartUntil.get(owner) ?? 0);
      if (fallback && (isApart || (once !== undefined && unanswered.has(once)))) {
        return fallback.query(statement, values, options);
      }
      if (once !== undefined) unanswered.add(once);
      return new Promise((resolve, reject) => {
        const sendUntil = Math.min(now + queueMs, until ?? Number.POSITIVE_INFINITY);
        const sent = namesStatements ? statement : { ...statement, name: "" };
        waiting.push({ statement: sent, values, owner, group, once, sendUntil, until, resolve, reject });
        sendSoon();
      });
    },
    async resize(to) {
      const wanted = Math.min(to, connections);
      free += wanted - size;
      size = wanted;
      sendSoon();
      for (const [place, connection] of shared.entries()) {
        while (place >= size && !connection.isIdle()) await sleep(5);
        if (place >= size) await connection.close();
      }
    },
    closeUnused() {
      for (const connection of shared) connection.closeIfUnused();
    },
    async close() {
      await Promise.all(shared.map((connection) => connection.close()));
    },
  };
}

/** By id, as the deferred triggers of the audit log order organisations; calls of one owner stay in their order. */
function byOwner({ owner: one = "" }: Waiting, { owner: other = "" }: Waiting): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
