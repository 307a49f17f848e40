/** Passwords of roles: derived from the master key, stored as verifiers, and marked in the comment of the role. */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import type { Client } from "pg";
import { ifKeyIsLost, type MasterKey } from "../secrets/master-key.ts";
import { type LoginRole, loginRoles } from "./roles.ts";

/** A password as PostgreSQL stores it (RFC 5803), so that no statement contains the password. */
export function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, 4096, 32, "sha256");
  const hmac = (text: string) => createHmac("sha256", salted).update(text).digest();
  const stored = createHash("sha256").update(hmac("Client Key")).digest("base64");
  return `SCRAM-SHA-256$4096:${salt.toString("base64")}$${stored}:${hmac("Server Key").toString("base64")}`;
}

/** The end of a role's mark. The stored verifier only changes with it, since poolers have a copy (docs/database.md). */
export const digestOf = (password: string): string => createHash("sha256").update(password).digest("hex").slice(0, 12);

/** Existing logins whose password comes from this master key, as far as their marks say. */
export async function loginsOf(admin: Client, key: MasterKey): Promise<LoginRole[]> {
  const { rows } = await admin.query<{ name: LoginRole; mark: string | null }>(
    `select rolname as name, shobj_description(oid, 'pg_authid') as mark from pg_roles where rolname = any ($1)`,
    [loginRoles],
  );
  return rows.filter(({ name, mark }) => mark?.endsWith(`[${digestOf(key.password(name))}]`)).map(({ name }) => name);
}

export const otherMasterKey =
  "The logins of this cluster have passwords of another master key. Nothing was changed. Set MASTER_KEY to the key of the " +
  `last "botstead migrate". ${ifKeyIsLost}`;
