import { spawnSync } from "node:child_process";
import { closeSync, constants, ftruncateSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** What a server writes of itself. `pid` is NaN in a file cut short; `isReady` once it accepts connections. */
type Postmaster = { pid: number; port: number; isReady: boolean; lines: string[] };

/** What `postmaster.pid` says of the server that runs on the cluster or last did; undefined without such a file. */
export function readPostmaster(cluster: string): Postmaster | undefined {
  try {
    const lines = readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n");
    const [pid, , , port, , , , status] = lines;
    return { pid: Number.parseInt(pid ?? "", 10), port: Number(port), isReady: status?.trim() === "ready", lines };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new Error(`Whether a database runs in ${cluster} cannot be read: ${code}.`, { cause: error });
  }
}

/** A setting without effect, by which the process list shows whose data folder a server works on, also after a move. */
export function folderMark(cluster: string): { "botstead.folder": string } {
  const { dev, ino } = statSync(cluster, { bigint: true });
  return { "botstead.folder": `${dev}:${ino}` };
}

/**
 * Whether process `pid` is a postgres that works on this very cluster. Ids are given out again, so a number in a file
 * proves nothing. The working directory would be proof enough, but a container's root may not read another user's:
 * the command line, which all may read, tells first.
 */
export function worksOn(cluster: string, pid: number): boolean {
  if (!(pid > 0)) return false;
  const command = commandOf(pid);
  if (command.includes(` botstead.folder=${folderMark(cluster)["botstead.folder"]} `)) return true;
  if (!/^\S*postgres\b/.test(command)) return false;
  try {
    const [theirs, ours] = [statSync(`/proc/${pid}/cwd`), statSync(cluster)];
    return theirs.dev === ours.dev && theirs.ino === ours.ino;
  } catch {
    return false; // gone meanwhile, not ours to look into, or a system without /proc
  }
}

/** The command line, each argument followed by a space; empty for a process that is gone or awaits burial. */
function commandOf(pid: number): string {
  if (process.platform !== "linux") {
    const { stdout } = spawnSync("/bin/ps", ["-ww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" });
    return stdout ? `${stdout.trim()} ` : "";
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

/** How long each way of asking may take, in ms. A fast shutdown writes a checkpoint; an immediate one does not. */
type Patience = { fast: number; immediate: number };

/**
 * Ends a server: a fast shutdown, then an immediate one (nothing committed is lost, the next start recovers), then
 * SIGKILL.
 *
 * @throws Error in one sentence when it is still there 5 s after that.
 */
export async function endServer(send: (signal: NodeJS.Signals) => void, isGone: () => boolean, patience: Patience) {
  const steps = [
    ["SIGINT", patience.fast],
    ["SIGQUIT", patience.immediate],
    ["SIGKILL", 5_000],
  ] as const;
  for (const [signal, wait] of steps) {
    if (isGone()) return;
    send(signal);
    for (const end = Date.now() + wait; Date.now() < end; await sleep(20)) if (isGone()) return;
  }
  throw new Error("PostgreSQL does not end, not even by SIGKILL.");
}

/**
 * Makes the cluster free for a start. Only for the holder of the data folder's lock: a server that still runs there
 * is then an orphan, whose Node was killed, and is ended. A process of another kind that has its id by now is left
 * alone.
 */
export async function clearPostmaster(cluster: string, progress: (sentence: string) => void): Promise<void> {
  const pid = readPostmaster(cluster)?.pid ?? 0;
  if (worksOn(cluster, pid)) {
    progress("Recovering the database that a killed process left running");
    const send = (signal: NodeJS.Signals) => void process.kill(pid, signal);
    await endServer(ignoringMissing(send), () => !worksOn(cluster, pid), { fast: 5_000, immediate: 7_000 });
  }
  disownPostmaster(cluster);
}

function ignoringMissing(send: (signal: NodeJS.Signals) => void) {
  return (signal: NodeJS.Signals) => {
    try {
      send(signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  };
}

/**
 * PostgreSQL refuses to start while any process has the id in a left-over `postmaster.pid`, be it a zombie. Deleting
 * the file would also end its check that no child of the dead server is still in the shared memory named there. An id
 * that is its parent's it takes for stale and goes on to that check: so we write our own.
 */
function disownPostmaster(cluster: string): void {
  const left = readPostmaster(cluster);
  if (!left || left.pid < 0) return; // below zero it is somebody's single-user session: theirs to end
  const path = join(cluster, "postmaster.pid");
  if (Number.isNaN(left.pid)) {
    rmSync(path);
    return;
  }
  // The folder is the server's user's, who could have laid a link here for root to write through.
  const file = openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW);
  ftruncateSync(file);
  writeSync(file, [process.pid, ...left.lines.slice(1)].join("\n"));
  closeSync(file);
}
