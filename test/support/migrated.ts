/** Databases for migration tests: empty ones, and dumps of migrated ones. */
import { urlOfDatabase } from "../../src/database/urls.ts";
import { loadMasterKey, type MasterKey } from "../../src/secrets/master-key.ts";
import { type Cluster, clusterVariable } from "./cluster.ts";
import { fingerprint } from "./fingerprint.ts";
import { query } from "./query.ts";

export type Server = { url: string; dataDir: string; key: MasterKey };

/** The cluster of all tests. */
export function sharedServer(): Server {
  const { url, dataDir } = JSON.parse(process.env[clusterVariable] ?? "{}") as Cluster;
  return { url, dataDir, key: loadMasterKey({ dataDir, masterKey: undefined }) };
}

let made = 0;

/** URL of a new empty database. */
export async function emptyDatabase(server: Server): Promise<string> {
  made += 1;
  const name = `migrated_${process.pid}_${made}`;
  await query(server.url, `create database ${name} template template0`);
  return urlOfDatabase(name, server.url);
}

export async function dropDatabase(server: Server, url: string): Promise<void> {
  await query(server.url, `drop database ${new URL(url).pathname.slice(1)} with (force)`);
}

/** Everything that a migration creates, as lines. */
export async function stateOf(url: string): Promise<string[]> {
  return (await query<{ line: string }>(url, fingerprint)).map(({ line }) => line);
}
