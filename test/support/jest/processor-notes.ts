/** Notes of the processor time that parts of a test run used, read from /proc, which only Linux has. */
import { appendFileSync } from "node:fs";
import { statOf, tickMs } from "../../../bench/cpu.ts";
import { processTree } from "../process-tree.ts";

/** The file to which the processes of a run append what they used. Unset outside a run. */
export const notesVariable = "TEST_PROCESSOR_TIME";

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
  noteProcessorTime("programs under test", String(process.pid), (statOf(process.pid)?.ticksOfExited ?? 0) * tickMs);
  for (const { pid, parent, command } of processTree(process.pid)) {
    if (parent === process.pid && command.includes("chromium")) noteProcessorTime("Chromium", String(pid), treeMs(pid));
  }
}

/** Milliseconds that a process and its living descendants used, with descendants that have exited. */
const treeMs = (pid: number): number =>
  processTree(pid).reduce((sum, each) => {
    const { ticks = 0, ticksOfExited = 0 } = statOf(each.pid) ?? {};
    return sum + (ticks + ticksOfExited) * tickMs;
  }, 0);
