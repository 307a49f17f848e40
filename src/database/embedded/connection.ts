import pg from "pg";
import { ifKeyIsLost } from "../../secrets/master-key.ts";

/** Errors and warnings of sessions can quote values, so they go to the client alone. Only a superuser can change this. */
export async function limitSessionLogs(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, ssl: false });
  await client.connect();
  try {
    const { rowCount } = await client.query(
      "select from pg_db_role_setting where setrole = 0 and setdatabase = 0 and 'log_min_messages=log' = any (setconfig)",
    );
    if (rowCount === 0) await client.query("alter role all set log_min_messages = 'log'");
  } finally {
    await client.end();
  }
}

/** The superuser's URL of the server on this port of this machine. */
export function urlAt(port: number, password: string): string {
  return `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
}

// Refused, reset while the port opens, starting up or shutting down: a retry can succeed.
const MAY_PASS = new Set<unknown>(["ECONNREFUSED", "ECONNRESET", "EPIPE", "57P03", undefined]);

/**
 * The server's version, such as `18.4`; undefined while it does not accept connections.
 *
 * @throws Error if the password, which is derived from the master key, is wrong; other errors unchanged
 */
export async function askVersion(url: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url, ssl: false, connectionTimeoutMillis: 5_000 });
  client.on("error", () => {}); // the awaited calls report it
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>("show server_version");
    return rows[0]?.server_version.split(" ")[0];
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (MAY_PASS.has(code)) return undefined;
    if (code !== "28P01") throw error;
    throw new Error(
      `The embedded database was created with another master key. Set MASTER_KEY to that key, or unset it if DATA_DIR contains the key. ${ifKeyIsLost}`,
      { cause: error },
    );
  } finally {
    await client.end().catch(() => {});
  }
}
