import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive } from "./alive.ts";

/** Another Botstead process uses the data folder. `pid` is undefined if it could not be read. */
export class DataFolderInUse extends Error {
  readonly code = "data_folder_in_use";
  readonly pid: number | undefined;

  constructor(folder: string, pid: number | undefined) {
    super(`The data folder ${folder} is in use by ${pid ? `Botstead process ${pid}` : "another Botstead process"}.`);
    this.name = "DataFolderInUse";
    this.pid = pid;
  }
}

/** Locks the folder until `release()` or the end of this process. */
export type FolderLock = { release(): void };

/** Only for error messages. The lock itself decides. */
const noteName = "botstead.pid";

// A garbage-collected handle closes its file and releases the lock.
const locks = new Set<DatabaseSync>();

/**
 * Locks the data folder for this process with a kernel lock on `botstead.lock`. The kernel releases it when the process
 * ends, also after `kill -9` or a power cut. A pid file would need guesses: is the process alive, was its id reused, is
 * it in another container?
 *
 * Node has no call for file locks, but its SQLite takes one for a write transaction. Nothing is written. Warning:
 * opening and closing the file in another way in this process releases the lock (POSIX).
 *
 * @throws {DataFolderInUse} at once if another start has the lock, in this process or another
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const note = join(folder, noteName);
  const lock = beginLock(folder, note);
  if (!lock) throw new DataFolderInUse(folder, await readHolder(note));
  locks.add(lock);
  return {
    release() {
      if (!locks.delete(lock)) return;
      rmSync(note, { force: true });
      lock.close();
    },
  };
}

function beginLock(folder: string, note: string): DatabaseSync | undefined {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(folder, "botstead.lock"));
    lock.exec("pragma journal_mode = memory"); // so that a killed process leaves no journal file
    // "immediate" takes one lock in one step. "exclusive" takes three, and two concurrent starts could both fail.
    lock.exec("begin immediate");
    rmSync(note, { force: true }); // a file of another user could not be overwritten
    writeFileSync(note, `${process.pid}\n`);
    return lock;
  } catch (error) {
    lock?.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined;
    throw new Error(`The data folder ${folder} cannot be locked: ${(error as Error).message}.`, { cause: error });
  }
}

const SQLITE_BUSY = 5;

/** The holder writes its id after it has the lock, so the file can be missing for a moment. */
async function readHolder(note: string): Promise<number | undefined> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const pid = holderIn(note);
    if (pid !== undefined) return pid;
    await sleep(20);
  }
  return undefined;
}

/** @throws {DataFolderInUse} if a living process has the folder according to its note. Takes no lock. */
export function requireNoHolder(folder: string): void {
  const pid = holderIn(join(folder, noteName));
  if (pid !== undefined) throw new DataFolderInUse(folder, pid);
}

/** Whether the last process that used the folder was killed. Its children may still be ending. */
export function wasKilled(folder: string): boolean {
  const note = join(folder, noteName);
  return existsSync(note) && holderIn(note) === undefined;
}

function holderIn(note: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(note, "utf8"), 10);
    return pid > 0 && isAlive(pid) ? pid : undefined;
  } catch {
    return undefined; // not written yet
  }
}
