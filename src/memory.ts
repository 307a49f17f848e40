/**
 * Memory that a process needed for a moment, as for a crowd of slow peers, is given back to the system. V8 of Node 24 keeps
 * what its heap has left, for a next time that may never come; a collection of last resort lets go of it, and V8 makes one
 * by itself only when there is none left. Our own, since Node has no call for it. (docs/performance.md, "Memory".)
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const lookEveryMs = 10_000;
/** Beside what its heap is used for a process holds some 70 MB, and 150 under load. */
const worthGivingBack = 200 * 1024 * 1024;

type Collect = (how: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void;

/** Looks every ten seconds; what it does takes some tens of milliseconds, after an attack and hardly ever else. */
export function giveBackMemory(): void {
  /** What a collection did not bring back it will not bring back the next time. */
  let isNeeded = 0;
  const unused = () => {
    const { rss, heapUsed } = process.memoryUsage();
    return rss - heapUsed;
  };
  setInterval(() => {
    if (unused() < isNeeded + worthGivingBack) return;
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as Collect;
    collect({ type: "major", execution: "sync", flavor: "last-resort" });
    isNeeded = Math.max(0, unused() - worthGivingBack / 2);
  }, lookEveryMs).unref();
}
