/**
 * The roles of the database. They belong to the cluster and not to one database, hence they are made here and not in a
 * migration. A role of ours carries our mark in its comment: one of the same name that somebody else made is left alone.
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import { type Client, escapeIdentifier, escapeLiteral } from "pg";
import type { MasterKey } from "../secrets/master-key.ts";

export const loginRoles = ["owner", "server", "worker", "runner", "operator", "auditor"] as const;
export type LoginRole = (typeof loginRoles)[number];

const purposes: Record<LoginRole | "tenant" | "authenticator" | "searcher", string> = {
  owner: "migrations and definitions; not a superuser, held by forced row-level security",
  server: "what the API logs in as: owns nothing and may execute api.handle alone, counted before or not",
  tenant: "as whom every API call runs: cannot log in, owns no table, is held by every policy",
  authenticator:
    "as whom a credential is looked up: cannot log in, sees live credentials and admins' memberships alone",
  searcher: "as whom claims are looked up by words: cannot log in, reads neither subjects nor values",
  worker: "jobs and deliveries, through jobs.* alone; owns the schema of graphile_worker",
  runner: "executors of runs, through runner.* alone",
  operator: "the console and the operator's command line, through operator.* alone",
  auditor: "whoever examines the walls, through audit.* alone; reads and writes nothing",
};

/**
 * A session whose other side is gone without a word, as when its machine lost power, is ended within half a minute: what it
 * held, the sign of life of a worker above all, is free then and not after two hours.
 */
const endsWhenAlone = { tcp_keepalives_idle: "10", tcp_keepalives_interval: "5", tcp_keepalives_count: "4" };

/** How a role's sessions behave. Five seconds are what a caller may wait for an answer or a 503 (decisions: 503). */
export const roleSettings: Partial<Record<LoginRole, Record<string, string>>> = {
  server: {
    plan_cache_mode: "force_generic_plan",
    // A plan for all values cannot know that a page ends after fifty rows, and one made while a table was small is kept
    // while it grows. Everything here is found by a key and listed in the order of one: ways that read all there is
    // before they give the first row are ruled out. (docs/performance.md)
    enable_seqscan: "off",
    enable_bitmapscan: "off",
    enable_sort: "off",
    statement_timeout: "3000",
    lock_timeout: "2500",
    idle_in_transaction_session_timeout: "10000",
    jit: "off",
    TimeZone: "UTC",
    ...endsWhenAlone,
  },
  worker: { TimeZone: "UTC", jit: "off", statement_timeout: "60000", ...endsWhenAlone },
  // An executor finds its run by a key, however many others there are: never by reading all of them.
  runner: { TimeZone: "UTC", jit: "off", statement_timeout: "10000", enable_seqscan: "off", ...endsWhenAlone },
  // As for server; but ids are found by summaries of pages, which bitmaps read.
  operator: { TimeZone: "UTC", jit: "off", statement_timeout: "10000", enable_seqscan: "off", enable_sort: "off" },
  // Whoever examines waits longer than a caller does: some of the questions are about all there is.
  auditor: { TimeZone: "UTC", jit: "off", statement_timeout: "300000", default_transaction_read_only: "on" },
  owner: { TimeZone: "UTC" },
};

/** How the logins of executors that are not ours are told from others. (executor-logins.ts.) */
export const executorLogins = { prefix: "executor_", mark: "Botstead executor" };

/** What SQL is told of the roles, so that it can tell whether they are as they were made (sql/audit). */
export function describeRoles(): string {
  return JSON.stringify(
    Object.entries(purposes).map(([name, purpose]) => ({
      name,
      purpose,
      logs_in: loginRoles.includes(name as LoginRole),
      settings: roleSettings[name as LoginRole] ?? {},
    })),
  );
}

/** A password as PostgreSQL keeps it, so that the password itself is never in a statement. (RFC 5803.) */
export function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, 4096, 32, "sha256");
  const hmac = (text: string) => createHmac("sha256", salted).update(text).digest();
  const stored = createHash("sha256").update(hmac("Client Key")).digest("base64");
  return `SCRAM-SHA-256$4096:${salt.toString("base64")}$${stored}:${hmac("Server Key").toString("base64")}`;
}

/** What a role is refused with when another session, of another database of this cluster, made or changed it just now. */
const overtaken = ["42710", "23505", "XX000"];

/**
 * Makes the roles that are missing and gives each the password that follows from the master key, and the settings that
 * are its own: all of them or none. Changes nothing where all is as it should be.
 *
 * @throws Error in a sentence when a role of one of these names belongs to somebody else.
 */
