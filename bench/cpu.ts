/**
 * Processor time, by which a figure can be told apart into what Node and what PostgreSQL spent on a request. It hardly
 * moves when the machine has other things to do, which requests per second do. Linux alone tells it.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "pg";

/** Of Linux: the unit in which /proc counts, a hundredth of a second everywhere. */
const tickMs = 10;

/** Milliseconds that PostgreSQL has spent since it started, with those of its processes that have ended. */
export function postgresCpuMs(dataDir: string): number | undefined {
  if (!existsSync("/proc/self/stat")) return undefined;
  const postmaster = Number(readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
  let ticks = 0;
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const found = statOf(entry);
    if (found && (found.pid === postmaster || found.parent === postmaster)) ticks += found.ticks;
    if (found?.pid === postmaster) ticks += found.ticksOfEnded;
  }
  return ticks * tickMs;
}

function statOf(pid: string) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name stands in brackets and may hold anything; what follows are numbers: see proc(5).
    const [, parent, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = rest.slice(9).map(Number);
    return { pid: Number(pid), parent: Number(parent), ticks: user + system, ticksOfEnded: endedUser + endedSystem };
  } catch {
    return undefined; // it ended meanwhile
  }
}

/**
 * Reads, in µs, what the connection's own process has spent, by the kernel's scheduler.
 *
 * @param otherwise where there is none to tell
 */
export async function sessionCpu(client: Client, otherwise = () => Number.NaN): Promise<() => number> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const file = `/proc/${rows[0]?.pid}/schedstat`;
  return () => (existsSync(file) ? Number(readFileSync(file, "utf8").split(" ")[0]) / 1000 : otherwise());
}
