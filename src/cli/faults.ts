/** Describes errors for the person who runs a command: what is wrong, and what to do. */
import { refusedLogin } from "../database/logins.ts";
import { isOutage } from "../database/outage.ts";
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
  return isOutage(error) ? `The database can't be reached: ${reason}.` : reason;
}

/** A schema, table or function that the command's own statement names is missing. */
function isUnmigrated(error: Fault): boolean {
  return ["3F000", "42P01", "42883"].includes(error.code ?? "") && error.where === undefined;
}
