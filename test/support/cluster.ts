/** One embedded PostgreSQL for the whole run, with a migrated template that each test file clones. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { type EmbeddedServer, startEmbedded } from "../../src/database/embedded.ts";
import { migrate } from "../../src/database/migrate.ts";
import { urlOfDatabase } from "../../src/database/urls.ts";
import { loadMasterKey } from "../../src/secrets/master-key.ts";

export const template = "botstead_template";

/** Passed to test files through their environment. */
export const clusterVariable = "TEST_CLUSTER";
export type Cluster = { url: string; dataDir: string };

let server: EmbeddedServer | undefined;
let dataDir: string | undefined;

/** @param more settings of the server, for a test file with its own cluster */
export async function startCluster(more: Record<string, string> = {}): Promise<void> {
  dataDir = mkdtempSync(join(tmpdir(), "botstead-test-"));
  const key = loadMasterKey({ dataDir, masterKey: undefined });
  const settings = { max_connections: "200", synchronous_commit: "off", ...more };
  server = await startEmbedded({ dataDir, password: key.password("postgres"), settings });
  const root = new Client({ connectionString: server.url });
  await root.connect();
  await root.query(`create database ${template}`);
  await root.end();
  await migrate({ adminUrl: urlOfDatabase(template, server.url), key });
  process.env[clusterVariable] = JSON.stringify({ url: server.url, dataDir } satisfies Cluster);
}

export async function stopCluster(): Promise<void> {
  await server?.stop();
  if (dataDir) rmSync(dataDir, { recursive: true, force: true });
}
