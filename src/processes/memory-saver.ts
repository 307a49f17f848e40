/**
 * Returns unused heap to the operating system after a peak, such as many slow peers. V8 of Node 24 otherwise keeps it. Its
 * memory saver mode returns it, and costs half as much processor time again. (docs/decisions/0004-libraries-and-own-code.md)
 */
import { setFlagsFromString } from "node:v8";

/** Resident size in bytes above which the mode is on. The API under load stays below it. */
const threshold = 250 * 1024 * 1024;
const checkIntervalMs = 10_000;

/** Switches the mode on or off by the size of the process, every 10 s. */
export function saveMemory(): void {
  setInterval(() => {
    const isLarge = process.memoryUsage.rss() > threshold;
    setFlagsFromString(isLarge ? "--memory-saver-mode" : "--no-memory-saver-mode");
  }, checkIntervalMs).unref();
}
