/** Database URLs. The operator configures one; each process logs in as its own role. */
import type { MasterKey } from "../secrets/master-key.ts";
import type { LoginRole } from "./roles.ts";

/** The same server and database, without user and password. */
export function withoutLogin(address: string): string {
  const url = new URL(address);
  url.username = "";
  url.password = "";
  for (const name of ["user", "password"]) url.searchParams.delete(name); // the driver would prefer them
  return url.href;
}

/** The same server and database, as one of Botstead's roles. */
export function urlAs(role: LoginRole, adminUrl: string, key: MasterKey): string {
  const url = new URL(withoutLogin(adminUrl));
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
