import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Account } from "./account.ts";
import { type Binaries, ENVIRONMENT } from "./binaries.ts";
import { nameFor } from "./cluster.ts";
import { askVersion, urlAt } from "./connection.ts";
import { guardServer } from "./guardian.ts";
import { freePort } from "./port.ts";
import { endServer, folderMark, readPostmaster } from "./postmaster.ts";
import { reasonIn } from "./reason.ts";
import { type Settings, settingArguments } from "./settings.ts";

type Launch = {
  binaries: Binaries;
  account: Account | undefined;
  cluster: string;
  /** The server's log is appended to this file. */
  log: string;
  password: string;
  settings: Settings;
  /** Undefined: a free one. */
  port: number | undefined;
  progress: (sentence: string) => void;
};

/** A server that accepts connections. */
export type Running = { child: ChildProcess; url: string; port: number; version: string };

/**
 * Starts the server and waits until it accepts connections, without a time-out, since crash recovery can take long.
 *
 * @throws Error with the end of the log as cause, if the server ends meanwhile
 */
export const launch = (options: Launch): Promise<Running> => onceFree(() => launchOnce(options));

/**
 * Retries a start of PostgreSQL for 10 s if another program took the port meanwhile, or children of a killed server still
 * use its shared memory. The error's cause says so.
 */
export async function onceFree<T>(begin: () => Promise<T>): Promise<T> {
  for (const end = Date.now() + 10_000; ; await sleep(100)) {
    try {
      return await begin();
    } catch (error) {
      const passes = /could not bind|pre-existing shared memory block/.test(String((error as Error).cause));
      if (!passes || Date.now() > end) throw error;
    }
  }
}

async function launchOnce({
  binaries,
  account,
  cluster,
  log,
  password,
  settings,
  port: wanted,
  progress,
}: Launch): Promise<Running> {
  const port = wanted ?? (await freePort());
  const url = urlAt(port, password);
  const file = openSync(log, "a+", 0o600);
  const { size: start } = fstatSync(file);
  const args = settingArguments(settings, { ...folderMark(cluster), port: String(port) });
  const child = spawn(binaries.postgres, ["-D", nameFor(account, cluster), ...args], {
    cwd: cluster,
    // A session of its own: Ctrl-C signals the whole process group and would end the server before the requests in
    // progress.
    detached: true,
    stdio: ["ignore", file, file],
    env: ENVIRONMENT,
    ...account,
  });
  if (child.pid !== undefined) child.once("exit", guardServer(child.pid, account));
  let refusal: Error | undefined;
  child.once("error", (error) => {
    refusal = error;
  });
  try {
    for (let noticeAt = Date.now() + 5_000; ; await sleep(20)) {
      if (refusal || hasEnded(child)) {
        const said = refusal?.message ?? tail(file, start);
        const sentence = `PostgreSQL did not start: ${reasonIn(said) ?? "it ended without a reason"}. Its log is ${log}.`;
        throw new Error(sentence, { cause: said });
      }
      // An attempt before the server is ready would log a line each time, so PostgreSQL's own file shows when.
      const noted = readPostmaster(cluster);
      const version = noted?.isReady && noted.pid === child.pid ? await askVersion(url) : undefined;
      if (version && !hasEnded(child)) return { child, url, port, version };
      if (Date.now() > noticeAt) {
        noticeAt = Number.POSITIVE_INFINITY;
        progress("PostgreSQL is recovering after an unclean shutdown, which can take minutes");
      }
    }
  } catch (error) {
    if (!refusal) await end(child);
    throw error;
  } finally {
    closeSync(file);
  }
}

/**
 * Ends our own server. The checkpoint can take 10 s on a slow disk. A fast shutdown during a restart after a crash can
 * hang (seen with 18.4); the immediate shutdown then ends it.
 */
export function end(child: ChildProcess): Promise<void> {
  return endServer(
    (signal) => child.kill(signal),
    () => hasEnded(child),
    { fast: 10_000, immediate: 10_000 },
  );
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** The log of this start, at most the last 4,000 bytes. */
function tail(file: number, start: number): string {
  const { size } = fstatSync(file);
  const from = Math.max(start, size - 4_000);
  const bytes = Buffer.alloc(size - from);
  readSync(file, bytes, 0, bytes.length, from);
  return bytes.toString("utf8").trim();
}
