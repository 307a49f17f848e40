/**
 * Logins of executors that are not ours. Each is a role of its own with a password of its own, which may do what `runner`
 * may and nothing else: so one can be handed out, found in pg_stat_activity and taken back without touching another, and
 * nobody is given a password that follows from the master key.
 */
import { randomBytes } from "node:crypto";
import { type Client, escapeIdentifier, escapeLiteral } from "pg";
import { executorLogins, roleSettings, scramVerifier, setAll } from "./roles.ts";

const { prefix, mark } = executorLogins;

export type ExecutorLogin = { name: string; expires: Date; connected: number };

/** Makes a login of this name (a to z, digits and _, 1 to 40) and answers its role and password. @throws Error in a sentence */
export async function makeExecutorLogin(
  admin: Client,
  name: string,
  days: number,
): Promise<{ role: string; password: string }> {
  const role = `${prefix}${name}`;
  const quoted = escapeIdentifier(role);
  const password = randomBytes(32).toString("base64url");
  await admin.query("begin");
  try {
    const { rowCount } = await admin.query("select from pg_roles where rolname = $1", [role]);
    if (rowCount) throw new Error(`There is a login of the name ${name} already.`);
    const { rows } = await admin.query<{ until: string }>("select (now() + make_interval(days => $1))::text as until", [
      days,
    ]);
    await admin.query(
      `create role ${quoted} nosuperuser nocreatedb nocreaterole login
       password ${escapeLiteral(scramVerifier(password))} valid until ${escapeLiteral(rows[0]?.until ?? "")}`,
    );
    await admin.query(`grant runner to ${quoted} with inherit true, set false`);
    await setAll(admin, role, Object.entries(roleSettings.runner ?? {}));
    await admin.query(`comment on role ${quoted} is ${escapeLiteral(mark)}`);
    await admin.query("commit");
  } catch (error) {
    await admin.query("rollback");
    throw error;
  }
  return { role, password };
}

export async function listExecutorLogins(admin: Client): Promise<ExecutorLogin[]> {
  const { rows } = await admin.query<ExecutorLogin>(
    `select substr(rolname, length($1) + 1) as name, rolvaliduntil as expires,
       (select count(*)::integer from pg_stat_activity where usename = rolname) as connected
     from pg_roles
     where starts_with(rolname, $1) and shobj_description(oid, 'pg_authid') = $2
     order by rolname`,
    [prefix, mark],
  );
  return rows;
}

/**
 * Takes a login back at once: who is connected by it may do nothing from then on, and is cut off. Answers whether there was one.
 * Who may make roles is no member of those they made; but only members, or a superuser, may end a session.
 */
export async function revokeExecutorLogin(admin: Client, name: string): Promise<boolean> {
  const known = await listExecutorLogins(admin);
  if (!known.some((login) => login.name === name)) return false;
  const role = `${prefix}${name}`;
  const quoted = escapeIdentifier(role);
  await admin.query(`alter role ${quoted} nologin`);
  await admin.query(`revoke runner from ${quoted}`);
  await admin.query(`grant ${quoted} to current_user with inherit true`);
  await admin.query("select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = $1", [role]);
  await admin.query(`drop role ${quoted}`);
  return true;
}