export async function ensureRoles(admin: Client, key: MasterKey): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await admin.query("begin");
    try {
      await writeRoles(admin, key);
      await admin.query("commit");
      return;
    } catch (error) {
      await admin.query("rollback");
      if (!overtaken.includes((error as { code?: string }).code ?? "") || tries === 10) throw error;
    }
  }
}

async function writeRoles(admin: Client, key: MasterKey): Promise<void> {
  const { rows: found } = await admin.query<{ name: string; mark: string | null }>(
    `select rolname as name, shobj_description(oid, 'pg_authid') as mark from pg_roles where rolname = any ($1)`,
    [Object.keys(purposes)],
  );
  const marks = new Map(found.map((role) => [role.name, role.mark ?? ""]));
  for (const [role, purpose] of Object.entries(purposes)) {
    const login = loginRoles.includes(role as LoginRole);
    const password = login ? key.password(role) : undefined;
    // The mark ends in a digest of the password that the role was last given: what PostgreSQL keeps of it stays the same while
    // it is the same, since poolers are told (docs/database.md).
    const given = createHash("sha256")
      .update(password ?? "")
      .digest("hex");
    const mark = `Botstead: ${purpose} [${given.slice(0, 12)}]`;
    const current = marks.get(role);
    if (current === mark) continue;
    if (current !== undefined && !current.startsWith("Botstead: ")) {
      throw new Error(
        `A role named "${role}" is in this cluster already and was not made by Botstead; rename it, or give Botstead a cluster of its own.`,
      );
    }
    const name = escapeIdentifier(role);
    if (current === undefined) await admin.query(`create role ${name} nosuperuser nocreatedb nocreaterole`);
    if (password) await admin.query(`alter role ${name} login password ${escapeLiteral(scramVerifier(password))}`);
    await admin.query(`comment on role ${name} is ${escapeLiteral(mark)}`);
  }
  await writeSettings(admin);
  await admin.query(`
    grant tenant to owner with inherit false, set true; -- to hand api.handle to it
    grant authenticator to owner with inherit false, set true; -- to hand caller.authenticate to it
    grant searcher to owner with inherit false, set true; -- to hand search.claims to it
    grant worker to owner with inherit true, set false; -- to queue jobs from triggers
  `);
}

/**
 * Whatever somebody changed by hand, or an earlier version asked for, is as it should be afterwards. The logins of executors
 * (executor-logins.ts) have the settings of runner.
 */
async function writeSettings(admin: Client): Promise<void> {
  const { rows } = await admin.query<{ name: string; held: string[] }>(
    `select role.rolname as name, coalesce(held.setconfig, '{}') as held
     from pg_roles role
     left join pg_db_role_setting held on held.setrole = role.oid and held.setdatabase = 0
     where role.rolname = any ($1)
       or starts_with(role.rolname, $2) and shobj_description(role.oid, 'pg_authid') = $3`,
    [Object.keys(purposes), executorLogins.prefix, executorLogins.mark],
  );
  for (const { name, held } of rows) {
    const wanted =
      roleSettings[name as LoginRole] ?? (name.startsWith(executorLogins.prefix) ? roleSettings.runner : {});
    const settings = Object.entries(wanted ?? {});
    const missing = settings.filter(([setting, value]) => !held.includes(`${setting}=${value}`));
    if (missing.length === 0 && held.length === settings.length) continue;
    await admin.query(`alter role ${escapeIdentifier(name)} reset all`);
    await setAll(admin, name, settings);
  }
}

/** Settings of a role, for all its sessions to come. */
export async function setAll(admin: Client, role: string, settings: [string, string][]): Promise<void> {
  for (const [setting, value] of settings) {
    await admin.query(
      `alter role ${escapeIdentifier(role)} set ${escapeIdentifier(setting)} = ${escapeLiteral(value)}`,
    );
  }
}

/**
 * Lets owner make schemas in this database and everybody else of ours only connect.
 */
export async function ensureDatabase(admin: Client): Promise<void> {
  const name = await databaseName(admin);
  await admin.query(`
    revoke all on database ${name} from public;
    grant connect on database ${name} to server, worker, runner, operator, auditor;
    grant connect, create, temporary on database ${name} to owner;
    revoke all on schema public from public;
  `);
}

/** Runs `install` while worker may make schemas, which its library asks for even where its schema is there. */
export async function whileWorkerMayCreate(admin: Client, install: () => Promise<void>): Promise<void> {
  const name = await databaseName(admin);
  await admin.query(`grant create on database ${name} to worker`);
  try {
    await install();
  } finally {
    await admin.query(`revoke create on database ${name} from worker`);
  }
}

async function databaseName(admin: Client): Promise<string> {
  const { rows } = await admin.query<{ name: string }>("select current_database() as name");
  return escapeIdentifier(rows[0]?.name ?? "");
}
