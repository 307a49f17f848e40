/**
 * The checkpoints that a witness has cosigned: one file for each log, one JSON line for each checkpoint. A line counts
 * once it is complete and on disk.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, truncateSync, writeSync } from "node:fs";
import { join } from "node:path";

/** @param note with the signature of the log and that of the witness */
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
  const latest = new Map<string, Stored | undefined>();
  const fileOf = (origin: string) => join(folder, `${encodeURIComponent(origin)}.jsonl`);
  return {
    last(origin) {
      if (!latest.has(origin)) latest.set(origin, readStored(fileOf(origin)).at(-1));
      return latest.get(origin);
    },
    add(origin, stored) {
      const file = fileOf(origin);
      const complete = completeLines(file).map((line) => `${line}\n`);
      const entry = openSync(file, "a", 0o600);
      try {
        truncateSync(file, Buffer.byteLength(complete.join("")));
        writeSync(entry, `${JSON.stringify(stored)}\n`);
        fsyncSync(entry);
      } finally {
        closeSync(entry);
      }
      latest.set(origin, stored);
    },
  };
}
