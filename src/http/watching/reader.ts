/**
 * Reads for those who watch runs. Each key reads for itself, as everywhere; but all that one key watches is read
 * together, a run once however many watch it, and one statement after another: word that comes in the meantime is
 * gathered for the next. So thousands who watch keep no more than two connections busy.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { watchRun } from "../../contract/run-events.ts";
import type { Lanes } from "../../database/lanes.ts";
import { callHandle } from "../handle.ts";
import { newRequestId } from "../request-id.ts";
import { type Frame, mostAtOnce, readLines } from "./lines.ts";

/** Somebody who watches one run by one key. */
export type Watcher = {
  credential: Buffer;
  /** The credential's, as it was known when the stream began. */
  organisationId: string | null | undefined;
  /** In lower case. */
  runId: string;
  /** The number of the last event that was taken. */
  place: number;
  /** False while what it took before has not gone out yet. It asks again by itself. */
  hasRoom(): boolean;
  take(frames: Frame[]): void;
  /** The key or the run is not to be seen any more, or not as it was. */
  end(): void;
};

export type Reader = {
  /** There may be something new for this one; it is read soon. */
  ask(watcher: Watcher): void;
  forget(watcher: Watcher): void;
};

/** The rest of the pool is for requests. */
const atOnce = 2;
const mostRuns = 50;
/** After a failed read. Word may come sooner, and meets the database no better. */
const pauseMs = 1_000;

export function makeReader(lanes: Lanes): Reader {
  /** By key, whoever asks and is not being read for. The key that has waited longest comes first. */
  const asking = new Map<string, Set<Watcher>>();
  const busy = new Set<string>();

  function work(): void {
    for (const [key, watchers] of asking) {
      if (busy.size >= atOnce) return;
      if (busy.has(key)) continue;
      asking.delete(key);
      busy.add(key);
      void readFor(watchers)
        .catch(async () => {
          await sleep(pauseMs, undefined, { ref: false });
          for (const watcher of watchers) add(key, watcher);
        })
        .finally(() => {
          busy.delete(key);
          work();
        });
    }
  }

  function add(key: string, watcher: Watcher): void {
    const watchers = asking.get(key);
    if (watchers) watchers.add(watcher);
    else asking.set(key, new Set([watcher]));
  }

  /** Takes those it reads for out of the set. What remains in it when it throws was not read. */
  async function readFor(watchers: Set<Watcher>): Promise<void> {
    for (const watcher of watchers) if (!watcher.hasRoom()) watchers.delete(watcher);
    while (watchers.size > 0) {
      const chosen = Map.groupBy(watchers, ({ runId }) => runId);
      for (const id of [...chosen.keys()].slice(mostRuns)) chosen.delete(id);
      const some = [...chosen.values()].flat();
      const watches = [...chosen].map(([id, of]) => ({ id, after: leastPlace(of) }));
      const { credential, organisationId } = some[0] as Watcher;
      const handled = await callHandle(lanes, "pooled", {
        credential,
        organisationId,
        operation: watchRun,
        requestId: newRequestId(),
        input: { watches },
      });
      const found = handled.status ? readLines(handled.body) : new Map<string, Frame[]>();
      for (const { id, after } of watches) {
        for (const watcher of chosen.get(id) ?? []) {
          watchers.delete(watcher);
          hand(watcher, found.get(id), after);
        }
      }
    }
  }

  function hand(watcher: Watcher, frames: Frame[] | undefined, after: number): void {
    // What lies before the place asked for is another history, as of a backup that was restored: who comes again is told it.
    if (!frames || (frames[0] && frames[0].number <= after)) {
      watcher.end();
      return;
    }
    const fresh = frames.filter(({ number }) => number > watcher.place);
    if (fresh.length > 0) watcher.take(fresh);
    if (frames.length >= mostAtOnce) add(keyOf(watcher), watcher);
  }

  return {
    ask(watcher) {
      add(keyOf(watcher), watcher);
      work();
    },
    forget(watcher) {
      asking.get(keyOf(watcher))?.delete(watcher);
    },
  };
}

const leastPlace = (of: Watcher[]): number => Math.min(...of.map(({ place }) => place));

const keyOf = ({ credential }: Watcher): string => credential.toString("latin1");
