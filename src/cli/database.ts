/** Database access for commands: to a running database, or one that runs during the command. */
import { hostname } from "node:os";
import { type Client, types } from "pg";
import { targetsOf } from "../config/outbound.ts";
import { type Config, readConfig } from "../config.ts";
import { type Database, findDatabase, openDatabase, requireDatabase } from "../database/access.ts";
import { type Attribution, attributionOf } from "../database/attribution.ts";
import { withSession } from "../database/connections/session.ts";
import type { LoginRole } from "../database/roles.ts";
import { urlAs } from "../database/urls.ts";
import { completeEnvironment } from "../processes/part-process.ts";
import { hasMasterKey, loadMasterKey, type MasterKey } from "../secrets/master-key.ts";
import { keyOfPart, type Part } from "../secrets/part-secrets.ts";
import { printError } from "../terminal.ts";
import { systemUser } from "./attribution.ts";
import type { Row } from "./output.ts";

export type Place = { config: Config; key: MasterKey; adminUrl: string };

const onStandardError = (sentence: string) => void printError(`${sentence}\n`);

/**
 * Passes the running database to `use`. If the embedded server does not run, starts it until `use` settles.
 *
 * @throws Error if no database exists yet
 */
export async function withDatabase<T>(use: (place: Place) => Promise<T>): Promise<T> {
  const config = readConfig();
  requireDatabase(config);
  return withNewDatabase(use, config);
}

/** As withDatabase, but creates the embedded database if it does not exist. */
async function withNewDatabase<T>(use: (place: Place) => Promise<T>, config = readConfig()): Promise<T> {
  return withServer(async (place, started) => {
    if (started) {
      const { migrate } = await import("../database/migrate.ts"); // not loaded by commands of a running database
      const { isNew } = started;
      await migrate({ ...place, allowed: targetsOf(place.config), isNew, progress: onStandardError });
    }
    return use(place);
  }, config);
}

/**
 * As withNewDatabase, without migrating. `started` if the embedded server was started for this command.
 *
 * @param keyIsLost the database exists, and has passwords of another master key. A missing key is created. A running embedded
 *   server is refused, since it does not accept the new password
 */
export async function withServer<T>(
  use: (place: Place, started: Database | undefined) => Promise<T>,
  config = readConfig(),
  keyIsLost = false,
): Promise<T> {
  if (keyIsLost) requireDatabase(config);
  const key = loadMasterKey(config, keyIsLost);
  const running = keyIsLost ? config.databaseUrl : await findDatabase(config, key);
  if (running) return use({ config, key, adminUrl: running }, undefined);
  const database = await openDatabase(config, key, onStandardError, keyIsLost);
  try {
    return await use({ config, key, adminUrl: database.adminUrl }, database);
  } finally {
    await database.stop();
  }
}

/** For separate processes. @throws Error if the database does not run */
export async function runningDatabase(config = readConfig()): Promise<Place> {
  const key = hasMasterKey(config) ? loadMasterKey(config) : undefined; // loading would create a missing folder
  const adminUrl = key && (await findDatabase(config, key));
  if (!adminUrl) {
    throw new Error(
      `No database runs on ${config.dataDir}. Start it with "botstead start", or set DATABASE_URL and MASTER_KEY.`,
    );
  }
  return { config, key, adminUrl };
}

/** For one process, with its own secrets, or with the master key if it is set. */
export async function databaseFor(part: Part): Promise<Place> {
  await completeEnvironment();
  const { databaseUrl, partSecrets, ...config } = readConfig();
  if (databaseUrl === undefined || !partSecrets.DATABASE_PASSWORD) return runningDatabase();
  return { config: { databaseUrl, partSecrets, ...config }, key: keyOfPart(part, partSecrets), adminUrl: databaseUrl };
}

/** The user and machine of this command, for the operator log (sql/operator/commands.sql). At most 60 characters. */
export function commandLineUser(): string {
  return `${systemUser()}@${hostname()}`.slice(0, 46).concat(", command line");
}

/** Logs in as a role while `use` runs. */
export async function connectedAs<T>(
  role: LoginRole,
  { adminUrl, key }: Pick<Place, "adminUrl" | "key">,
  use: (client: Client) => Promise<T>,
  attribution?: Attribution,
): Promise<T> {
  return withSession(urlAs(role, adminUrl, key), commandLineUser(), async (client) => {
    if (attribution) await client.query(...attributionOf(attribution));
    return use(client);
  });
}

/** Runs a statement of operator.* as the role cli. A statement that changes something needs the attribution. */
export async function asOperator<Row extends object>(
  text: string,
  values: unknown[],
  attribution?: Attribution,
): Promise<Row[]> {
  const run = (place: Place) =>
    connectedAs("cli", place, async (cli) => (await cli.query<Row>(text, values)).rows, attribution);
  const hasOwnPassword = readConfig().partSecrets.DATABASE_PASSWORD !== undefined;
  return hasOwnPassword ? run(await databaseFor("cli")) : withDatabase(run);
}

export type Read = (text: string, values?: unknown[]) => Promise<Row[]>;

/** Reads views of operator.* in one snapshot of the running database. `at` is the time of the database. */
export async function reading<T>(use: (rows: Read, at: Date) => Promise<T>): Promise<T> {
  return connectedAs("cli", await databaseFor("cli"), async (cli) => {
    cli.setTypeParser(types.builtins.INT8, Number); // counts
    await cli.query("begin transaction isolation level repeatable read read only");
    await cli.query("set local enable_seqscan = off"); // as for the console: rows are found by their ids
    const { rows } = await cli.query<{ at: Date }>("select now() as at");
    return use(async (text, values = []) => (await cli.query<Row>(text, values)).rows, rows[0]?.at ?? new Date());
  });
}
