/**
 * Addresses of the database: whoever administers it gives one, and each part of Botstead logs in there as its own role.
 */
import type { MasterKey } from "../secrets/master-key.ts";
import type { LoginRole } from "./roles.ts";

/** The same server and database, as one of our roles. */
export function urlAs(role: LoginRole, adminUrl: string, key: MasterKey): string {
  const url = new URL(adminUrl);
  url.username = role;
  url.password = key.password(role);
  return url.href;
}

/** The same server and login, another database. */
export function urlOfDatabase(database: string, url: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}
