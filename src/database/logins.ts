/** Logins that the database refuses: at the start of a process, and later. */
import { Client } from "pg";
import type { MasterKey } from "../secrets/master-key.ts";
import { type LoginRole, loginRoles } from "./roles.ts";
import { urlAs } from "./urls.ts";
import { OtherVersionError } from "./versions.ts";

/** Wrong or expired password, missing role, no entry in pg_hba.conf, missing database. */
const refusals = /^(28...|3D000)$/;

/** The fault and its remedy; undefined if the error is no refused login. */
export function refusedLogin(error: unknown): string | undefined {
  const { code = "", message = "" } = error as { code?: string; message?: string };
  const isFull = code === "53300" && message.startsWith("too many connections for role");
  const isBarred = code === "42501" && message.startsWith("permission denied for database");
  if (!refusals.test(code) && !isFull && !isBarred) return undefined;
  const role = /(?:user|role) "([^"]+)"/.exec(message)?.[1] ?? "";
  if (isFull) return `The database refused a login: ${message}. Set: alter role ${role} connection limit -1`;
  if (code === "3D000")
    return `The database refused a login: ${message}. Correct DATABASE_URL, or create the database.`;
  if (isBarred) {
    return `The database refused a login: ${message}. Correct DATABASE_URL. If it names the right database, run: botstead migrate`;
  }
  if (!(loginRoles as readonly string[]).includes(role)) {
    return `The database refused the login of DATABASE_URL: ${message}. Correct its user and password.`;
  }
  return (
    `The database refused the login "${role}": ${message}. Its password is derived from the master key. ` +
    'Set MASTER_KEY to the key of the last "botstead migrate" on this database. If the role was changed by hand, run: botstead migrate --repair'
  );
}

/**
 * Logs in once as each role. An unreachable database is no fault here: the process starts and waits for it.
 *
 * @param use what to do with each session
 * @throws Error if the database refuses a login, for instance because the master key is wrong
 * @throws OtherVersionError as `use` does
 */
export async function requireLogins(
  roles: LoginRole[],
  adminUrl: string,
  key: MasterKey,
  use: (client: Client) => Promise<void> = async () => {},
): Promise<void> {
  for (const role of roles) {
    const client = new Client({
      connectionString: urlAs(role, adminUrl, key),
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
      application_name: "botstead, checking its login",
    });
    client.on("error", () => {});
    try {
      await client.connect();
      await use(client);
    } catch (error) {
      const isRefused = (error as { code?: string }).code !== "53300" && refusedLogin(error) !== undefined;
      if (isRefused || error instanceof OtherVersionError) throw error;
    } finally {
      await client.end();
    }
  }
}

/** The roles that can't log in, with the message of the database. An unreachable database refuses none. */
export async function refusedLogins(
  roles: LoginRole[],
  adminUrl: string,
  key: MasterKey,
): Promise<{ role: LoginRole; reason: string }[]> {
  const refused: { role: LoginRole; reason: string }[] = [];
  for (const role of roles) {
    const client = new Client({ connectionString: urlAs(role, adminUrl, key), connectionTimeoutMillis: 5_000 });
    client.on("error", () => {});
    try {
      await client.connect();
    } catch (error) {
      if (refusedLogin(error) !== undefined) refused.push({ role, reason: (error as Error).message });
    } finally {
      await client.end();
    }
  }
  return refused;
}
