/** The pending work of a migration, and changes by hand, also of logins that the database refuses. */
import type { MasterKey } from "../secrets/master-key.ts";
import type { Difference } from "./builds.ts";
import { describeMissingRight, type Inspection, inspect } from "./inspection.ts";
import { refusedLogin, refusedLogins } from "./logins.ts";
import { loginsOf } from "./role-passwords.ts";
import { asOwner, connect, serverVersion } from "./sessions.ts";
import { urlAs } from "./urls.ts";

/** Changes nothing. Undefined before the first migration. */
export async function inspectDatabase(adminUrl: string, key: MasterKey): Promise<Inspection | undefined> {
  const admin = await connect(adminUrl);
  try {
    const found = await asOwner(urlAs("owner", adminUrl, key), async (owner) => {
      await owner.query("set default_transaction_read_only = on");
      return inspect(owner, await serverVersion(owner), true);
    });
    const refused = await refusedLogins(await loginsOf(admin, key), adminUrl, key);
    return { ...found, differences: [...found.differences, ...differencesOfLogins(refused, found.differences)] };
  } catch (error) {
    const { rowCount } = await admin.query("select from pg_roles where rolname = 'owner'");
    const { code = "" } = error as { code?: string };
    if (rowCount === 1 && code !== "42501" && refusedLogin(error) !== undefined) throw error;
    return ignoreMissingLogin(error);
  } finally {
    await admin.end();
  }
}

/** Refused logins, except of roles whose differences are known. */
export function differencesOfLogins(
  refused: Awaited<ReturnType<typeof refusedLogins>>,
  known: Difference[] = [],
): Difference[] {
  return refused
    .map(({ role, reason }) => ({
      ...{ object: `role ${role}`, change: `the database refuses its login: ${reason}` },
      ...{ built: null, present: null },
    }))
    .filter(({ object }) => !known.some((difference) => difference.object === object));
}

/** Before the first migration owner does not exist, or may not connect. By hand it may get a connection limit. */
export function ignoreMissingLogin(error: unknown): undefined {
  const { code = "", message } = error as { code?: string; message: string };
  const mayNotConnect = code === "42501" && message.startsWith("permission denied for database");
  const isFull = code === "53300" && message.startsWith("too many connections for role");
  if (!["28P01", "28000"].includes(code) && !mayNotConnect && !isFull) throw describeMissingRight(error);
}
