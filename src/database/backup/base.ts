/**
 * Takes a base backup of a running server by PostgreSQL's low-level functions, since the embedded distribution has no
 * pg_basebackup. The backup includes the WAL of its own duration, so it needs no archive to become consistent.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { Client } from "pg";
import { type Backup, nameAt, nameFile } from "./archive.ts";
import { digestFile, syncFolder, walk, writeDurably } from "./files.ts";
import { type ListedFile, writeManifest } from "./manifest.ts";
import { firstSegment, listSegments } from "./wal.ts";

const unfinished = ".partial";

/** Content that a server creates again at its start (PostgreSQL's manual, "Making a Base Backup Using the Low Level API"). */
const emptied = [
  "pg_wal",
  "pg_replslot",
  "pg_dynshmem",
  "pg_notify",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
];
const left =
  /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|backup_manifest)$|(^|\/)(pgsql_tmp|pg_internal\.init)/;

/**
 * @param admin the superuser's connection to the server of `cluster`; it must stay open
 * @param archive the cluster's folder in BACKUP_DIR
 * @throws Error if another backup is running, or the cluster has tablespaces
 */
export async function takeBackup(admin: Client, cluster: string, archive: string): Promise<TakenBackup> {
  await refuseTablespaces(admin);
  await holdWal(admin);
  for (const name of readdirSync(archive)) if (name.endsWith(unfinished)) remove(join(archive, name));
  const draft = join(archive, `${process.pid}${unfinished}`);
  mkdirSync(draft, { mode: 0o700 });
  const { start } = await one<{ start: string }>(admin, "select pg_backup_start('botstead', true) as start");
  const files = copyTree(cluster, draft);
  const { label, end, ended_at, last, timeline, system_id } = await one<Ended>(admin, stopBackup);
  writeDurably(join(draft, "backup_label"), label);
  files.push(listed(draft, "backup_label"));
  files.push(...copyWal(join(cluster, "pg_wal"), draft, last));
  writeManifest(draft, system_id, files, { timeline, start, end });
  for (const { path, isFolder } of walk(draft, () => false)) if (isFolder) syncFolder(join(draft, path));
  syncFolder(draft);
  const folder = join(archive, nameAt(ended_at));
  renameSync(draft, folder);
  syncFolder(archive);
  return {
    name: `${basename(archive)}/${basename(folder)}`,
    folder,
    endedAt: ended_at,
    wal: join(archive, "wal"),
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    lastWal: last,
  };
}

/** `lastWal`: the last WAL file that recovery needs to become consistent. */
type TakenBackup = Backup & { bytes: number; lastWal: string };

type Ended = { label: string; end: string; ended_at: Date; last: string; timeline: number; system_id: string };

const stopBackup = `
  select stop.labelfile as label, stop.lsn as end, clock_timestamp() as ended_at, pg_walfile_name(stop.lsn) as last,
    ('x' || left(pg_walfile_name(stop.lsn), 8))::bit(32)::int as timeline, system_identifier as system_id
  from pg_backup_stop(wait_for_archive => false) stop, pg_control_system()`;

async function one<Row extends object>(admin: Client, text: string): Promise<Row> {
  const { rows } = await admin.query<Row>(text);
  if (!rows[0]) throw new Error("The database returned no row.");
  return rows[0];
}

/**
 * Keeps the WAL of the backup's duration in the cluster until it is copied. The slot ends with the session. Its name also
 * keeps a second backup out, and only a superuser can take it.
 */
async function holdWal(admin: Client): Promise<void> {
  try {
    await admin.query("select pg_create_physical_replication_slot('botstead_backup', true, true)");
  } catch (error) {
    if ((error as { code?: string }).code !== "42710") throw error;
    throw new Error("Another backup of this database is running.");
  }
}

async function refuseTablespaces(admin: Client): Promise<void> {
  const { names } = await one<{ names: string | null }>(
    admin,
    "select string_agg(spcname, ', ') as names from pg_tablespace where spcname not in ('pg_default', 'pg_global')",
  );
  if (names)
    throw new Error(`The database has tablespaces (${names}), which "botstead backup" cannot copy. Drop them first.`);
}

/** Copies the cluster while the server writes to it. Recovery repairs what changed meanwhile. */
function copyTree(cluster: string, draft: string): ListedFile[] {
  const files: ListedFile[] = [];
  for (const { path, isFolder } of walk(cluster, (folder) => emptied.includes(folder) || left.test(folder))) {
    if (left.test(path) || path === nameFile) continue;
    if (isFolder) mkdirSync(join(draft, path), { mode: 0o700 });
    else copyInto(files, join(cluster, path), draft, path);
  }
  for (const name of ["archive_status", "summaries"]) mkdirSync(join(draft, "pg_wal", name), { mode: 0o700 });
  return files;
}

/** A file of a dropped table vanishes between the listing and the copy. */
function copyInto(files: ListedFile[], from: string, draft: string, path: string): void {
  try {
    const { mtime: modified } = statSync(from);
    files.push({ path, modified, ...digestFile(from, join(draft, path)) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || existsSync(from)) throw error;
  }
}

function listed(draft: string, path: string): ListedFile {
  return { path, modified: new Date(), ...digestFile(join(draft, path)) };
}

/** The WAL from the start of the backup to its end, and the history of timelines. */
function copyWal(source: string, draft: string, last: string): ListedFile[] {
  const first = firstSegment({ folder: draft });
  const segments = listSegments(source).filter((name) => name >= first && name <= last);
  if (segments[0] !== first) throw new Error(`The WAL file ${first} is missing in ${source}.`);
  const files: ListedFile[] = [];
  const histories = readdirSync(source).filter((name) => name.endsWith(".history"));
  for (const name of [...histories, ...segments]) copyInto(files, join(source, name), draft, `pg_wal/${name}`);
  return files;
}

/** Renames it first, so that an interrupted removal leaves nothing that looks complete. */
export function remove(folder: string): void {
  const doomed = folder.endsWith(unfinished) ? folder : `${folder}${unfinished}`;
  if (doomed !== folder) renameSync(folder, doomed);
  rmSync(doomed, { recursive: true, force: true });
}
