/**
 * The layout of BACKUP_DIR. Each cluster has a folder of its own, and so has a restored or copied one, so that two of them never
 * write the same WAL file. In it are base backups, named by the time of their end, and `wal`, the WAL archive.
 */
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { type Account, canReach } from "../embedded/account.ts";
import type { Settings } from "../embedded/settings.ts";
import { writeDurably } from "./files.ts";

/** In the cluster: the name of its folder in BACKUP_DIR, and the inode of the cluster, which a copy does not have. Not part of a backup. */
export const nameFile = "botstead.archive";

/** A base backup. Its name sorts by time. */
export type Backup = { name: string; folder: string; endedAt: Date; wal: string };

const backupName = /^\d{8}T\d{9}Z$/;
/** The longest time that a commit waits for its WAL to be archived, in seconds. */
const archiveTimeout = "300";

/**
 * Creates the cluster's folder in BACKUP_DIR, if it is missing, and returns it.
 *
 * @param progress receives a sentence if the cluster is a copy, which gets a folder of its own
 * @throws Error if BACKUP_DIR is in the data folder, or the user of PostgreSQL cannot reach it
 */
export function archiveFor(
  backupDir: string,
  cluster: string,
  account: Account | undefined,
  progress: (sentence: string) => void = () => {},
): string {
  requireOutside(backupDir, dirname(cluster));
  const root = createFor(account, backupDir);
  if (account && !canReach(account, root)) {
    throw new Error(`The user with id ${account.uid}, which PostgreSQL runs as, cannot reach BACKUP_DIR, ${root}.`);
  }
  const folder = createFor(account, join(root, nameOf(cluster, progress)));
  createFor(account, join(folder, "wal"));
  return folder;
}

/** A copy would write WAL files under names that the original has written already, and PostgreSQL then archives no more. */
function nameOf(cluster: string, progress: (sentence: string) => void): string {
  const file = join(cluster, nameFile);
  const inode = String(statSync(cluster).ino);
  const [stored = "", owner = inode] = existsSync(file) ? readFileSync(file, "utf8").trim().split(" ") : [];
  const isCopy = stored !== "" && owner !== inode;
  if (isCopy) progress("This data folder is a copy, so its WAL archive begins in a new folder: take a backup");
  const name = stored === "" || isCopy ? `${compact(new Date())}-${process.pid}` : stored;
  const content = `${name} ${inode}\n`;
  if (!existsSync(file) || readFileSync(file, "utf8") !== content) writeDurably(file, content);
  return name;
}

/** A backup in the data folder is lost with it. */
function requireOutside(backupDir: string, dataDir: string): void {
  let existing = resolve(backupDir);
  while (!existsSync(existing)) existing = dirname(existing);
  if (!`${realpathSync(existing)}${sep}`.startsWith(`${realpathSync(dataDir)}${sep}`)) return;
  throw new Error(`BACKUP_DIR, ${backupDir}, is in the data folder: choose a folder elsewhere, on another disk.`);
}

function createFor(account: Account | undefined, folder: string): string {
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) && account) chownSync(folder, account.uid, account.gid);
  return realpathSync(folder);
}

/** PostgreSQL's own module writes each WAL file under another name, flushes it and renames it. */
export function archiveSettings(folder: string): Settings {
  return {
    archive_mode: "on",
    archive_library: "basic_archive",
    "basic_archive.archive_directory": join(folder, "wal"),
    archive_timeout: archiveTimeout,
  };
}

/** A name for a backup that ended then. Rounded up, so that its time is never before its end. */
export function nameAt(endedAt: Date): string {
  return compact(new Date(endedAt.getTime() + 1));
}

/** All complete backups, the oldest first. */
export function listBackups(backupDir: string): Backup[] {
  const folders = (path: string) =>
    existsSync(path) ? readdirSync(path).filter((name) => statSync(join(path, name)).isDirectory()) : [];
  return folders(backupDir)
    .flatMap((archive) =>
      folders(join(backupDir, archive))
        .filter((name) => backupName.test(name))
        .map((name) => ({
          name: `${archive}/${name}`,
          folder: join(backupDir, archive, name),
          endedAt: timeOf(name),
          wal: join(backupDir, archive, "wal"),
        })),
    )
    .sort((one, other) => one.endedAt.getTime() - other.endedAt.getTime());
}

const compact = (time: Date) => time.toISOString().replaceAll(/[-:.]/g, "");
const timeOf = (name: string) => new Date(name.replace(/^(....)(..)(..)T(..)(..)(..)(...)Z$/, "$1-$2-$3T$4:$5:$6.$7Z"));
