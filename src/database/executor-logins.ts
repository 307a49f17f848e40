/**
 * Logins of external executors. Each has its own role and random password, and is only a member of `executor`. So an
 * operator can mint, find in pg_stat_activity and revoke one without changing another.
 */
import { randomBytes } from "node:crypto";
import { type Client, escapeIdentifier, escapeLiteral } from "pg";
import { executorMembership } from "./ensure-roles.ts";
import { scramVerifier } from "./role-passwords.ts";
import { setAll } from "./role-settings.ts";
import { executorLogins, roleSettings } from "./roles.ts";

const { prefix, mark, marked } = executorLogins;

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
  const role = `${prefix}${name}`;
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
    await admin.query(
      `create role ${quoted} nosuperuser nocreatedb nocreaterole login
       password ${escapeLiteral(scramVerifier(password))} valid until ${escapeLiteral(rows[0]?.until ?? "")}`,
    );
    await admin.query(executorMembership(role));
    await setAll(admin, role, Object.entries(roleSettings.runner ?? {}));
    await admin.query(`comment on role ${quoted} is ${escapeLiteral(mark + (rows[0]?.database ?? ""))}`);
    await note();
    await admin.query("commit");
  } catch (error) {
    await admin.query("rollback");
    throw error;
  }
  return { role, password };
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
  const role = `${prefix}${name}`;
  const quoted = escapeIdentifier(role);
  await admin.query(`alter role ${quoted} nologin`);
  await admin.query(`revoke executor from ${quoted}`);
  await admin.query(`grant ${quoted} to current_user with inherit true`);
  await admin.query("select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = $1", [role]);
  await admin.query(`drop role ${quoted}`);
  return true;
}
