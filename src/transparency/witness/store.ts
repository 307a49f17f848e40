/**
 * The checkpoints that a witness has cosigned: one file for each log, one JSON line for each checkpoint. A line counts
 * once it is complete and on disk.
 */
import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";

/** @param note with the signatures of log and witness */
export type Stored = { at: string; size: number; root: string; note: string };

/** A line that was cut off by a crash was never answered, and is left out. @throws Error if another line is damaged */
export function readStored(file: string): Stored[] {
  return completeLines(file).map((line) => JSON.parse(line) as Stored);
}

function completeLines(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n").slice(0, -1);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

export type Store = { last(origin: string): Stored | undefined; add(origin: string, stored: Stored): void };

export function openStore(folder: string): Store {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const fileOf = (origin: string) => join(folder, `${encodeURIComponent(origin)}.jsonl`);
  const logs = new Map<string, { last: Stored | undefined; bytes: number }>();
  /** Reads a file once. `bytes` is the length of its complete lines. */
  const logOf = (origin: string) => {
    const known = logs.get(origin);
    if (known) return known;
    const lines = completeLines(fileOf(origin));
    const [last] = lines.slice(-1).map((line) => JSON.parse(line) as Stored);
    const log = { last, bytes: lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0) };
    logs.set(origin, log);
    return log;
  };
  return {
    last: (origin) => logOf(origin).last,
    add(origin, stored) {
      const { bytes } = logOf(origin);
      const line = Buffer.from(`${JSON.stringify(stored)}\n`);
      const file = openSync(fileOf(origin), "a", 0o600);
      try {
        ftruncateSync(file, bytes); // removes what a crash or a full disk cut off
        writeSync(file, line);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      logs.set(origin, { last: stored, bytes: bytes + line.length });
    },
  };
}
