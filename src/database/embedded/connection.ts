import pg from "pg";

/** The superuser's url of the server at `port` on this host. */
export function urlAt(port: number, password: string): string {
  return `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
}

// Refused, reset while it opens its port, starting up or shutting down: all of them can pass.
const MAY_PASS = new Set<unknown>(["ECONNREFUSED", "ECONNRESET", "EPIPE", "57P03", undefined]);

/**
 * The server's version, such as `18.4`; undefined while it takes no connections.
 *
 * @throws Error in one sentence when the password is not the server's; other errors as they come.
 */
export async function askVersion(url: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url, ssl: false, connectionTimeoutMillis: 5_000 });
  client.on("error", () => {}); // the promise below tells
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>("show server_version");
    return rows[0]?.server_version.split(" ")[0];
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (MAY_PASS.has(code)) return undefined;
    if (code !== "28P01") throw error;
    throw new Error("The embedded database was made with another password than the one given.", { cause: error });
  } finally {
    await client.end().catch(() => {});
  }
}
