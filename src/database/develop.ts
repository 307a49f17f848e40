/**
 * `npm run db -- <command>` runs graphile-migrate (`watch`, `commit`, `uncommit`, `status`) against an embedded cluster
 * of its own with a shadow database.
 */
import { spawn } from "node:child_process";
import { Client } from "pg";
import { environmentWith, readConfig } from "../config.ts";
import { loadMasterKey } from "../secrets/master-key.ts";
import { startEmbedded } from "./embedded.ts";
import { ensureDatabase } from "./ensure-database.ts";
import { ensureRoles } from "./ensure-roles.ts";
import { urlAs, urlOfDatabase } from "./urls.ts";

const dataDir = `${readConfig().dataDir}-develop`;
const key = loadMasterKey({ dataDir, masterKey: undefined });
const server = await startEmbedded({ dataDir, password: key.password("postgres"), progress: console.error });
try {
  for (const database of ["botstead", "botstead_shadow"]) await prepare(database);
  const asOwner = (database: string) => urlAs("owner", urlOfDatabase(database, server.url), key);
  process.exitCode = await run(["graphile-migrate", ...process.argv.slice(2)], {
    DATABASE_URL: asOwner("botstead"),
    SHADOW_DATABASE_URL: asOwner("botstead_shadow"),
    ROOT_DATABASE_URL: server.url,
  });
} finally {
  await server.stop();
}

async function prepare(database: string): Promise<void> {
  const root = new Client({ connectionString: server.url });
  await root.connect();
  await ensureRoles(root, key);
  const { rowCount } = await root.query("select from pg_database where datname = $1", [database]);
  if (rowCount === 0) await root.query(`create database ${database} owner owner`);
  await root.end();
  const admin = new Client({ connectionString: urlOfDatabase(database, server.url) });
  await admin.connect();
  await ensureDatabase(admin);
  await admin.end();
}

function run([command = "", ...args]: string[], environment: Record<string, string>): Promise<number> {
  const child = spawn(command, args, { stdio: "inherit", env: environmentWith(environment) });
  // Ctrl-C ends `watch` only; this process must live on to stop the server.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}
