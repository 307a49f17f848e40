/** The processes below one, as the system tells them. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

/** `command` is the whole command line, its arguments parted by spaces; memory is what is resident, in MB. */
export type Process = { pid: number; parent: number; command: string; megabytes: number };

/** All below `pid`, itself included, children of children too. Empty when it is gone. */
export function processTree(pid: number): Process[] {
  const all = existsSync("/proc/self/status") ? fromProc() : fromPs();
  const tree = all.filter((process) => process.pid === pid);
  for (const { pid: parent } of tree) tree.push(...all.filter((process) => process.parent === parent));
  return tree;
}

/** Whether a process is there and not just awaiting burial. */
export function isAlive(pid: number): boolean {
  return processTree(pid).length > 0;
}

/** Forgets what was resident at most, and answers what tells it from then on, in MB; undefined where there is no /proc. */
export function watchPeak(pid: number): () => number | undefined {
  if (!existsSync("/proc/self/clear_refs")) return () => undefined;
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
  return () => field(readFileSync(`/proc/${pid}/status`, "utf8"), "VmHWM") / 1024;
}

/** To each of them; who has ended since they were listed needs none. */
export function signalAll(processes: Pick<Process, "pid">[], signal: NodeJS.Signals): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

function fromProc(): Process[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const status = readFileSync(`/proc/${name}/status`, "utf8");
      if (/^State:\s+[ZX]/m.test(status)) return [];
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
      return [{ pid: Number(name), parent: field(status, "PPid"), command, megabytes: field(status, "VmRSS") / 1024 }];
    } catch {
      return []; // gone meanwhile
    }
  });
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
