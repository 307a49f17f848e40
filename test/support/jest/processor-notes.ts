/** Notes of the processor time that parts of a test run used, read from /proc, which only Linux has. */
import { appendFileSync, readdirSync, readFileSync } from "node:fs";

/** The file to which the processes of a run append what they used. Unset outside a run. */
export const notesVariable = "TEST_PROCESSOR_TIME";
const tickMs = 10; // the unit of /proc/<pid>/stat on every Linux

export type Part = "jest" | "PostgreSQL" | "Chromium" | "programs under test";
export type Note = { part: Part; of: string; ms: number };

/** Notes what a part of the run used so far. A later note of the same `of` replaces it. */
export function noteProcessorTime(part: Part, of: string, ms: number | undefined): void {
  const file = process.env[notesVariable];
  if (file && ms !== undefined) appendFileSync(file, `${JSON.stringify({ part, of, ms } satisfies Note)}\n`);
}

/** Notes what this process used so far. */
export function noteOwnProcessorTime(): void {
  const { user, system } = process.cpuUsage();
  noteProcessorTime("jest", String(process.pid), (user + system) / 1000);
}

/** Notes what this process of test files, its browser and the programs that it waited for used so far. */
export function noteProcessorTimeOfFiles(): void {
  if (!process.env[notesVariable]) return;
  noteOwnProcessorTime();
  noteProcessorTime("programs under test", String(process.pid), statOf(String(process.pid))[0]?.waitedFor);
  for (const { pid, parent } of all()) {
    if (parent === process.pid && nameOf(pid).startsWith("chromium"))
      noteProcessorTime("Chromium", String(pid), treeMs(pid));
  }
}

/** Milliseconds that a process and its living descendants used, with descendants that have ended. */
function treeMs(pid: number): number {
  const running = all();
  const tree = running.filter((each) => each.pid === pid);
  for (const { pid: parent } of tree) tree.push(...running.filter((each) => each.parent === parent));
  return tree.reduce((sum, { own, waitedFor }) => sum + own + waitedFor, 0);
}

const all = () => readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? statOf(name) : []));

/** As the system shows it. Empty if the process has ended. */
function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8");
  } catch {
    return "";
  }
}

export function statOf(pid: string): { pid: number; parent: number; own: number; waitedFor: number }[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [, parent, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" "); // the name may contain spaces
    const [user = 0, system = 0, waitedUser = 0, waitedSystem = 0] = rest.slice(9).map(Number);
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        own: (user + system) * tickMs,
        waitedFor: (waitedUser + waitedSystem) * tickMs,
      },
    ];
  } catch {
    return []; // it ended meanwhile
  }
}
