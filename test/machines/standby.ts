/**
 * A streaming replica of an embedded server. The embedded distribution lacks pg_basebackup, so this does the same
 * steps.
 */
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Client } from "pg";
import { accountFor, giveTo } from "../../src/database/embedded/account.ts";
import { findBinaries } from "../../src/database/embedded/binaries.ts";
import { nameFor } from "../../src/database/embedded/cluster.ts";
import { freePort } from "../../src/database/embedded/port.ts";
import { fixed, settingArguments } from "../../src/database/embedded/settings.ts";
import { urlOfDatabase } from "../../src/database/urls.ts";
import { closing } from "../support/closing.ts";
import { type Cluster, clusterVariable } from "../support/cluster.ts";
import type { TestDatabase } from "../support/database.ts";
import { answers, query } from "../support/query.ts";
import { eventually } from "../support/worker.ts";
import { type Daemon, daemon } from "./daemon.ts";

export type Standby = {
  process: Daemon;
  /** Data folder; the cluster is its subfolder `postgres`, as with an embedded server. */
  dataDir: string;
  /** The same URL with the address of the standby. */
  urlOf(url: string): string;
  /** As superuser. */
  sql(text: string): Promise<Record<string, unknown>[]>;
  remove(): Promise<void>;
};

const ephemeral = ["postmaster.pid", "postmaster.opts", "pg_wal", "pg_replslot", "pg_stat_tmp"];

/** @param primaryUrl URL with superuser rights; `dataDir` is the folder of the embedded server */
export async function startStandby(primaryUrl: string, dataDir: string): Promise<Standby> {
  const [source, folder] = [join(dataDir, "postgres"), mkdtempSync(join(tmpdir(), "botstead-standby-"))];
  const account = accountFor(source);
  const cluster = join(folder, "postgres");
  const slot = basename(folder).toLowerCase().replaceAll(/\W/g, "_");
  mkdirSync(cluster, { mode: 0o700 });
  const port = await freePort();
  // A standby with fewer connections than its primary does not recover.
  const [primary] = await query<{ max_connections: string }>(primaryUrl, "show max_connections");
  const settings = { max_connections: primary?.max_connections ?? "", port: String(port) };
  const urlOf = (url: string) => {
    const other = new URL(url);
    other.port = String(port);
    return other.href;
  };
  const sql = (text: string) => query(urlOf(primaryUrl), text);
  const process = daemon({
    program: findBinaries(account).postgres,
    args: ["-D", nameFor(account, cluster), ...settingArguments(fixed, settings)],
    port,
    cwd: cluster,
    account,
    works: () => answers(urlOf(primaryUrl)),
  });
  const remove = closing(async () => {
    await process.kill("SIGQUIT");
    await query(
      primaryUrl,
      `select pg_drop_replication_slot('${slot}') from pg_replication_slots where slot_name = '${slot}'`,
    ).catch(() => {}); // fails if the primary is gone
    rmSync(folder, { recursive: true });
  });

  const label = await copyCluster(primaryUrl, { source, cluster, slot });
  for (const name of ["pg_wal/archive_status", "pg_wal/summaries", "pg_replslot", "pg_stat_tmp"]) {
    mkdirSync(join(cluster, name), { recursive: true, mode: 0o700 });
  }
  writeFileSync(join(cluster, "backup_label"), label);
  writeFileSync(join(cluster, "standby.signal"), "");
  const { port: primaryPort, username, password } = new URL(primaryUrl);
  const said = decodeURIComponent(password).replaceAll(/['\\]/g, "\\$&");
  const conninfo = `host=127.0.0.1 port=${primaryPort} user=${username} password='${said}' application_name=${slot}`;
  appendFileSync(
    join(cluster, "postgresql.auto.conf"),
    `primary_conninfo = '${conninfo.replaceAll("'", "''")}'\nprimary_slot_name = '${slot}'\n`,
  );
  if (account) giveTo(account, folder);
  await process.start();
  return { process, dataDir: folder, urlOf, sql, remove };
}

/** A standby of the server that the file started by `startCluster`, with all its databases. */
export function startStandbyOfFile(): Promise<Standby> {
  const { url, dataDir } = JSON.parse(process.env[clusterVariable] ?? "{}") as Cluster;
  return startStandby(url, dataDir);
}

/**
 * The servers of tests acknowledge commits before they are on disk, and so before a replica can get them. This turns
 * that off for one database, as in production.
 */
export async function acknowledgeFromDisk({ sql, adminUrl }: Pick<TestDatabase, "sql" | "adminUrl">): Promise<void> {
  const name = new URL(adminUrl).pathname.slice(1);
  await sql(`alter database ${name} set synchronous_commit = on`);
  // Existing connections keep the old setting.
  const connected = `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`;
  await query(urlOfDatabase("postgres", adminUrl), connected);
  const isOn = async () =>
    (await sql<{ synchronous_commit: string }>("show synchronous_commit"))[0]?.synchronous_commit;
  await eventually(async () => (await isOn().catch(() => undefined)) === "on");
}

/**
 * Number of scans of our tables on the standby; its statistics update within seconds. A read that the standby cannot
 * answer yet scans no table (src/database/connections/replica.ts).
 */
export async function looksAt(url: string): Promise<number> {
  const [looked] = await query<{ often: number }>(
    url,
    "select sum(seq_scan + coalesce(idx_scan, 0))::integer as often from pg_stat_user_tables where schemaname = 'app'",
  );
  return looked?.often ?? 0;
}

type Copied = { source: string; cluster: string; slot: string };

/** Starts a base backup with a replication slot. Returns the backup label. */
async function copyCluster(primaryUrl: string, { source, cluster, slot }: Copied): Promise<string> {
  const primary = new Client({ connectionString: primaryUrl });
  await primary.connect();
  try {
    await primary.query("select pg_create_physical_replication_slot($1, true)", [slot]);
    await primary.query("select pg_backup_start('standby', true)");
    for (const name of readdirSync(source)) if (!ephemeral.includes(name)) copy(join(source, name), cluster);
    const { rows } = await primary.query<{ labelfile: string }>("select labelfile from pg_backup_stop()");
    return rows[0]?.labelfile ?? "";
  } finally {
    await primary.end();
  }
}

/** Skips files that vanish during the copy, for example of a dropped database: the standby replays the log. */
function copy(from: string, to: string): void {
  try {
    execFileSync("cp", ["-a", from, to], { stdio: ["ignore", "ignore", "pipe"] });
  } catch (error) {
    const complaints = String((error as { stderr: Buffer }).stderr)
      .trim()
      .split("\n");
    if (complaints.some((line) => !line.endsWith("No such file or directory"))) throw error;
  }
}
