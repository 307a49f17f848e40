/** Jest's reporter of processor time: prints a table of what a run used. On Linux only, which reports it in /proc. */
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresCpuMs } from "../../../bench/cpu.ts";
import { clusterVariable } from "../cluster.ts";

/** The file to which the processes of a run append what they used. Unset outside a run. */
const variable = "TEST_PROCESSOR_TIME";
const tickMs = 10; // the unit of /proc/<pid>/stat on every Linux

type Part = "jest" | "PostgreSQL" | "Chromium";
type Entry = { part: Part; of: string; ms: number };

/** Notes what a part of the run used so far. A later note of the same `of` replaces it. */
export function noteProcessorTime(part: Part, of: string, ms: number | undefined): void {
  const file = process.env[variable];
  if (file && ms !== undefined) appendFileSync(file, `${JSON.stringify({ part, of, ms } satisfies Entry)}\n`);
}

/** Notes what this test process itself used so far. */
export function noteOwnProcessorTime(): void {
  const { user, system } = process.cpuUsage();
  noteProcessorTime("jest", String(process.pid), (user + system) / 1000);
}

/** Milliseconds that a process and its living descendants used, with descendants that have ended. */
export function treeMs(pid: number): number {
  const all = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? statOf(name) : []));
  const tree = all.filter((each) => each.pid === pid);
  for (const { pid: parent } of tree) tree.push(...all.filter((each) => each.parent === parent));
  return tree.reduce((sum, { own, waitedFor }) => sum + own + waitedFor, 0);
}

function statOf(pid: string): { pid: number; parent: number; own: number; waitedFor: number }[] {
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

export default class ProcessorTime {
  readonly #started = performance.now();
  readonly #folder = existsSync("/proc/self/stat")
    ? mkdtempSync(join(tmpdir(), "botstead-processor-time-"))
    : undefined;

  onRunStart(): void {
    if (this.#folder) process.env[variable] = join(this.#folder, "notes.jsonl");
  }

  /** The processes of test files have ended, and the PostgreSQL of all tests still runs. */
  onRunComplete(): void {
    if (!this.#folder) return;
    noteOwnProcessorTime();
    const { dataDir } = JSON.parse(process.env[clusterVariable] ?? "{}");
    const shared = dataDir ? (postgresCpuMs(dataDir) ?? 0) : 0;
    const [self] = statOf(String(process.pid));
    const parts = sums(readFileSync(join(this.#folder, "notes.jsonl"), "utf8"));
    const all = (self?.own ?? 0) + (self?.waitedFor ?? 0) + shared;
    const rows = { ...parts, PostgreSQL: parts.PostgreSQL + shared };
    const programs = all - Object.values(rows).reduce((sum, ms) => sum + ms, 0);
    print({ ...rows, "programs under test": Math.max(programs, 0), all: all }, performance.now() - this.#started);
    rmSync(this.#folder, { recursive: true });
  }
}

function sums(notes: string): Record<Part, number> {
  const newest = new Map<string, Entry>();
  for (const line of notes.trim().split("\n")) {
    const entry = JSON.parse(line) as Entry;
    newest.set(`${entry.part} ${entry.of}`, entry);
  }
  const parts = { jest: 0, PostgreSQL: 0, Chromium: 0 };
  for (const { part, ms } of newest.values()) parts[part] += ms;
  return parts;
}

function print(rows: Record<string, number>, elapsedMs: number): void {
  const seconds = (ms: number) => (ms / 1000).toFixed(0).padStart(6);
  const lines = Object.entries(rows).map(([name, ms]) => `  ${name.padEnd(20)}${seconds(ms)} s`);
  process.stderr.write(`\nProcessor time\n${lines.join("\n")}\n  ${"time passed".padEnd(20)}${seconds(elapsedMs)} s\n`);
}
