/**
 * The folder for temporary files of a run. In memory if possible: the tests create and delete a few hundred files for
 * each database, and ext4 searches long for an inode after many were deleted.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";

const memory = "/dev/shm";
/** The tests use up to 1 GiB, and leave the rest to programs. */
const neededBytes = 4 * 2 ** 30;
const prefix = "botstead-tests-";

let folder: string | undefined;

/** Sets TMPDIR, which test files and their programs inherit. Without enough memory TMPDIR stays as it is. */
export function setTemporaryFolder(): void {
  if (!hasRoom()) return;
  for (const name of readdirSync(memory).filter((name) => name.startsWith(prefix))) {
    if (!isRunning(Number(name.slice(prefix.length)))) removeQuietly(join(memory, name)); // a killed run left it
  }
  const made = join(memory, `${prefix}${process.pid}`);
  mkdirSync(made);
  chmodSync(made, 0o1777); // as /tmp: PostgreSQL runs as another user if the tests run as root
  folder = made;
  if (mayExecute(made)) process.env.TMPDIR = made;
}

export function removeTemporaryFolder(): void {
  if (folder) rmSync(folder, { recursive: true, force: true });
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return Math.min(bavail * bsize, freemem()) >= neededBytes;
  } catch {
    return false; // not Linux
  }
}

/** Containers often mount /dev/shm with noexec, and some tests run programs that they wrote. */
function mayExecute(folder: string): boolean {
  const program = join(folder, "true");
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
  return spawnSync(program).status === 0;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Another user's folder stays. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {}
}
