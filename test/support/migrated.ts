/**
 * Databases for tests of migrating: empty ones, and what a migration has made of them.
 */
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import { environmentWith } from "../../src/config.ts";
import { ensureDatabase, ensureRoles } from "../../src/database/roles.ts";
import { urlAs, urlOfDatabase } from "../../src/database/urls.ts";
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

/** The url of a new and empty database. */
export async function emptyDatabase(server: Server): Promise<string> {
  made += 1;
  const name = `migrated_${process.pid}_${made}`;
  await query(server.url, `create database ${name} template template0`);
  return urlOfDatabase(name, server.url);
}

/**
 * The url of a database as botstead migrate left it when these migrations were all there were.
 *
 * @param before the first that was not there yet, as 000003
 */
export async function databaseBefore(server: Server, before: string): Promise<string> {
  const url = await emptyDatabase(server);
  const admin = new Client({ connectionString: url });
  await admin.connect();
  await ensureRoles(admin, server.key);
  await ensureDatabase(admin);
  await admin.end();
  const folder = mkdtempSync(join(tmpdir(), "botstead-before-"));
  try {
    mkdirSync(join(folder, "migrations/committed"), { recursive: true });
    copyFileSync(".gmrc", join(folder, ".gmrc"));
    for (const file of readdirSync("migrations/committed").filter((name) => name < before)) {
      copyFileSync(join("migrations/committed", file), join(folder, "migrations/committed", file));
    }
    await promisify(execFile)(
      process.execPath,
      [createRequire(import.meta.url).resolve("graphile-migrate/dist/cli.js"), "migrate"],
      { cwd: folder, env: environmentWith({ DATABASE_URL: urlAs("owner", url, server.key) }) },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return url;
}

export async function dropDatabase(server: Server, url: string): Promise<void> {
  await query(server.url, `drop database ${new URL(url).pathname.slice(1)} with (force)`);
}

/** Everything that a migration makes, as lines. */
export async function stateOf(url: string): Promise<string[]> {
  return (await query<{ line: string }>(url, fingerprint)).map(({ line }) => line);
}
