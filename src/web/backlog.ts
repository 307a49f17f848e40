/**
 * Memory used for slow peers: bodies that are still arriving, and answers that were not read yet. Each kind has one bound
 * for the whole process. Beyond it, the oldest connection is closed. A fast caller is never the oldest: it finishes within
 * milliseconds.
 */
import type { ServerResponse } from "node:http";

export type Backlog = {
  /** Counts these bytes until the returned function is called. @param close called once, when room is needed */
  track(bytes: number, close: () => void): () => void;
  bytes(): number;
  /** The number of connections that were closed to make room. */
  closed(): number;
};

const defaultMaxBytes = 64 * 1024 * 1024;

export function makeBacklog(maxBytes: number = defaultMaxBytes): Backlog {
  const entries = new Map<number, { bytes: number; close: () => void }>();
  let total = 0;
  let nextId = 0;
  let closed = 0;

  function release(id: number): void {
    total -= entries.get(id)?.bytes ?? 0;
    entries.delete(id);
  }

  return {
    bytes: () => total,
    closed: () => closed,
    track(bytes, close) {
      const id = nextId++;
      entries.set(id, { bytes, close });
      total += bytes;
      for (const [oldest, entry] of entries) {
        if (total <= maxBytes || oldest === id) break; // a single entry may exceed the bound
        release(oldest);
        closed += 1;
        entry.close();
      }
      return () => release(id);
    },
  };
}

/** Counts the bytes of a stream that were written and not sent, until it drains or closes. */
export function trackUntilDrained(response: ServerResponse, unsent: Backlog): void {
  const release = unsent.track(response.writableLength, () => response.destroy());
  const done = () => {
    response.off("drain", done).off("close", done);
    release();
  };
  response.on("drain", done).on("close", done);
}
