import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Account } from "./account.ts";
import { type Binaries, ENVIRONMENT } from "./binaries.ts";
import { nameFor } from "./cluster.ts";
import { askVersion, urlAt } from "./connection.ts";
import { endServer, folderMark, readPostmaster } from "./postmaster.ts";
import { type Settings, settingArguments } from "./settings.ts";

type Launch = {
  binaries: Binaries;
  account: Account | undefined;
  cluster: string;
  /** The file that the server's log is appended to. */
  log: string;
  password: string;
  settings: Settings;
  /** Undefined: a free one is chosen. */
  port: number | undefined;
  progress: (sentence: string) => void;
};

/** A server that accepts connections. */
export type Running = { child: ChildProcess; url: string; port: number; version: string };

/**
 * Starts the server and waits until it accepts connections: for as long as it lives, since recovery after a crash
 * takes the time that it takes. What passes by itself is tried again for 10 s: a port that another program took
 * between our choice and its use, and children of a killed server that still hold its shared memory.
 *
 * @throws Error with the end of the log when the server ends meanwhile.
 */
export async function launch(options: Launch): Promise<Running> {
  for (const end = Date.now() + 10_000; ; await sleep(100)) {
    try {
      return await launchOnce(options);
    } catch (error) {
      const passes = /could not bind|pre-existing shared memory block/.test((error as Error).message);
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
    // A session of its own: Ctrl-C in a terminal reaches the whole process group, and would end the server before the
    // program has served out its requests.
    detached: true,
    stdio: ["ignore", file, file],
    env: ENVIRONMENT,
    ...account,
  });
  let refusal: Error | undefined;
  child.once("error", (error) => {
    refusal = error;
  });
  try {
    for (let patience = Date.now() + 5_000; ; await sleep(20)) {
      if (refusal || hasEnded(child)) {
        throw new Error(`PostgreSQL did not start. ${refusal?.message ?? `The end of ${log}:\n${tail(file, start)}`}`);
      }
      // Asked before it is ready it would write a line of complaint each time: its own note tells when to ask.
      const noted = readPostmaster(cluster);
      const version = noted?.isReady && noted.pid === child.pid ? await askVersion(url) : undefined;
      if (version && !hasEnded(child)) return { child, url, port, version };
      if (Date.now() > patience) {
        patience = Number.POSITIVE_INFINITY;
        progress("PostgreSQL is still recovering from its last end; this can take minutes");
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
 * Ends our own server. Ten seconds are for the shutdown checkpoint on a slow disk; and a server that is asked right
 * amid a restart after a crash of its own can wait for ever (seen with 18.4), until it is told to end immediately.
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

/** A port that is free now. Another program may be faster to take it; `launch` then tries another. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", resolve);
  });
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}

/** What this start wrote to the log, at most the last 4,000 bytes. */
function tail(file: number, start: number): string {
  const { size } = fstatSync(file);
  const from = Math.max(start, size - 4_000);
  const bytes = Buffer.alloc(size - from);
  readSync(file, bytes, 0, bytes.length, from);
  return bytes.toString("utf8").trim();
}
