/**
 * One PostgreSQL for the whole run, with a migrated template that each test file clones. Further clusters are copies of
 * it, because a copy takes a tenth of the processor time of creating a cluster and migrating a database.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { postgresCpuMs } from "../../bench/cpu.ts";
import { accountFor } from "../../src/database/embedded/account.ts";
import { findBinaries } from "../../src/database/embedded/binaries.ts";
import { createCluster } from "../../src/database/embedded/cluster.ts";
import { end, launch, type Running } from "../../src/database/embedded/server.ts";
import { fixed, type Settings } from "../../src/database/embedded/settings.ts";
import { migrate } from "../../src/database/migrate.ts";
import { urlOfDatabase } from "../../src/database/urls.ts";
import { loadMasterKey } from "../../src/secrets/master-key.ts";
import { noteProcessorTime } from "./jest/processor-notes.ts";

export const template = "botstead_template";

/** Passed to test files through their environment. */
export const clusterVariable = "TEST_CLUSTER";
export type Cluster = {
  url: string;
  dataDir: string;
  /** The data folder that all clusters are copies of. No server uses it. */
  origin: string;
};

/**
 * Only the embedded server of `startEmbedded` is durable. The data of tests need not survive a power cut, and to sync
 * several hundred files for each database takes longer than to create them.
 */
const settings: Settings = {
  ...fixed,
  fsync: "off",
  synchronous_commit: "off",
  max_connections: "600", // each process has three APIs that files share, of up to 25 connections each
  shared_buffers: "64MB", // DROP DATABASE searches all of them
};

/** The clusters of this process. Jest runs a single test file in the process that started the cluster of all tests. */
const started: { server: Running; folders: string[]; ofAllTests: boolean }[] = [];

/** The login of `startManagedCluster` that migrates: an administrator without superuser, as on a managed server. */
const manager = { role: "manager", password: "manager of tests" };

/** As `startCluster`, for a test file that needs what an administrator without superuser has set up. */
export const startManagedCluster = async (): Promise<void> => start(await createOrigin(manager), {}, false);

/**
 * Starts a cluster: the cluster of all tests, or a cluster for a test file that changes what all databases share. The first call creates
 * it, and others copy it with its master key.
 *
 * @param more settings of the server
 */
export async function startCluster(more: Settings = {}): Promise<void> {
  const first: Partial<Cluster> = JSON.parse(process.env[clusterVariable] ?? "{}");
  await start(first.origin ?? (await createOrigin()), more, first.origin === undefined);
}

async function start(origin: string, more: Settings, ofAllTests: boolean): Promise<void> {
  const dataDir = newFolder();
  const { status, stderr } = spawnSync("cp", ["-a", `${origin}/.`, dataDir], { encoding: "utf8" });
  if (status !== 0) throw new Error(`The cluster of the tests could not be copied: ${stderr}`);
  const password = loadMasterKey({ dataDir, masterKey: undefined }).password("postgres");
  const server = await startServer(dataDir, password, { ...settings, ...more });
  const isOwn = origin !== (JSON.parse(process.env[clusterVariable] ?? "{}") as Partial<Cluster>).origin;
  started.push({ server, folders: isOwn ? [origin, dataDir] : [dataDir], ofAllTests });
  process.env[clusterVariable] = JSON.stringify({ url: server.url, dataDir, origin } satisfies Cluster);
}

/** Returns a data folder with a migrated cluster. @param by migrates it. Defaults to the superuser */
async function createOrigin(by?: typeof manager): Promise<string> {
  const folder = newFolder();
  const key = loadMasterKey({ dataDir: folder, masterKey: undefined });
  const password = key.password("postgres");
  const cluster = join(folder, "postgres");
  const account = accountFor(cluster);
  await createCluster(cluster, { binaries: findBinaries(account), account, password });
  const server = await startServer(folder, password, settings);
  const root = new Client({ connectionString: server.url });
  await root.connect();
  if (by) await root.query(`create role ${by.role} login createrole createdb password '${by.password}'`);
  await root.query(`create database ${template} template template0 ${by ? `owner ${by.role}` : ""}`);
  await root.end();
  const adminUrl = Object.assign(
    new URL(urlOfDatabase(template, server.url)),
    by && { username: by.role, password: by.password },
  ).href;
  await migrate({ adminUrl, key, isNew: true });
  await analyzeCatalogue(urlOfDatabase(template, server.url));
  await end(server.child); // so that the files can be copied
  return folder;
}

/** As autovacuum does within a minute, so that audits of clones have the plans of use. Tables keep the state of new tables. */
async function analyzeCatalogue(url: string): Promise<void> {
  const admin = new Client({ connectionString: url });
  await admin.connect();
  const { rows } = await admin.query<{ names: string }>(
    `select string_agg(oid::regclass::text, ', ') as names
     from pg_class where relnamespace = 'pg_catalog'::regnamespace and relkind = 'r'`,
  );
  await admin.query(`vacuum (analyze) ${rows[0]?.names}`);
  await admin.end();
}

const newFolder = () => mkdtempSync(join(tmpdir(), "botstead-test-"));

async function startServer(folder: string, password: string, settings: Settings): Promise<Running> {
  const cluster = join(folder, "postgres");
  const account = accountFor(cluster);
  const running = await launch({
    ...{ binaries: findBinaries(account), account, cluster, password, settings },
    log: join(folder, "postgres.log"),
    port: undefined,
    progress: () => {},
  });
  process.off("exit", interrupt);
  process.once("exit", interrupt);
  return running;
}

/** An exit handler cannot wait, but SIGINT makes the server shut down in order. */
const interrupt = () => {
  for (const { server } of started) server.child.kill("SIGINT");
};

/** Stops the clusters of a file. Without one, stops the cluster of all tests. */
export async function stopCluster(): Promise<void> {
  const ofFile = started.filter(({ ofAllTests }) => !ofAllTests);
  for (const cluster of ofFile.length > 0 ? ofFile : [...started]) {
    started.splice(started.indexOf(cluster), 1);
    const { server, folders } = cluster;
    const [dataDir = ""] = folders.slice(-1);
    noteProcessorTime("PostgreSQL", dataDir, postgresCpuMs(dataDir));
    await end(server.child);
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}
