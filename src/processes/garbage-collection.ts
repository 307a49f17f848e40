/**
 * Returns unused heap to the operating system after a peak, such as many slow peers. V8 of Node 24 keeps freed heap
 * until a last-resort collection, which it only makes itself when memory runs out. (docs/performance.md, "Memory".)
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const megabyte = 1024 * 1024;
/** Resident size above which a collection can pay, in bytes. */
const threshold = 250 * megabyte;
/** Bytes worth a pause of tens of milliseconds. */
const worthwhile = 50 * megabyte;
/** Maximum event loop utilisation for a collection: on a busier process, requests would wait long. */
const maxUtilization = 0.6;
const checkIntervalMs = 10_000;
const minIntervalMs = 60_000;
const maxIntervalMs = 3_600_000;

type Collect = (how: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void;

/** Checks every 10 s and collects if a collection is due. */
export function collectGarbage(): void {
  const { isDue, record } = collections();
  let looked = performance.eventLoopUtilization();
  const size = () => process.memoryUsage.rss();
  setInterval(() => {
    const before = size();
    const { utilization } = performance.eventLoopUtilization(looked);
    looked = performance.eventLoopUtilization();
    if (!isDue(performance.now(), before, utilization)) return;
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as Collect;
    collect({ type: "major", execution: "sync", flavor: "last-resort" });
    record(performance.now(), before, size());
  }, checkIntervalMs).unref();
}

/**
 * Decides when a collection is due: at most one a minute. If a collection frees less than 50 MB, the interval doubles,
 * up to an hour. If the process has grown by more than 50 MB since, the interval is a minute again.
 */
export function collections() {
  let intervalMs = minIntervalMs;
  let last = Number.NEGATIVE_INFINITY;
  let left = 0;
  return {
    /** @param size resident size in bytes @param utilization of the event loop, 0 to 1 */
    isDue(now: number, size: number, utilization: number): boolean {
      if (size < threshold || utilization > maxUtilization) return false;
      return now - last >= (size - left > worthwhile ? minIntervalMs : intervalMs);
    },
    /** Records a collection, with the resident size before and after it. */
    record(now: number, before: number, after: number): void {
      intervalMs = before - after > worthwhile ? minIntervalMs : Math.min(intervalMs * 2, maxIntervalMs);
      last = now;
      left = after;
    },
  };
}
