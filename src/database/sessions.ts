/** Sessions of a migration, and the facts of the server that it needs. */
import type { Client } from "pg";
import { openSession } from "./connections/session.ts";

/**
 * For sessions of migrations and of the audit. Changed defaults of the server, the database or all roles must neither end
 * such a session nor make it fail.
 */
export const unhindered = `
  set statement_timeout = 0; set transaction_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0;
  set row_security = on; set default_transaction_isolation = 'read committed'; set restrict_nonsystem_relation_kind = '';
  set standard_conforming_strings = on; set quote_all_identifiers = off; set "DateStyle" = 'ISO';
  set "IntervalStyle" = 'postgres'; set bytea_output = hex; set extra_float_digits = 1; set array_nulls = on;
  set transform_null_equals = off`;

/** PostgreSQL 18.4 fixed eleven vulnerabilities. */
const oldestServer = 180004;

export async function loginOf(admin: Client): Promise<string> {
  const { rows } = await admin.query<{ login: string }>(
    "select session_user || coalesce(' from ' || host(inet_client_addr()), '') as login",
  );
  return rows[0]?.login ?? "";
}

export async function asOwner<T>(ownerUrl: string, use: (owner: Client) => Promise<T>): Promise<T> {
  const owner = await connect(ownerUrl);
  try {
    return await use(owner);
  } finally {
    await owner.end();
  }
}

export async function connect(connectionString: string): Promise<Client> {
  const client = await openSession(connectionString, "botstead migrate");
  await client.query(`${unhindered}; set default_transaction_read_only = off; set search_path = "$user", public`);
  return client;
}

/** As PostgreSQL counts: 180004 is version 18.4. */
export async function serverVersion(client: Client): Promise<number> {
  const { rows } = await client.query<{ number: number }>(
    "select current_setting('server_version_num')::integer as number",
  );
  return rows[0]?.number ?? 0;
}

export function refuseOldServer(server: number): void {
  if (server >= oldestServer) return;
  const name = `${Math.trunc(server / 10_000)}.${server % 10_000}`;
  throw new Error(`Botstead needs PostgreSQL 18.4 or later; this server is ${name}.`);
}
