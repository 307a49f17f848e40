/**
 * Reads events for streams. Each key reads under its own permissions. All streams of one key and address share one statement, in
 * which a run is read once; notifications that arrive meanwhile wait for the next statement. So thousands of streams
 * use at most two connections.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { watchRun } from "../../contract/run-events.ts";
import type { ApiPools } from "../../database/connections/api-pools.ts";
import { hasOrganisationMoved } from "../../database/outage.ts";
import { newRequestId } from "../request.ts";
import { callerKey } from "../stages/authenticate.ts";
import { callHandle } from "../stages/call.ts";
import { type Frame, maxFrames, readLines, type Seen } from "./frames.ts";

/**
 * Open while the key may read the conversation. A notified change of its organisation's access closes the gate until the next
 * read. Notifications come in the order of commits, so a delta that was sent after a revocation does not pass.
 */
export type Gate = {
  isOpen: boolean;
  /** Counts the changes. A read that began before the last change does not open the gate. */
  changes: number;
};

export const newGate = (): Gate => ({ isOpen: false, changes: 0 });

/** One stream of one run under one key. */
export type Watcher = {
  credential: Buffer;
  /** The caller's address. */
  address: string | undefined;
  /** The organisation of the key when the stream began. */
  organisationId: string | null | undefined;
  /** In lower case. */
  runId: string;
  /** The number of the last event that was sent. */
  position: number;
  /** Set if the stream wants deltas. (deltas.ts) */
  gate?: Gate;
  /** False while the stream's buffer is full. The stream requests another read when it drains. */
  hasRoom(): boolean;
  send(frames: Frame[]): void;
  /** Called when the key may no longer read the run, or the run's history has changed. */
  end(): void;
};

export type Reader = {
  /** Queues a read for this watcher. */
  requestRead(watcher: Watcher): void;
  cancel(watcher: Watcher): void;
};

/** The other connections of the pool are for requests. */
const maxConcurrentReads = 2;
const maxRunsPerRead = 50;
/** The pause after a failed read. */
const retryDelayMs = 1_000;

export function makeReader(pools: ApiPools): Reader {
  /** Watchers that need a read, by key and address. The first has waited longest. */
  const queue = new Map<string, Set<Watcher>>();
  const busy = new Set<string>();

  function work(): void {
    for (const [key, watchers] of queue) {
      if (busy.size >= maxConcurrentReads) return;
      if (busy.has(key)) continue;
      queue.delete(key);
      busy.add(key);
      void readFor(watchers)
        .catch(async (error: unknown) => {
          if (hasOrganisationMoved(error)) {
            for (const watcher of watchers) watcher.end(); // the clients resume in the other cell
            return;
          }
          await sleep(retryDelayMs, undefined, { ref: false });
          for (const watcher of watchers) add(key, watcher);
        })
        .finally(() => {
          busy.delete(key);
          work();
        });
    }
  }

  function add(key: string, watcher: Watcher): void {
    const watchers = queue.get(key);
    if (watchers) watchers.add(watcher);
    else queue.set(key, new Set([watcher]));
  }

  /** Removes watchers from the set as they are read. If it throws, the watchers that remain were not read. */
  async function readFor(watchers: Set<Watcher>): Promise<void> {
    for (const watcher of watchers) if (!watcher.hasRoom()) watchers.delete(watcher);
    while (watchers.size > 0) {
      const chosen = Map.groupBy(watchers, ({ runId }) => runId);
      for (const id of [...chosen.keys()].slice(maxRunsPerRead)) chosen.delete(id);
      const watches = [...chosen].map(([id, of]) => ({
        id,
        after: firstPosition(of),
        ...(of.some(({ gate }) => gate) ? { include: "deltas" } : {}),
      }));
      const changes = new Map([...chosen.values()].flat().map((watcher) => [watcher, watcher.gate?.changes]));
      const [{ credential, address, organisationId }] = [...chosen.values()].flat() as [Watcher];
      const result = await callHandle(pools, "pooled", {
        credential,
        address,
        organisationId,
        operation: watchRun,
        requestId: newRequestId(),
        input: { watches },
      });
      const found = result.status ? readLines(result.body) : new Map<string, Seen>();
      for (const { id, after } of watches) {
        for (const watcher of chosen.get(id) ?? []) {
          watchers.delete(watcher);
          const seen = found.get(id);
          if (watcher.gate && watcher.gate.changes === changes.get(watcher)) {
            watcher.gate.isOpen = seen?.readsConversation === true;
          }
          send(watcher, seen?.frames, after);
        }
      }
    }
  }

  function send(watcher: Watcher, frames: Frame[] | undefined, after: number): void {
    // An event before the position belongs to another history, such as a restored backup. The reader reconnects.
    if (!frames || (frames[0] && frames[0].number <= after)) {
      watcher.end();
      return;
    }
    const fresh = frames.filter(({ number }) => number > watcher.position);
    if (fresh.length > 0) watcher.send(fresh);
    if (frames.length >= maxFrames) add(keyOf(watcher), watcher);
  }

  return {
    requestRead(watcher) {
      add(keyOf(watcher), watcher);
      work();
    },
    cancel(watcher) {
      queue.get(keyOf(watcher))?.delete(watcher);
    },
  };
}

const firstPosition = (of: Watcher[]): number => Math.min(...of.map(({ position }) => position));

const keyOf = ({ credential, address }: Watcher): string => callerKey(credential, address);
