/** Distinguishes outages and refused logins, which get a 503 and are retried, from our own faults. */
import { setTimeout as sleep } from "node:timers/promises";
import { refusedLogin } from "./logins.ts";

/** Reasons by SQLSTATE, class or condition, or by the code of a socket error. The first that matches counts. */
const reasonsByCode: [RegExp, string][] = [
  [/^57014$/, "statement_timeout"],
  [/^(08|57|25P03)/, "connection_lost"],
  [/^53100$/, "disk_full"],
  [/^53300$/, "too_many_connections"],
  [/^53/, "insufficient_resources"],
  [/^55P03$/, "lock_timeout"],
  [/^OA002$/, "organisation_elsewhere"],
  [/^40(001|P01)$/, "deadlock"],
  [/^25006$/, "standby"], // a server that is not promoted yet
  [/^26000$/, "connection_lost"], // a prepared statement that failed for another caller of the same connection
  [/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/, "database_unreachable"],
  [/^(ECONNRESET|EPIPE|ETIMEDOUT)$/, "connection_lost"],
  [/^deadline$/, "deadline"],
];

/** Reasons by messages of pg that have no code. */
const reasonsByMessage: [RegExp, string][] = [
  [/timeout exceeded when trying to connect/i, "no_connection"],
  [/Query read timeout|timeout expired/i, "database_unresponsive"],
  [/Connection terminated|not queryable|Client was closed|Cannot use a pool after/i, "connection_lost"],
];

/** The name of errors of the directory (src/cells/directory/directory.ts). */
export const directoryErrorName = "DirectoryError";

/** Errors, without effects, of statements that run while `botstead migrate` replaces functions, views or grants. */
const concurrentMigration: Record<string, RegExp> = {
  XX000: /^(cache lookup failed for|could not open relation with OID|tuple concurrently)/,
  42501: /^permission denied for table /,
};

/**
 * Why an error is an outage; undefined for other errors. Compares codes and messages instead of classes: socket errors can come
 * from another realm. The words are for the log (docs/observing.md#logs).
 */
export function outageReason(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { code, message, errors, where, name } = error as Partial<
    Record<"code" | "message" | "errors" | "where" | "name", unknown>
  >;
  if (Array.isArray(errors)) return errors.map(outageReason).find((reason) => reason !== undefined);
  if (name === directoryErrorName) return "directory_away";
  if (refusedLogin(error) !== undefined) return "login_refused"; // an operator can change the login meanwhile
  if (typeof code === "string") {
    const known = reasonsByCode.find(([codes]) => codes.test(code));
    if (known) return known[1];
  }
  // Our own statement names a missing function: the definitions are of another version, which a retry may find
  // replaced. If the error came from inside a function, `where` is set, and it is our own fault.
  if (code === "42883" && where === undefined) return "migration";
  if (typeof message !== "string") return undefined;
  // The rows of an organisation were hidden while a transaction wrote them (sql/service/absence.sql). The name is in every language.
  if (isDeniedRow(error) && message.includes("botstead_move")) return "organisation_elsewhere";
  if (typeof code === "string" && concurrentMigration[code]?.test(message)) return "migration";
  return reasonsByMessage.find(([messages]) => messages.test(message))?.[1];
}

/** Whether the organisation of the call is in another cell. The call had no effect. (docs/moves.md) */
export const hasOrganisationMoved = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === "OA002";

/** Whether a policy or a missing grant denied a row or a table. */
export const isDeniedRow = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === "42501";

export const isOutage = (error: unknown): boolean => outageReason(error) !== undefined;

const retryTimeoutMs = 30_000;
const pauseMs = 250;

/** Repeats work that fails with an outage, for 30 s or until `stopping` aborts. The work must be safe to repeat. */
export async function retryOutages<T>(work: () => Promise<T>, stopping?: AbortSignal): Promise<T> {
  for (const until = performance.now() + retryTimeoutMs; ; await sleep(pauseMs)) {
    try {
      return await work();
    } catch (error) {
      if (!isOutage(error) || stopping?.aborted || performance.now() > until) throw error;
    }
  }
}
