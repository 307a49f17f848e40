/**
 * Processor time of Node and of PostgreSQL for each request. Unlike requests per second, it hardly changes when other
 * programs use the machine. Available on Linux only.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "pg";

/** The unit of processor time in /proc: 10 ms on every Linux. */
export const tickMs = 10;

/** Milliseconds of processor time that PostgreSQL used since its start, including processes that have exited. */
export function postgresCpuMs(dataDir: string): number | undefined {
  if (!existsSync("/proc/self/stat")) return undefined;
  const postmaster = Number(readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
  for (;;) {
    const exited = statOf(postmaster)?.ticksOfExited ?? 0;
    let ticks = exited;
    for (const entry of readdirSync("/proc")) {
      if (!/^\d+$/.test(entry)) continue;
      const stat = statOf(Number(entry));
      if (stat && (stat.pid === postmaster || stat.parent === postmaster)) ticks += stat.ticks;
    }
    // A process that exits meanwhile would count twice, or not at all.
    if (exited === (statOf(postmaster)?.ticksOfExited ?? 0)) return ticks * tickMs;
  }
}

/** Undefined if the process has exited. */
export function statOf(pid: number) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The process name is in parentheses and may contain any character; only numbers follow it, see proc(5).
    const [, parent, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [user = 0, system = 0, exitedUser = 0, exitedSystem = 0] = rest.slice(9).map(Number);
    return { pid: Number(pid), parent: Number(parent), ticks: user + system, ticksOfExited: exitedUser + exitedSystem };
  } catch {
    return undefined; // the process exited meanwhile
  }
}

/**
 * Returns a function that reads the processor time of the connection's backend process in µs, from the kernel's scheduler.
 *
 * @param otherwise used where /proc has no schedstat
 */
export async function sessionCpu(client: Client, otherwise = () => Number.NaN): Promise<() => number> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const file = `/proc/${rows[0]?.pid}/schedstat`;
  return () => (existsSync(file) ? Number(readFileSync(file, "utf8").split(" ")[0]) / 1000 : otherwise());
}
