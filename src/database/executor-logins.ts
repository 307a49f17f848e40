/**
 * Logins of external executors. Each has its own role and random password, is only a member of `executor`, and connects
 * to the database that minted it. So an operator can mint, find in pg_stat_activity and revoke one without changing another.
 */
import { randomBytes } from "node:crypto";
import { type Client, escapeIdentifier, escapeLiteral } from "pg";
import { executorMembership } from "./ensure-roles.ts";
import { scramVerifier } from "./role-passwords.ts";
import { setAll } from "./role-settings.ts";
import { executorLogins, roleSettings } from "./roles.ts";

const { prefix, mark, marked } = executorLogins;

/** The role of the executor that an operator names so. */
export const roleOfExecutor = (name: string): string => prefix + name;

export type ExecutorLogin = { name: string; expires: Date; connected: number };

/**
 * Creates a login (name: a to z, digits and _, 1 to 40) and returns its role and password.
 *
 * @param note records the login before the commit
 * @throws Error if the login exists
 */
export async function makeExecutorLogin(
  admin: Client,
  name: string,
  days: number,
  note: () => Promise<void>,
): Promise<{ role: string; password: string }> {
  const role = roleOfExecutor(name);
  const quoted = escapeIdentifier(role);
  const password = randomBytes(32).toString("base64url");
  await admin.query("begin");
  try {
    const { rowCount } = await admin.query("select from pg_roles where rolname = $1", [role]);
    if (rowCount) throw new Error(`A login named ${name} exists already.`);
    const { rows } = await admin.query<{ until: string; database: string }>(
      "select (now() + make_interval(days => $1))::text as until, current_database() as database",
      [days],
    );
    const database = rows[0]?.database ?? "";
    await admin.query(
      `create role ${quoted} nosuperuser nocreatedb nocreaterole login
       password ${escapeLiteral(scramVerifier(password))} valid until ${escapeLiteral(rows[0]?.until ?? "")}`,
    );
    await admin.query(executorMembership(role));
    await letConnect(admin, role, database);
    await setAll(admin, role, Object.entries(roleSettings.runner));
    await admin.query(`comment on role ${quoted} is ${escapeLiteral(mark + database)}`);
    await note();
    await admin.query("commit");
  } catch (error) {
    await admin.query("rollback");
    throw error;
  }
  return { role, password };
}

/** PostgreSQL only warns if this login may not grant that. */
async function letConnect(admin: Client, role: string, database: string): Promise<void> {
  await admin.query(`grant connect on database ${escapeIdentifier(database)} to ${escapeIdentifier(role)}`);
  const { rows } = await admin.query<{ may: boolean }>("select has_database_privilege($1, $2, 'connect') as may", [
    ...[role, database],
  ]);
  if (!rows[0]?.may)
    throw new Error(
      `The login of the administrator cannot let others connect to ${database}: it must own the database.`,
    );
}

/** Logins of this database, and those without a recorded database or with one that no longer exists. */
export async function listExecutorLogins(admin: Client): Promise<ExecutorLogin[]> {
  const { rows } = await admin.query<ExecutorLogin>(
    `select substr(rolname, length($1) + 1) as name, rolvaliduntil as expires,
       (select count(*)::integer from pg_stat_activity where usename = rolname) as connected
     from pg_roles
     where starts_with(rolname, $1) and shobj_description(oid, 'pg_authid') ~ $2
       and not exists (
         select from pg_database
         where datname <> current_database() and shobj_description(pg_roles.oid, 'pg_authid') = $3 || datname
       )
     order by rolname`,
    [prefix, marked, mark],
  );
  return rows;
}

/**
 * Revokes a login and ends its sessions. Returns false if there is no such login. `note` records it first. Ending a
 * session takes membership in its role, so the administrator becomes a member.
 */
export async function revokeExecutorLogin(admin: Client, name: string, note: () => Promise<void>): Promise<boolean> {
  const known = await listExecutorLogins(admin);
  if (!known.some((login) => login.name === name)) return false;
  await note();
  const role = roleOfExecutor(name);
  const quoted = escapeIdentifier(role);
  await admin.query(`alter role ${quoted} nologin`);
  await admin.query(`revoke executor from ${quoted}`);
  await admin.query(`grant ${quoted} to current_user with inherit true`);
  await admin.query("select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = $1", [role]);
  const { rows: databases } = await admin.query<{ name: string }>(
    "select distinct datname as name from pg_database, aclexplode(datacl) given where given.grantee = $1::regrole",
    [quoted],
  );
  for (const database of databases)
    await admin.query(`revoke all on database ${escapeIdentifier(database.name)} from ${quoted}`);
  await admin.query(`drop role ${quoted}`);
  return true;
}
