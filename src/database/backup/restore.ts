/**
 * Restores a base backup and replays the WAL archive, in a folder beside the cluster's. The cluster appears in its place
 * when it is complete, so an interrupted restore leaves no database.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { accountFor, canReach, giveTo } from "../embedded/account.ts";
import { lockFolder } from "../embedded/folder-lock.ts";
import { clearPostmaster } from "../embedded/postmaster.ts";
import type { Settings } from "../embedded/settings.ts";
import { type EmbeddedServer, startEmbedded } from "../embedded.ts";
import type { Backup } from "./archive.ts";
import { digestFile, syncFolder, walk } from "./files.ts";
import { readManifest } from "./manifest.ts";

const temporary = "restore.new-";

const otherMasterKey =
  "The backup has another master key. Set MASTER_KEY to that key. If it is lost, run: botstead restore --lost-master-key";

export type Restore = {
  backup: Backup;
  dataDir: string;
  password: string;
  /** Sets that password, because the backup's is lost. */
  replacesPassword: boolean;
  /** Replay transactions that committed until then. Undefined: all of the archive. */
  until?: Date | undefined;
  progress: (sentence: string) => void;
  /** Called with the recovered server, before it takes its place. */
  examine: (url: string) => Promise<void>;
};

/**
 * @throws {DataFolderInUse} if a process uses the data folder
 * @throws Error if the data folder has a database, a file of the backup is damaged, or recovery fails
 */
export async function restoreBackup(restore: Restore): Promise<void> {
  const { backup, dataDir, password, replacesPassword, until, progress, examine } = restore;
  mkdirSync(dataDir, { recursive: true });
  const folder = realpathSync(dataDir);
  const lock = await lockFolder(folder);
  try {
    const cluster = join(folder, "postgres");
    if (existsSync(cluster)) throw new Error(`The folder ${cluster} exists: move it away first, then restore.`);
    for (const name of readdirSync(folder)) {
      if (!name.startsWith(temporary)) continue;
      await clearPostmaster(join(folder, name, "postgres"), progress); // of a killed restore
      rmSync(join(folder, name), { recursive: true });
    }
    const draft = mkdtempSync(join(folder, temporary));
    try {
      progress(`Copying backup ${backup.name}`);
      copyBackup(backup.folder, join(draft, "postgres"));
      progress("Replaying the WAL archive");
      const settings = recoverySettings(backup, join(draft, "postgres"), until);
      const begin = () => startEmbedded({ dataDir: draft, password, replacesPassword, settings, progress });
      const server = await recover(begin, until);
      try {
        await examine(server.url);
      } finally {
        await server.stop();
      }
      renameSync(join(draft, "postgres"), cluster);
      syncFolder(folder);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  } finally {
    lock.release();
  }
}

/** Checks each file while it is copied. */
function copyBackup(from: string, to: string): void {
  const files = readManifest(from);
  mkdirSync(to, { mode: 0o700 });
  for (const { path, isFolder } of walk(from, () => false)) {
    if (isFolder) mkdirSync(join(to, path), { mode: 0o700 });
  }
  for (const { path, size, sha256 } of files) {
    if (!existsSync(join(from, path))) throw new Error(`The backup is damaged: ${path} is missing.`);
    const copied = digestFile(join(from, path), join(to, path));
    if (copied.size !== size || copied.sha256 !== sha256) throw new Error(`The backup is damaged: ${path} differs.`);
  }
  writeFileSync(join(to, "recovery.signal"), "", { mode: 0o600, flush: true });
}

function recoverySettings({ wal }: Backup, cluster: string, until: Date | undefined): Settings {
  const account = accountFor(cluster);
  if (account && existsSync(wal)) {
    giveTo(account, wal); // an archive that root copied from another machine
    if (!canReach(account, wal)) {
      throw new Error(`The user with id ${account.uid}, which PostgreSQL runs as, cannot reach ${wal}.`);
    }
  }
  const quoted = `'${wal.replaceAll("'", `'\\''`).replaceAll("%", "%%")}'`;
  return {
    restore_command: `cp ${quoted}/%f "%p"`,
    recovery_target_action: "promote",
    hot_standby: "off",
    ...(until ? { recovery_target_time: until.toISOString().replace("Z", "+00") } : {}),
  };
}

async function recover(start: () => Promise<EmbeddedServer>, until: Date | undefined): Promise<EmbeddedServer> {
  try {
    return await start();
  } catch (error) {
    const { message, cause } = error as Error;
    if (until && /recovery ended before configured recovery target/.test(String(cause))) {
      throw new Error(
        `The WAL archive has no transaction after ${until.toISOString()}. Restore without --to-time for all of it.`,
        { cause },
      );
    }
    if ((cause as { code?: string } | undefined)?.code === "28P01") throw new Error(otherMasterKey, { cause });
    throw new Error(message.replace(/ Its log is .*/, ""), { cause }); // the log is removed with the draft
  }
}
