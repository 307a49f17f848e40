/** One connection for a command, a migration or a move. */
import { Client } from "pg";

const connectTimeoutMs = 10_000;

/** @param application_name as pg_stat_activity shows it */
export async function openSession(connectionString: string, application_name: string): Promise<Client> {
  const client = new Client({ connectionString, connectionTimeoutMillis: connectTimeoutMs, application_name });
  client.on("error", () => {}); // the next query reports a lost connection
  await client.connect();
  return client;
}

/** Ends the session after `use`. */
export async function withSession<T>(
  connectionString: string,
  application_name: string,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await openSession(connectionString, application_name);
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
