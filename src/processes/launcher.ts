/**
 * Notices that the launcher was killed: npm, npx, or src/botstead.js under an older Node. The system then gives its child
 * another parent.
 */
import { readFileSync } from "node:fs";
import { isLaunched } from "../config.ts";

const checkMs = 500;

/** Calls `stop` once the launcher is gone. A process that begins without a launcher never calls it. */
export function whenLauncherEnds(stop: () => void): void {
  if (!isLaunched() || process.ppid === 1) return; // 1: it was sent to the background
  const first = ancestors();
  const watch = setInterval(() => {
    if (ancestors() === first) return;
    clearInterval(watch);
    stop();
  }, checkMs).unref();
}

/** The parent, and npm above the shell in which npm runs a script. Some shells replace themselves, and then there is none. */
function ancestors(): string {
  const { ppid } = process;
  return read(`/proc/${ppid}/cmdline`).startsWith("sh\0-c\0") ? `${ppid} ${parentOf(ppid)}` : String(ppid);
}

/** The command before the field may contain spaces and brackets. */
const parentOf = (pid: number) =>
  read(`/proc/${pid}/stat`)
    .replace(/^.*\) \S /s, "")
    .split(" ")[0];

/** Empty for an ended process, and on a system without /proc. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
