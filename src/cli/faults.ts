/** Describes errors for the person who runs a command: what is wrong, and what to do. */
import { isOutage } from "../database/outage.ts";
import { loginRoles } from "../database/roles.ts";
import { fileFault } from "./file-faults.ts";

type Fault = Error & { code?: string; where?: string };

export function describeFault(error: Error): string {
  const file = fileFault(error);
  if (file !== undefined) return file;
  const { code = "", message } = error as Fault;
  if (code.startsWith("28")) return refusedLogin(message);
  if (isUnmigrated(error)) {
    return `The database has not been migrated to this version (${message}). Run: botstead migrate`;
  }
  // Connecting to a name with several addresses fails with one error per address and an empty message.
  const reason = (error instanceof AggregateError ? (error.errors as Error[]) : [error])
    .map((each) => each.message)
    .join("; ");
  return isOutage(error) ? `The database can't be reached: ${reason}.` : reason;
}

/** A schema, table or function that the command's own statement names is missing. */
function isUnmigrated(error: Fault): boolean {
  return ["3F000", "42P01", "42883"].includes(error.code ?? "") && error.where === undefined;
}

function refusedLogin(message: string): string {
  const role = /"([^"]+)"/.exec(message)?.[1] ?? "";
  if (!(loginRoles as readonly string[]).includes(role)) {
    return `The database refused the login of DATABASE_URL: ${message}. Correct its user and password.`;
  }
  return (
    `The database refused the login "${role}", whose password is derived from the master key: either MASTER_KEY differs from the key ` +
    `of the last "botstead migrate", or that has not run on this database.`
  );
}
