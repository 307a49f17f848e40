/** One PostgreSQL for the whole run, with a migrated template that each test file clones. */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { accountFor } from "../../src/database/embedded/account.ts";
import { findBinaries } from "../../src/database/embedded/binaries.ts";
import { createCluster } from "../../src/database/embedded/cluster.ts";
import { end, launch, type Running } from "../../src/database/embedded/server.ts";
import { fixed, type Settings } from "../../src/database/embedded/settings.ts";
import { migrate } from "../../src/database/migrate.ts";
import { urlOfDatabase } from "../../src/database/urls.ts";
import { loadMasterKey } from "../../src/secrets/master-key.ts";

export const template = "botstead_template";

/** Passed to test files through their environment. */
export const clusterVariable = "TEST_CLUSTER";
export type Cluster = { url: string; dataDir: string };

/**
 * Only the embedded server of `startEmbedded` is durable. The data of tests need not survive a power cut, and to sync
 * several hundred files for each database takes longer than to create them.
 */
const settings: Settings = {
  ...fixed,
  fsync: "off",
  synchronous_commit: "off",
  max_connections: "200",
  shared_buffers: "64MB", // DROP DATABASE searches all of them
};

/** The clusters of this process. */
const started: { server: Running; dataDir: string }[] = [];

/**
 * @param more settings of the server, for a test file with its own cluster
 * @param masterKeyOf the data folder of a cluster with the same master key
 */
export async function startCluster(more: Settings = {}, masterKeyOf?: string): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "botstead-test-"));
  if (masterKeyOf) copyFileSync(join(masterKeyOf, "master.key"), join(dataDir, "master.key"));
  const key = loadMasterKey({ dataDir, masterKey: undefined });
  const password = key.password("postgres");
  const server = await startServer(dataDir, password, { ...settings, ...more });
  started.push({ server, dataDir });
  const root = new Client({ connectionString: server.url });
  await root.connect();
  await root.query(`create database ${template} template template0`);
  await root.end();
  await migrate({ adminUrl: urlOfDatabase(template, server.url), key, isNew: true });
  process.env[clusterVariable] = JSON.stringify({ url: server.url, dataDir } satisfies Cluster);
}

async function startServer(folder: string, password: string, settings: Settings): Promise<Running> {
  const cluster = join(folder, "postgres");
  const account = accountFor(cluster);
  const binaries = findBinaries(account);
  await createCluster(cluster, { binaries, account, password });
  const log = join(folder, "postgres.log");
  const running = await launch({
    ...{ binaries, account, cluster, log, password, settings },
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

/** Stops each cluster that this process started. */
export async function stopCluster(): Promise<void> {
  process.off("exit", interrupt);
  for (const { server, dataDir } of started.splice(0)) {
    await end(server.child);
    rmSync(dataDir, { recursive: true, force: true });
  }
}
