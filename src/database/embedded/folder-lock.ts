import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

/** A data folder that another living process of Botstead works on. `pid` is undefined when it could not be read. */
export class DataFolderInUse extends Error {
  readonly code = "data_folder_in_use";
  readonly pid: number | undefined;

  constructor(folder: string, pid: number | undefined) {
    super(`The data folder ${folder} is in use by ${pid ? `Botstead process ${pid}` : "another Botstead process"}.`);
    this.name = "DataFolderInUse";
    this.pid = pid;
  }
}

/** Holds the folder until `release()` or the end of this process, however it ends. */
export type FolderLock = { release(): void };

// A handle that is garbage collected closes its file, and the lock would go with it.
const held = new Set<DatabaseSync>();

/**
 * Takes the data folder for this process.
 *
 * The lock is the kernel's, on `botstead.lock`. A file with a process id in it would need guesses about which ids
 * are alive, which were given out again, and which belong to another container on the same volume; the kernel drops
 * its lock with the process, also after `kill -9` and a power cut, and gives it to one of two that ask at once.
 * Node has no call for file locks, but the SQLite in it takes one when a write transaction begins. Nothing is ever
 * written there. Beware: a process that opens and closes that file by another way loses its lock (POSIX).
 *
 * @throws {DataFolderInUse} at once, when another start, in this process or any other, has it.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const note = join(folder, "botstead.pid"); // for the refusal's sentence alone: nothing is decided by it
  const lock = beginLock(folder, note);
  if (!lock) throw new DataFolderInUse(folder, await readHolder(note));
  held.add(lock);
  return {
    release() {
      if (!held.delete(lock)) return;
      rmSync(note, { force: true });
      lock.close();
    },
  };
}

function beginLock(folder: string, note: string): DatabaseSync | undefined {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(folder, "botstead.lock"));
    lock.exec("pragma journal_mode = memory"); // no journal file beside it, whichever moment we are killed at
    // Immediate takes one lock in one step; "exclusive" takes three, and two that ask at once could both be refused.
    lock.exec("begin immediate");
    rmSync(note, { force: true }); // a left-over of another user's could not be written over
    writeFileSync(note, `${process.pid}\n`);
    return lock;
  } catch (error) {
    lock?.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined;
    throw new Error(`The data folder ${folder} cannot be locked: ${(error as Error).message}.`, { cause: error });
  }
}

const SQLITE_BUSY = 5;

/** The winner notes its id right after it has the lock; a loser may look in between, hence the short patience. */
async function readHolder(note: string): Promise<number | undefined> {
  for (let attempt = 0; attempt < 20; attempt++) {
    try {
      const pid = Number.parseInt(readFileSync(note, "utf8"), 10);
      if (pid > 0 && isAlive(pid)) return pid;
    } catch {
      // not written yet
    }
    await sleep(20);
  }
  return undefined;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
