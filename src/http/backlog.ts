/**
 * What is kept in memory for peers that are slow, bounded over all of them: bodies that are still arriving, and answers
 * that were not taken yet. Beyond the bound whoever has been at it the longest is cut off. Callers who are quick are done
 * within milliseconds and are never the oldest, however many slow ones there are.
 */
import type { ServerResponse } from "node:http";

export type Backlog = {
  /** Holds so many bytes until what is returned is called. @param cutOff is called once, when room is needed */
  hold(bytes: number, cutOff: () => void): () => void;
  /** Bytes that are held. */
  held(): number;
  /** How many were cut off. */
  cut(): number;
};

/** Of each kind: 64 MB. */
const mostBacklog = 64 * 1024 * 1024;

export function makeBacklog(most: number = mostBacklog): Backlog {
  const holders = new Map<number, { bytes: number; cutOff: () => void }>();
  let all = 0;
  let next = 0;
  let cut = 0;

  function release(id: number): void {
    all -= holders.get(id)?.bytes ?? 0;
    holders.delete(id);
  }

  return {
    held: () => all,
    cut: () => cut,
    hold(bytes, cutOff) {
      const id = next++;
      holders.set(id, { bytes, cutOff });
      all += bytes;
      for (const [oldest, holder] of holders) {
        if (all <= most || oldest === id) break; // one alone is never too much
        release(oldest);
        cut += 1;
        holder.cutOff();
      }
      return () => release(id);
    },
  };
}

/** Counts what was written and has not gone out yet, until it has; for streams, of which more is written only then. */
export function holdUntilTaken(response: ServerResponse, unsent: Backlog): void {
  const release = unsent.hold(response.writableLength, () => response.destroy());
  const taken = () => {
    response.off("drain", taken).off("close", taken);
    release();
  };
  response.on("drain", taken).on("close", taken);
}
