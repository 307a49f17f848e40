/**
 * Where the database is: at DATABASE_URL, or the embedded one in the data folder, which `start` runs and the other
 * commands find.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { Config } from "../config.ts";
import type { MasterKey } from "../secrets/master-key.ts";
import { findEmbedded, startEmbedded } from "./embedded.ts";
import { urlOfDatabase } from "./urls.ts";

export type Database = {
  /** Of a login that may make roles and, in this database, schemas. */
  adminUrl: string;
  embedded: boolean;
  stop(): Promise<void>;
};

const name = "botstead";
/** Between two tries to bring back a server that was lost. */
const pauseMs = 2_000;

type Where = Pick<Config, "databaseUrl" | "dataDir">;

/** Runs the embedded server unless there is another; brings it back, on the same port, when it is lost. */
export async function openDatabase(
  config: Where,
  key: MasterKey,
  progress: (sentence: string) => void,
): Promise<Database> {
  if (config.databaseUrl) return { adminUrl: config.databaseUrl, embedded: false, stop: async () => {} };
  const start = (port?: number) =>
    startEmbedded({
      dataDir: config.dataDir,
      password: key.password("postgres"),
      progress,
      ...(port === undefined ? {} : { port }),
    });
  let server = await start();
  let stopped = false;
  let returning: Promise<void> | undefined;
  const watch = () => {
    server.lost.then(() => {
      if (stopped) return;
      progress("PostgreSQL ended by itself; starting it again");
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
    await makeDatabase(server.url);
  } catch (error) {
    await stop(); // nobody else could: it would keep the process, which has said why it ends
    throw error;
  }
  return { adminUrl: urlOfDatabase(name, server.url), embedded: true, stop };
}

async function makeDatabase(url: string): Promise<void> {
  const root = new Client({ connectionString: url });
  root.on("error", () => {}); // a lost connection is told by the query that meets it
  try {
    await root.connect();
    const { rowCount } = await root.query("select from pg_database where datname = $1", [name]);
    if (rowCount === 0) await root.query(`create database ${name}`);
  } finally {
    await root.end();
  }
}

/** The database that is running; undefined when it is the embedded one and nobody runs it. */
export async function findDatabase(config: Where, key: MasterKey): Promise<string | undefined> {
  if (config.databaseUrl) return config.databaseUrl;
  const url = await findEmbedded({ dataDir: config.dataDir, password: key.password("postgres") });
  return url && urlOfDatabase(name, url);
}
