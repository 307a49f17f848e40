/** The descendants of a process, as the system reports them. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

/** `command` is the command line with arguments separated by spaces. Memory is the resident set in MB. */
export type Process = { pid: number; parent: number; command: string; megabytes: number };

const hasProc = existsSync("/proc/self/status");

/** `pid` and all its descendants. Empty if it has ended. */
export function processTree(pid: number): Process[] {
  const all = hasProc ? fromProc() : fromPs();
  const tree = all.filter((process) => process.pid === pid);
  for (const { pid: parent } of tree) tree.push(...all.filter((process) => process.parent === parent));
  return tree;
}

/** Whether a process exists and is not a zombie. */
export const isAlive = (pid: number): boolean => (hasProc ? readProc(pid).length : processTree(pid).length) > 0;

/** Resets the peak of the resident set. Returns a function for the new peak in MB; undefined without /proc. */
export function watchPeak(pid: number): () => number | undefined {
  if (!existsSync("/proc/self/clear_refs")) return () => undefined;
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
  return () => field(readFileSync(`/proc/${pid}/status`, "utf8"), "VmHWM") / 1024;
}

/**
 * Signals a process whose id may be unknown. The system takes id 0 as the whole process group, which is the test run
 * itself with everything that started it.
 *
 * @throws Error when there is no id, or no such process
 */
export function signalProcess(pid: number | undefined, signal: NodeJS.Signals): void {
  if (!pid) throw new Error(`There is no process to send ${signal} to.`);
  process.kill(pid, signal);
}

/** Signals a process and all others of its group, as a terminal does. */
export const signalGroup = (leader: number | undefined, signal: NodeJS.Signals): void =>
  signalProcess(leader && -leader, signal);

/** Signals each of them; ignores processes that have ended. */
export function signalAll(processes: Pick<Process, "pid">[], signal: NodeJS.Signals): void {
  for (const { pid } of processes) {
    try {
      signalProcess(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

const fromProc = (): Process[] =>
  readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? readProc(Number(name)) : []));

/** Empty if the process has ended. */
function readProc(pid: number): Process[] {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    if (/^State:\s+[ZX]/m.test(status)) return [];
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return [{ pid, parent: field(status, "PPid"), command, megabytes: field(status, "VmRSS") / 1024 }];
  } catch {
    return [];
  }
}

const field = (status: string, label: string): number =>
  Number(status.match(new RegExp(`^${label}:\\s+(\\d+)`, "m"))?.[1] ?? 0);

function fromPs(): Process[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,stat=,rss=,command="], { encoding: "utf8" }).split("\n");
  return lines.flatMap((line) => {
    const [, pid, parent, state = "", size, command = ""] =
      line.match(/^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\d+)\s+(.*)$/) ?? [];
    if (!pid || state.startsWith("Z")) return [];
    return [{ pid: Number(pid), parent: Number(parent), command, megabytes: Number(size) / 1024 }];
  });
}
