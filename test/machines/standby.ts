/** A streaming replica of an embedded server, made as pg_basebackup makes one, which is not among its programs. */
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Client } from "pg";
import { accountFor, giveTo } from "../../src/database/embedded/account.ts";
import { findBinaries } from "../../src/database/embedded/binaries.ts";
import { nameFor } from "../../src/database/embedded/cluster.ts";
import { settingArguments } from "../../src/database/embedded/settings.ts";
import { urlOfDatabase } from "../../src/database/urls.ts";
import { type Cluster, clusterVariable } from "../support/cluster.ts";
import type { TestDatabase } from "../support/database.ts";
import { freePort } from "../support/free-port.ts";
import { query } from "../support/query.ts";
import { eventually } from "../support/worker.ts";
import { closing } from "./closing.ts";
import { type Daemon, daemon } from "./daemon.ts";

export type Standby = {
  process: Daemon;
  /** Its data folder; the cluster is `postgres` in there, as with an embedded server. */
  dataDir: string;
  /** The same address, where the standby is. */
  urlOf(url: string): string;
  /** As superuser. */
  sql(text: string): Promise<Record<string, unknown>[]>;
  remove(): Promise<void>;
};

const ephemeral = ["postmaster.pid", "postmaster.opts", "pg_wal", "pg_replslot", "pg_stat_tmp"];

/** @param primaryUrl its superuser's; `dataDir` is that of the embedded server */
export async function startStandby(primaryUrl: string, dataDir: string): Promise<Standby> {
  const [source, folder] = [join(dataDir, "postgres"), mkdtempSync(join(tmpdir(), "botstead-standby-"))];
  const account = accountFor(source);
  const cluster = join(folder, "postgres");
  const slot = basename(folder).toLowerCase().replaceAll(/\W/g, "_");
  mkdirSync(cluster, { mode: 0o700 });
  const port = await freePort();
  const settings = { max_connections: "200", port: String(port) };
  const process = daemon({
    program: findBinaries(account).postgres,
    args: ["-D", nameFor(account, cluster), ...settingArguments({}, settings)],
    port,
    cwd: cluster,
    account,
  });
  const remove = closing(async () => {
    await process.kill("SIGQUIT");
    await query(
      primaryUrl,
      `select pg_drop_replication_slot('${slot}') from pg_replication_slots where slot_name = '${slot}'`,
    ).catch(() => {}); // gone with the primary
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
  const urlOf = (url: string) => {
    const other = new URL(url);
    other.port = String(port);
    return other.href;
  };
  const sql = (text: string) => query(urlOf(primaryUrl), text);
  await eventually(
    () =>
      sql("select 1").then(
        () => true,
        () => false,
      ),
    30_000,
  );
  return { process, dataDir: folder, urlOf, sql, remove };
}

/** Of the server that all tests share, with all of its databases. */
export function startStandbyOfTests(): Promise<Standby> {
  const { url, dataDir } = JSON.parse(process.env[clusterVariable] ?? "{}") as Cluster;
  return startStandby(url, dataDir);
}

/**
 * The server of all tests acknowledges before the disk has what it acknowledges, and so before a replica can hear of it. This
 * database of it does not, as no database of its own account does.
 */
export async function acknowledgeFromDisk({ sql, adminUrl }: Pick<TestDatabase, "sql" | "adminUrl">): Promise<void> {
  const name = new URL(adminUrl).pathname.slice(1);
  await sql(`alter database ${name} set synchronous_commit = on`);
  // Who is connected already began as before.
  const connected = `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`;
  await query(urlOfDatabase("postgres", adminUrl), connected);
  const isOn = async () =>
    (await sql<{ synchronous_commit: string }>("show synchronous_commit"))[0]?.synchronous_commit;
  await eventually(async () => (await isOn().catch(() => undefined)) === "on");
}

/**
 * How often tables of ours were looked at there, as its statistics tell within seconds. What is sent before enough was
 * replayed looks at none. (src/database/replica.ts.)
 */
export async function looksAt(url: string): Promise<number> {
  const [looked] = await query<{ often: number }>(
    url,
    "select sum(seq_scan + coalesce(idx_scan, 0))::integer as often from pg_stat_user_tables where schemaname = 'app'",
  );
  return looked?.often ?? 0;
}

type Copied = { source: string; cluster: string; slot: string };

/** With a slot from which its log goes on. Answers what the copy is to be labelled with. */
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

/** What vanishes while it is copied, as a database that is dropped, the standby learns from the log. */
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
