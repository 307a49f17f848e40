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

/** Looks every ten seconds, and acts when there is time to spare. Where a collection brings little, since all is in use, the next one is put off for longer each time. */
export function giveBackMemory(): void {
  let pauseMs = shortestPauseMs;
  let next = 0;
  let looked = performance.eventLoopUtilization();
  const weight = () => process.memoryUsage.rss();
  setInterval(() => {
    const before = weight();
    const { utilization } = performance.eventLoopUtilization(looked);
    looked = performance.eventLoopUtilization();
    if (before < usual || utilization > busy || performance.now() < next) return;
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as Collect;
    collect({ type: "major", execution: "sync", flavor: "last-resort" });
    pauseMs = before - weight() > much ? shortestPauseMs : Math.min(pauseMs * 2, longestPauseMs);
    next = performance.now() + pauseMs;
  }, lookEveryMs).unref();
}
