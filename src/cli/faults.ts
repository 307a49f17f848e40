/** Describes errors for the person who runs a command: what is wrong, and what to do. */
import { refusedLogin } from "../database/logins.ts";
import { outageReason } from "../database/outage.ts";
import { fileFault } from "./file-faults.ts";

type Fault = Error & { code?: string; where?: string };

export function describeFault(error: Error): string {
  const file = fileFault(error);
  if (file !== undefined) return file;
  const { message } = error as Fault;
  const login = refusedLogin(error);
  if (login !== undefined) return login;
  if (isUnmigrated(error)) {
    return `The database has not been migrated to this version (${message}). Run: botstead migrate`;
  }
  // Connecting to a name with several addresses fails with one error per address and an empty message.
  const reason = (error instanceof AggregateError ? (error.errors as Error[]) : [error])
    .map((each) => each.message)
    .join("; ");
  const outage = outageReason(error);
  if (outage === undefined) return reason;
  return unreached.has(outage) ? `The database can't be reached: ${reason}.` : `The database refused: ${reason}.`;
}

const unreached = new Set([
  ...["database_unreachable", "connection_lost", "no_connection", "database_unresponsive", "deadline"],
]);

/** A schema, table or function that the command's own statement names is missing. */
function isUnmigrated(error: Fault): boolean {
  return ["3F000", "42P01", "42883"].includes(error.code ?? "") && error.where === undefined;
}
