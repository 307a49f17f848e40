/** Distinguishes outages, which get a 503 and are retried, from our own faults. */
import { setTimeout as sleep } from "node:timers/promises";

/**
 * SQLSTATE classes: connection, resources, operator intervention. Codes: lock time-out, deadlock, serialisation
 * failure, a server that is not promoted yet, a prepared statement that failed for another caller of the same
 * connection.
 */
const sqlStates = /^(08|53|57)|^(55P03|40001|40P01|25P03|25006|26000)$/;

/** Socket errors, and messages of pg that have no code. */
const systemCodes = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN", "deadline"]);
const messagesOfPg =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|not queryable|Client was closed|Cannot use a pool after|timeout expired/i;

/** Errors, without effects, of statements that run while `botstead migrate` replaces functions, views or grants. */
const concurrentMigration: Record<string, RegExp> = {
  XX000: /^(cache lookup failed for|could not open relation with OID|tuple concurrently)/,
  42501: /^permission denied for table /,
};

/** Compares codes and messages instead of classes: socket errors can come from another realm. */
export function isOutage(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, message, errors, where } = error as Partial<Record<"code" | "message" | "errors" | "where", unknown>>;
  if (Array.isArray(errors)) return errors.some(isOutage);
  if (typeof code === "string" && (sqlStates.test(code) || systemCodes.has(code))) return true;
  // Our own statement names a missing function: the definitions are of another version, which a retry may find
  // replaced. If the error came from inside a function, `where` is set, and it is our own fault.
  if (code === "42883" && where === undefined) return true;
  if (typeof message !== "string") return false;
  if (typeof code === "string" && concurrentMigration[code]?.test(message)) return true;
  return messagesOfPg.test(message);
}

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
