import { mkdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { archiveFor, archiveSettings } from "./backup/archive.ts";
import { accountFor, giveTo } from "./embedded/account.ts";
import { findBinaries } from "./embedded/binaries.ts";
import { createCluster, hasCluster } from "./embedded/cluster.ts";
import { askVersion, limitSessionLogs, urlAt } from "./embedded/connection.ts";
import { type FolderLock, lockFolder } from "./embedded/folder-lock.ts";
import { storedPort, storePort } from "./embedded/port.ts";
import { clearPostmaster, readPostmaster, runsOn } from "./embedded/postmaster.ts";
import { end, launch, type Running } from "./embedded/server.ts";
import { fixed, type Settings } from "./embedded/settings.ts";
import { replacePassword } from "./embedded/single-user.ts";

export { DataFolderInUse, requireNoHolder, wasKilled } from "./embedded/folder-lock.ts";

/** PostgreSQL as a child of this process. */
export type EmbeddedServer = {
  /** The superuser's URL of the database `postgres`, with password. */
  url: string;
  port: number;
  /** Such as `18.4`. */
  version: string;
  /** Ends the server and its connections, and frees the data folder. May be called again. */
  stop(): Promise<void>;
  /** Resolves when the server ends without `stop()`, after the data folder is free again. */
  lost: Promise<void>;
};

/**
 * Starts the cluster in `<dataDir>/postgres` on 127.0.0.1 and creates it first if it is missing (1 s, else 0.1 s). The
 * first start chooses a free port; later starts reuse it. The log is `<dataDir>/postgres.log`. Cleans up after a killed
 * process.
 *
 * @param options.password of the superuser; must equal the password that the cluster was created with
 * @param options.replacesPassword sets that password first, because the former one is lost
 * @param options.backupDir archives WAL there
 * @param options.port instead of the stored one, so that clients find a restarted server
 * @param options.settings by PostgreSQL's names, in addition to the defaults or instead of them
 * @param options.progress receives a sentence for each slow step
 * @throws {DataFolderInUse} if another process uses the data folder
 * @throws Error with the end of the log if the server does not start
 */
export async function startEmbedded(options: {
  dataDir: string;
  password: string;
  replacesPassword?: boolean;
  backupDir?: string | undefined;
  settings?: Settings;
  port?: number;
  progress?: (sentence: string) => void;
}): Promise<EmbeddedServer> {
  if (process.platform === "win32") {
    // Windows has no signals, which an orderly shutdown needs.
    throw new Error("The embedded PostgreSQL runs on Linux and macOS: on Windows use WSL, or a server of your own.");
  }
  const { dataDir, password, backupDir, port, progress = () => {} } = options;
  const folder = createFolder(dataDir);
  const cluster = join(folder, "postgres");
  const account = accountFor(cluster);
  const lock = await lockFolder(folder);
  try {
    const binaries = findBinaries(account);
    if (hasCluster(cluster, binaries.version)) {
      if (account && statSync(cluster).uid === 0) giveTo(account, cluster); // for example restored by root from a backup
      await clearPostmaster(cluster, progress);
    } else {
      progress(`Creating a database in ${cluster}`);
      await createCluster(cluster, { binaries, account, password });
    }
    const archiving = backupDir ? archiveSettings(archiveFor(backupDir, cluster, account, progress)) : {};
    const settings = { ...archiving, ...options.settings };
    if (options.replacesPassword) {
      progress("Replacing the administrator's password");
      await replacePassword({ binaries, account, cluster, password, settings: { ...settings, ...fixed } });
    }
    progress(`Starting PostgreSQL ${binaries.version}`);
    const log = join(folder, "postgres.log");
    const wanted = port ?? (await storedPort(folder, progress));
    const running = await launch({
      ...{ binaries, account, cluster, log, password, progress },
      settings: { ...settings, ...fixed },
      port: wanted,
    });
    await limitSessionLogs(running.url);
    storePort(folder, running.port);
    return guard(running, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

function createFolder(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true });
  return realpathSync(dataDir);
}

function guard({ child, ...server }: Running, lock: FolderLock): EmbeddedServer {
  // An exit handler cannot wait, but SIGINT makes the server shut down in order.
  const interrupt = () => void child.kill("SIGINT");
  process.once("exit", interrupt);
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= end(child).finally(() => lock.release());
    return stopping;
  };
  const lost = new Promise<void>((resolve) => {
    const onExit = () => {
      process.off("exit", interrupt);
      if (stopping) return;
      lock.release();
      resolve();
    };
    // The server may have ended since it first answered.
    if (child.exitCode !== null || child.signalCode !== null) onExit();
    else child.once("exit", onExit);
  });
  return { ...server, stop, lost };
}

/** Whether the data folder has a cluster. @throws Error of the file system if the folder is not readable */
export function hasEmbedded(dataDir: string): boolean {
  try {
    return statSync(join(dataDir, "postgres", "PG_VERSION")).isFile();
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

/**
 * The superuser's URL of the server that runs on this data folder, whichever process started it; undefined if none
 * runs. Waits up to 30 s for a server that starts or is busy.
 *
 * @throws Error if the data folder is not readable or the password is wrong
 */
export async function findEmbedded(options: { dataDir: string; password: string }): Promise<string | undefined> {
  const cluster = join(options.dataDir, "postgres");
  for (const end = Date.now() + 30_000; ; await sleep(50)) {
    const postmaster = readPostmaster(cluster);
    if (!postmaster || !runsOn(cluster, postmaster.pid)) return undefined;
    const url = urlAt(postmaster.port, options.password);
    if (postmaster.isReady && (await askVersion(url))) return url;
    if (Date.now() > end) throw new Error(`The database in ${cluster} runs but does not accept connections.`);
  }
}
