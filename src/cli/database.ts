/**
 * What commands beside `start` need: the database as it is, or for the moment of the command.
 */
import { Client } from "pg";
import { type Config, readConfig } from "../config.ts";
import { findDatabase, openDatabase } from "../database/access.ts";
import type { LoginRole } from "../database/roles.ts";
import { urlAs } from "../database/urls.ts";
import { hasMasterKey, loadMasterKey, type MasterKey } from "../secrets/master-key.ts";

export type Place = { config: Config; key: MasterKey; adminUrl: string };

const onStandardError = (sentence: string) => void process.stderr.write(`${sentence}\n`);

/** The database that runs; the embedded one is started for as long as `use` takes when nobody runs it. */
export async function withDatabase<T>(use: (place: Place) => Promise<T>): Promise<T> {
  const config = readConfig();
  const key = loadMasterKey(config);
  const running = await findDatabase(config, key);
  if (running) return use({ config, key, adminUrl: running });
  const database = await openDatabase(config, key, onStandardError);
  try {
    const { migrate } = await import("../database/migrate.ts"); // the worker's own start need not load it
    await migrate({ adminUrl: database.adminUrl, key, rebuild: false, progress: onStandardError });
    return await use({ config, key, adminUrl: database.adminUrl });
  } finally {
    await database.stop();
  }
}

/** For the processes that run by themselves. @throws Error in a sentence when nobody runs the database. */
export async function runningDatabase(): Promise<Place> {
  const config = readConfig();
  const key = hasMasterKey(config) ? loadMasterKey(config) : undefined; // a folder that is not there stays so
  const adminUrl = key && (await findDatabase(config, key));
  if (!adminUrl) {
    throw new Error(
      `No database runs on ${config.dataDir}. Start it with "botstead start", or set DATABASE_URL and MASTER_KEY.`,
    );
  }
  return { config, key, adminUrl };
}

/** Logs in as one of our roles for as long as `use` takes. */
export async function connectedAs<T>(
  role: LoginRole,
  { adminUrl, key }: Pick<Place, "adminUrl" | "key">,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString: urlAs(role, adminUrl, key), connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** One statement as the role operator, through operator.* alone. */
export async function asOperator<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
  return withDatabase((place) =>
    connectedAs("operator", place, async (operator) => (await operator.query<Row>(text, values)).rows),
  );
}
