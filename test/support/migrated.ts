/** Databases for migration tests: empty ones, and dumps of migrated ones. */
import { migrate } from "../../src/database/migrate.ts";
import { urlOfDatabase } from "../../src/database/urls.ts";
import { loadMasterKey, type MasterKey } from "../../src/secrets/master-key.ts";
import { type Cluster, clusterVariable, template } from "./cluster.ts";
import { createDatabase } from "./database.ts";
import { fingerprint } from "./fingerprint.ts";
import { query } from "./query.ts";

export type Server = { url: string; dataDir: string; key: MasterKey };

/** The cluster of all tests. */
export function sharedServer(): Server {
  const { url, dataDir } = JSON.parse(process.env[clusterVariable] ?? "{}") as Cluster;
  return { url, dataDir, key: loadMasterKey({ dataDir, masterKey: undefined }) };
}

let made = 0;

async function create(server: Server, from: string): Promise<string> {
  made += 1;
  const name = `migrated_${process.pid}_${made}`;
  await createDatabase(server.url, name, from);
  return urlOfDatabase(name, server.url);
}

/** URL of a new empty database. */
export const emptyDatabase = (server: Server): Promise<string> => create(server, "template0");

/** Makes empty databases, and drops them after the tests of the file. */
export function emptyDatabasesOfFile(server: Server): () => Promise<string> {
  const urls: string[] = [];
  afterAll(() => Promise.all(urls.map((url) => dropDatabase(server, url))));
  return async () => {
    const url = await emptyDatabase(server);
    urls.push(url);
    return url;
  };
}

/** URL of a new migrated database. A clone of the template takes a tenth of the processor time of a migration. */
export async function migratedDatabase(server: Server): Promise<string> {
  const url = await create(server, template);
  await migrate({ adminUrl: url, key: server.key }); // the settings and privileges of a database are not cloned
  return url;
}

export async function dropDatabase(server: Server, url: string): Promise<void> {
  await query(server.url, `drop database ${new URL(url).pathname.slice(1)} with (force)`);
}

/** Everything that a migration creates, as lines. */
export async function stateOf(url: string): Promise<string[]> {
  return (await query<{ line: string }>(url, fingerprint)).map(({ line }) => line);
}
