/** Finds the database: DATABASE_URL, or the embedded server in the data folder, which `start` runs. */
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { Config } from "../config.ts";
import type { MasterKey } from "../secrets/master-key.ts";
import { findEmbedded, hasEmbedded, startEmbedded } from "./embedded.ts";
import { urlOfDatabase } from "./urls.ts";

export type Database = {
  /** URL of a login that may create roles, and schemas in this database. */
  adminUrl: string;
  embedded: boolean;
  /** Just created from template0. */
  isNew: boolean;
  stop(): Promise<void>;
};

const name = "botstead";
/** Between two attempts to restart a server that ended. */
const pauseMs = 2_000;

type Where = Pick<Config, "databaseUrl" | "dataDir"> & Partial<Pick<Config, "backupDir">>;

/**
 * Starts the embedded server unless DATABASE_URL is set. If the server ends, starts it again on the same port.
 *
 * @param keyIsLost the embedded server has the password of another master key
 */
export async function openDatabase(
  config: Where,
  key: MasterKey,
  progress: (sentence: string) => void,
  keyIsLost = false,
): Promise<Database> {
  if (config.databaseUrl) return { adminUrl: config.databaseUrl, embedded: false, isNew: false, stop: async () => {} };
  const start = (port?: number, replacesPassword = false) =>
    startEmbedded({
      replacesPassword,
      dataDir: config.dataDir,
      backupDir: config.backupDir,
      password: key.password("postgres"),
      progress,
      ...(port === undefined ? {} : { port }),
    });
  let server = await start(undefined, keyIsLost);
  let stopped = false;
  let returning: Promise<void> | undefined;
  const watch = () => {
    server.lost.then(() => {
      if (stopped) return;
      progress("PostgreSQL ended unexpectedly, starting it again");
      returning = bringBack();
    });
  };
  async function bringBack(): Promise<void> {
    while (!stopped) {
      try {
        server = await start(server.port);
        watch();
        return;
      } catch (error) {
        progress((error as Error).message);
        await sleep(pauseMs);
      }
    }
  }
  watch();
  const stop = async () => {
    stopped = true;
    await returning;
    await server.stop();
  };
  try {
    const isNew = await ensureCreated(server.url);
    return { adminUrl: urlOfDatabase(name, server.url), embedded: true, isNew, stop };
  } catch (error) {
    await stop(); // nothing else stops it, and it would keep this process alive
    throw error;
  }
}

/** @returns whether the database was missing */
async function ensureCreated(url: string): Promise<boolean> {
  const root = new Client({ connectionString: url });
  root.on("error", () => {}); // the query in progress reports a lost connection
  try {
    await root.connect();
    const { rowCount } = await root.query("select from pg_database where datname = $1", [name]);
    if (rowCount !== 0) return false;
    await root.query(`create database ${name} template template0`);
    return true;
  } finally {
    await root.end();
  }
}

/** @throws Error if there is no database yet. Creates nothing. */
export function requireDatabase({ databaseUrl, dataDir }: Where): void {
  if (databaseUrl !== undefined || hasEmbedded(dataDir)) return;
  throw new Error(
    `There is no database in ${dataDir}. "botstead start" creates one; if yours is elsewhere, set DATA_DIR or DATABASE_URL.`,
  );
}

/** The address of the running database; undefined if the embedded server does not run. */
export async function findDatabase(config: Where, key: MasterKey): Promise<string | undefined> {
  if (config.databaseUrl) return config.databaseUrl;
  const url = await findEmbedded({ dataDir: config.dataDir, password: key.password("postgres") });
  return url && urlOfDatabase(name, url);
}
