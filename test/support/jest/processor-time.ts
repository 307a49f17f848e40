/** Jest's reporter of processor time: prints a table of what a run used. On Linux only, which reports it in /proc. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresCpuMs } from "../../../bench/cpu.ts";
import { clusterVariable } from "../cluster.ts";
import { type Note, noteOwnProcessorTime, notesVariable, type Part } from "./processor-notes.ts";

export default class ProcessorTime {
  readonly #started = performance.now();
  readonly #folder = existsSync("/proc/self/stat")
    ? mkdtempSync(join(tmpdir(), "botstead-processor-time-"))
    : undefined;

  onRunStart(): void {
    if (this.#folder) process.env[notesVariable] = join(this.#folder, "notes.jsonl");
  }

  /** The processes of test files have ended, and the PostgreSQL of all tests still runs. */
  onRunComplete(): void {
    if (!this.#folder) return;
    noteOwnProcessorTime();
    const { dataDir } = JSON.parse(process.env[clusterVariable] ?? "{}");
    const shared = dataDir ? (postgresCpuMs(dataDir) ?? 0) : 0;
    const parts = sums(readFileSync(join(this.#folder, "notes.jsonl"), "utf8"));
    // Servers of test files are programs that the file waited for, too.
    parts["programs under test"] = Math.max(parts["programs under test"] - parts.PostgreSQL, 0);
    parts.PostgreSQL += shared;
    print(parts, performance.now() - this.#started);
    rmSync(this.#folder, { recursive: true });
    delete process.env[notesVariable];
  }
}

function sums(notes: string): Record<Part, number> {
  const newest = new Map<string, Note>();
  for (const line of notes.trim().split("\n")) {
    const entry = JSON.parse(line) as Note;
    newest.set(`${entry.part} ${entry.of}`, entry);
  }
  const parts = { jest: 0, PostgreSQL: 0, Chromium: 0, "programs under test": 0 };
  for (const { part, ms } of newest.values()) parts[part] += ms;
  return parts;
}

function print(rows: Record<string, number>, elapsedMs: number): void {
  const seconds = (ms: number) => (ms / 1000).toFixed(0).padStart(6);
  const all = Object.values(rows).reduce((sum, ms) => sum + ms, 0);
  const lines = Object.entries({ ...rows, all }).map(([name, ms]) => `  ${name.padEnd(20)}${seconds(ms)} s`);
  process.stderr.write(`\nProcessor time\n${lines.join("\n")}\n  ${"time passed".padEnd(20)}${seconds(elapsedMs)} s\n`);
}
