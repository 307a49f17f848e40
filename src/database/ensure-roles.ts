/**
 * Creates the roles in the cluster. A role of ours has our mark in its comment; migrate refuses a role of the same name
 * without it.
 */
import { type Client, escapeIdentifier, escapeLiteral } from "pg";
import type { MasterKey } from "../secrets/master-key.ts";
import { digestOf, otherMasterKey, scramVerifier } from "./role-passwords.ts";
import { type Change, writeAttributes, writeSettings } from "./role-settings.ts";
import { executorLogins, type LoginRole, loginRoles, purposes } from "./roles.ts";

/**
 * Errors when another session, possibly in another database of this cluster, created or changed a role or a privilege
 * at the same time.
 */
const conflicts = ["42710", "23505", "XX000"];

/** Does work in a transaction, up to ten times while another session changes the same roles or privileges. */
export async function retryConflicts(admin: Client, work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await admin.query("begin");
    try {
      await work();
      await admin.query("commit");
      return;
    } catch (error) {
      await admin.query("rollback");
      if (!conflicts.includes((error as { code?: string }).code ?? "") || tries === 10) throw error;
    }
  }
}

type Options = {
  /** Also replace passwords of another master key. */
  replace?: boolean;
  /** Roles whose passwords were changed by hand. */
  changed?: LoginRole[];
  /** Receives a sentence for each existing role that is changed. */
  progress?: (sentence: string) => void;
};

/**
 * Creates missing roles, and sets the passwords derived from the master key and the settings; all or none. Changes
 * nothing that is already right.
 *
 * @throws Error if a role with one of these names is not ours, or has a password of another master key
 */
export async function ensureRoles(admin: Client, key: MasterKey, options: Options = {}): Promise<void> {
  let changes: string[] = [];
  await retryConflicts(admin, async () => {
    changes = await writeRoles(admin, key, options);
  });
  for (const change of changes) options.progress?.(change);
}

/** @returns a sentence for each change of a role that existed */
async function writeRoles(
  admin: Client,
  key: MasterKey,
  { replace = false, changed = [] }: Options,
): Promise<string[]> {
  const { rows: found } = await admin.query<{ name: string; mark: string | null }>(
    `select rolname as name, shobj_description(oid, 'pg_authid') as mark from pg_roles where rolname = any ($1)`,
    [Object.keys(purposes)],
  );
  const marks = new Map(found.map((role) => [role.name, role.mark ?? ""]));
  for (const [role, purpose] of Object.entries(purposes)) {
    const login = loginRoles.includes(role as LoginRole);
    const password = login ? key.password(role) : undefined;
    const digest = digestOf(password ?? "");
    const mark = `Botstead: ${purpose} [${digest}]`;
    const current = marks.get(role);
    const isChanged = changed.includes(role as LoginRole);
    if (current === mark && !isChanged) continue;
    if (current !== undefined && !current.startsWith("Botstead: ")) {
      throw new Error(
        `A role named "${role}" exists in this cluster and does not belong to Botstead: rename it, or give Botstead its own cluster.`,
      );
    }
    const hasPassword = current?.endsWith(`[${digest}]`) ?? false;
    if (password && !hasPassword && !replace && /\[[0-9a-f]{12}\]$/.test(current ?? "")) {
      throw new Error(otherMasterKey);
    }
    const name = escapeIdentifier(role);
    if (current === undefined) await admin.query(`create role ${name} nosuperuser nocreatedb nocreaterole`);
    if (password && (!hasPassword || isChanged)) {
      await admin.query(`alter role ${name} login password ${escapeLiteral(scramVerifier(password))}`);
    }
    await admin.query(`comment on role ${name} is ${escapeLiteral(mark)}`);
  }
  const changes = [
    ...(await writeAttributes(admin)),
    ...(await writeSettings(admin)),
    ...(await writeMemberships(admin)),
  ];
  if (await mayGrant(admin, "pg_monitor")) {
    await admin.query("grant pg_monitor to owner with inherit true, set false"); // for operator.measure_postgres
  }
  for (const login of await executorRoles(admin)) {
    await admin.query(executorMembership(login));
  }
  return changes.filter(({ role }) => marks.has(role)).map(({ role, change }) => `Role ${role}: ${change}`);
}

/** Granted role, member and options. */
const memberships = [
  ["tenant", "owner", "inherit false, set true"], // so that owner can transfer api.handle
  ["authenticator", "owner", "inherit false, set true"], // so that owner can transfer caller.authenticate
  ["searcher", "owner", "inherit false, set true"], // so that owner can transfer search.memories
  ["worker", "owner", "inherit true, set false"], // to read the start of its sessions (service.live_worker_pools)
  ["executor", "runner", "inherit true, set false"],
  ["operator", "cli", "inherit true, set false"], // the command line reads and acts as the console does
] as const;

async function writeMemberships(admin: Client): Promise<Change[]> {
  const { rows } = await admin.query<{ text: string }>(
    `select format('%s to %s with inherit %s, set %s', roleid::regrole, member::regrole, inherit_option::text, set_option::text) as text
     from pg_auth_members`,
  );
  const changes: Change[] = [];
  for (const [granted, role, options] of memberships) {
    const membership = `${granted} to ${role} with ${options}`;
    if (rows.some(({ text }) => text === membership)) continue;
    await admin.query(`grant ${membership}`);
    changes.push({ role, change: `granted ${granted}` });
  }
  return changes;
}

/** An administrator that is not a superuser may lack this: then the metrics that need the role are missing. */
async function mayGrant(admin: Client, role: string): Promise<boolean> {
  const { rows } = await admin.query<{ may: boolean }>(
    "select pg_has_role(current_user, $1, 'member with admin option') as may",
    [role],
  );
  return rows[0]?.may ?? false;
}

/** Membership and connection limit of an executor's login; owner may end its sessions. */
export function executorMembership(login: string): string {
  const name = escapeIdentifier(login);
  return `
    alter role ${name} connection limit ${executorLogins.maxConnections};
    grant executor to ${name} with inherit true, set false;
    grant ${name} to owner with inherit true, set false; -- to end its sessions (jobs.end_overlong_sessions)
  `;
}

async function executorRoles(admin: Client): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    `select rolname as name from pg_roles
     where starts_with(rolname, $1) and shobj_description(oid, 'pg_authid') ~ $2 order by 1`,
    [executorLogins.prefix, executorLogins.marked],
  );
  return rows.map(({ name }) => name);
}
