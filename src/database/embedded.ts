import { mkdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { accountFor, giveTo } from "./embedded/account.ts";
import { findBinaries } from "./embedded/binaries.ts";
import { hasCluster, makeCluster } from "./embedded/cluster.ts";
import { askVersion, urlAt } from "./embedded/connection.ts";
import { type FolderLock, lockFolder } from "./embedded/folder-lock.ts";
import { clearPostmaster, readPostmaster, worksOn } from "./embedded/postmaster.ts";
import { end, launch, type Running } from "./embedded/server.ts";
import type { Settings } from "./embedded/settings.ts";

export { DataFolderInUse } from "./embedded/folder-lock.ts";

/** PostgreSQL as a child of this process. */
export type EmbeddedServer = {
  /** The superuser's url, with its password, of the database `postgres`. */
  url: string;
  port: number;
  /** Such as `18.4`. */
  version: string;
  /** Ends the server, cutting off whoever is still connected, and frees the data folder. May be called again. */
  stop(): Promise<void>;
  /** Resolves when the server ended without `stop()`; the data folder is free again then. Pending otherwise. */
  lost: Promise<void>;
};

/**
 * Starts the cluster in `<dataDir>/postgres` on a free port of 127.0.0.1, making it first when it is not there (1 s
 * then, else 0.1 s). Its log is appended to `<dataDir>/postgres.log`. What a killed process left behind is set right.
 *
 * @param options.password the superuser's; the one that the cluster was made with, from then on
 * @param options.port to listen on instead of a free one: a server that was lost comes back where its clients look
 * @param options.settings by PostgreSQL's names, added to ours or in their stead
 * @param options.progress is told in a sentence what takes time
 * @throws {DataFolderInUse} when another start has the data folder
 * @throws Error in one sentence for whatever else is wrong, with the end of the log if the server does not come up
 */
export async function startEmbedded(options: {
  dataDir: string;
  password: string;
  settings?: Settings;
  port?: number;
  progress?: (sentence: string) => void;
}): Promise<EmbeddedServer> {
  if (process.platform === "win32") {
    // Its processes know no signals, on which an orderly end depends.
    throw new Error("The embedded PostgreSQL runs on Linux and macOS: on Windows use WSL, or a server of your own.");
  }
  const { dataDir, password, settings = {}, port, progress = () => {} } = options;
  const folder = makeFolder(dataDir);
  const cluster = join(folder, "postgres");
  const account = accountFor(cluster);
  const lock = await lockFolder(folder);
  try {
    const binaries = findBinaries(account);
    if (hasCluster(cluster, binaries.version)) {
      if (account && statSync(cluster).uid === 0) giveTo(account, cluster); // restored by root from a backup, say
      await clearPostmaster(cluster, progress);
    } else {
      progress(`Making a new database in ${cluster}`);
      await makeCluster(cluster, { binaries, account, password });
    }
    progress(`Starting PostgreSQL ${binaries.version}`);
    const log = join(folder, "postgres.log");
    return guard(await launch({ binaries, account, cluster, log, password, settings, port, progress }), lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

function makeFolder(dataDir: string): string {
  try {
    mkdirSync(dataDir, { recursive: true });
    return realpathSync(dataDir);
  } catch (error) {
    throw new Error(`The data folder ${dataDir} cannot be made: ${(error as Error).message}.`, { cause: error });
  }
}

function guard({ child, ...server }: Running, lock: FolderLock): EmbeddedServer {
  // Nothing can be awaited in an exit that nobody planned, but the server can be told; it ends in order by itself.
  const tell = () => void child.kill("SIGINT");
  process.once("exit", tell);
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= end(child).finally(() => lock.release());
    return stopping;
  };
  const lost = new Promise<void>((resolve) => {
    const onExit = () => {
      process.off("exit", tell);
      if (stopping) return;
      lock.release();
      resolve();
    };
    // It may have ended between its first answer and now.
    if (child.exitCode !== null || child.signalCode !== null) onExit();
    else child.once("exit", onExit);
  });
  return { ...server, stop, lost };
}

/**
 * The superuser's url of the server that runs on this data folder now, whichever process started it; undefined when
 * none does. Waits up to 10 s for one that is just starting. For command-line tools beside `npm start`.
 *
 * @throws Error in one sentence when the data folder may not be read, or the password is another
 */
export async function findEmbedded(options: { dataDir: string; password: string }): Promise<string | undefined> {
  const cluster = join(options.dataDir, "postgres");
  for (const end = Date.now() + 10_000; ; await sleep(50)) {
    const postmaster = readPostmaster(cluster);
    if (!postmaster || !worksOn(cluster, postmaster.pid)) return undefined;
    const url = urlAt(postmaster.port, options.password);
    if (postmaster.isReady && (await askVersion(url))) return url;
    if (Date.now() > end) throw new Error(`The database in ${cluster} runs but takes no connections.`);
  }
}
