/**
 * Returns the console's garbage to the operating system: 4 MB after the start, 20 to 30 MB after an operator's
 * session. V8 does so late or never in a process with little work. (docs/decisions/0029-console.md)
 */
import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const checkIntervalMs = 10_000;
/** Collects if the process grew by so many bytes since the last collection, and was idle for an interval: 5 % of the time busy. */
const growth = 8 * 1024 * 1024;
const idleBelow = 0.05;

/** Collects now, and later in idle intervals. Returns a function that ends it. */
export function returnGarbage(): () => void {
  const collect = collector();
  collect();
  let size = process.memoryUsage.rss();
  let start = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(start);
    start = performance.eventLoopUtilization();
    if (utilization > idleBelow || process.memoryUsage.rss() < size + growth) return;
    collect();
    size = process.memoryUsage.rss();
  }, checkIntervalMs).unref();
  return () => clearInterval(timer);
}

/** By a flag at runtime, so that it does not depend on how the process was started. */
function collector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as NodeJS.GCFunction;
  return () => collect({ type: "major", execution: "sync", flavor: "last-resort" });
}
