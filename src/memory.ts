/**
 * Memory that a process needed for a moment, as for a crowd of slow peers, is given back to the system. V8 of Node 24 keeps
 * what its heap has left, for a next time that may never come; a collection of last resort lets go of it, and V8 makes one
 * by itself only when there is none left. Our own, since Node has no call for it. (docs/performance.md, "Memory".)
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const megabyte = 1024 * 1024;
/** What a busy process weighs. */
const usual = 250 * megabyte;
/** What is worth a pause of some tens of milliseconds. */
const much = 50 * megabyte;
/** The share of its time for which a process may be at work when it pauses: beyond it those who came meanwhile wait long. */
const busy = 0.6;
const lookEveryMs = 10_000;
const shortestPauseMs = 60_000;
const longestPauseMs = 3_600_000;

type Collect = (how: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void;

/** Looks every ten seconds, and acts when there is time to spare. */
export function giveBackMemory(): void {
  const { isDue, note } = collections();
  let looked = performance.eventLoopUtilization();
  const weight = () => process.memoryUsage.rss();
  setInterval(() => {
    const before = weight();
    const { utilization } = performance.eventLoopUtilization(looked);
    looked = performance.eventLoopUtilization();
    if (!isDue(performance.now(), before, utilization)) return;
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as Collect;
    collect({ type: "major", execution: "sync", flavor: "last-resort" });
    note(performance.now(), before, weight());
  }, lookEveryMs).unref();
}

/**
 * When a collection is worth its pause: one a minute at most. Where the last brought little, since all was in use, the next is
 * put off for longer each time, unless the process has grown by much since.
 */
export function collections() {
  let pauseMs = shortestPauseMs;
  let last = Number.NEGATIVE_INFINITY;
  let left = 0;
  return {
    /** @param weight in bytes @param utilization the share of its time for which the process was at work */
    isDue(now: number, weight: number, utilization: number): boolean {
      if (weight < usual || utilization > busy) return false;
      return now - last >= (weight - left > much ? shortestPauseMs : pauseMs);
    },
    /** Of one that was made. */
    note(now: number, before: number, after: number): void {
      pauseMs = before - after > much ? shortestPauseMs : Math.min(pauseMs * 2, longestPauseMs);
      last = now;
      left = after;
    },
  };
}
