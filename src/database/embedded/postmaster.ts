import { spawnSync } from "node:child_process";
import { closeSync, constants, ftruncateSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Content of `postmaster.pid`. `pid` is NaN for a truncated file; `isReady` once the server accepts connections. */
type Postmaster = { pid: number; port: number; isReady: boolean; lines: string[] };

/** The `postmaster.pid` of the current or last server of the cluster; undefined without the file. */
export function readPostmaster(cluster: string): Postmaster | undefined {
  try {
    const lines = readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n");
    const [pid, , , port, , , , status] = lines;
    return { pid: Number.parseInt(pid ?? "", 10), port: Number(port), isReady: status?.trim() === "ready", lines };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new Error(`Cannot read whether a database runs in ${cluster}: ${code}.`, { cause: error });
  }
}

/** A setting without effect, by which the process list shows the server's data folder, also after a move. */
export function folderMark(cluster: string): { "botstead.folder": string } {
  const { dev, ino } = statSync(cluster, { bigint: true });
  return { "botstead.folder": `${dev}:${ino}` };
}

/**
 * Whether process `pid` is a postgres of this cluster. Process ids are reused. A container's root may not read another
 * user's working directory, but every user can read the command line, so that is checked first.
 */
export function runsOn(cluster: string, pid: number): boolean {
  if (!(pid > 0)) return false;
  const command = commandOf(pid);
  if (command.includes(` botstead.folder=${folderMark(cluster)["botstead.folder"]} `)) return true;
  if (!/^\S*postgres\b/.test(command)) return false;
  try {
    const [theirs, ours] = [statSync(`/proc/${pid}/cwd`), statSync(cluster)];
    return theirs.dev === ours.dev && theirs.ino === ours.ino;
  } catch {
    return false; // ended meanwhile, not permitted, or a system without /proc
  }
}

/** The command line, each argument followed by a space; empty for an ended process or a zombie. */
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

/** Time-outs in ms. A fast shutdown writes a checkpoint, an immediate shutdown does not. */
type ShutdownTimeouts = { fast: number; immediate: number };

/**
 * Ends a server: fast shutdown, then immediate shutdown (no committed transaction is lost), then SIGKILL.
 *
 * @throws Error if it still runs 5 s after SIGKILL
 */
export async function endServer(
  send: (signal: NodeJS.Signals) => void,
  isGone: () => boolean,
  timeouts: ShutdownTimeouts,
) {
  const steps = [
    ["SIGINT", timeouts.fast],
    ["SIGQUIT", timeouts.immediate],
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
 * Prepares the cluster for a start. Only for the holder of the folder's lock: a server that still runs there is an
 * orphan of a killed process, and is ended.
 */
export async function clearPostmaster(cluster: string, progress: (sentence: string) => void): Promise<void> {
  const pid = readPostmaster(cluster)?.pid ?? 0;
  if (runsOn(cluster, pid)) {
    progress("Stopping the database server of a killed process");
    const send = (signal: NodeJS.Signals) => void process.kill(pid, signal);
    await endServer(ignoringMissing(send), () => !runsOn(cluster, pid), { fast: 5_000, immediate: 7_000 });
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
 * PostgreSQL refuses to start while any process has the id in a left-over `postmaster.pid`. Deleting the file would
 * also skip its check of shared memory that a child of the dead server may still use. It ignores the id of its own
 * parent, so we write ours.
 */
function disownPostmaster(cluster: string): void {
  const left = readPostmaster(cluster);
  if (!left || left.pid < 0) return; // negative: a single-user session
  const path = join(cluster, "postmaster.pid");
  if (Number.isNaN(left.pid)) {
    rmSync(path);
    return;
  }
  // The server's user owns the folder and could have placed a link here for root to follow.
  const file = openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW);
  ftruncateSync(file);
  writeSync(file, [process.pid, ...left.lines.slice(1)].join("\n"));
  closeSync(file);
}
