/**
 * Which failures are an outage, to be answered with 503 and to be tried again, and which are our own fault.
 */

import { setTimeout as sleep } from "node:timers/promises";

/**
 * Classes and codes of SQLSTATE: connection, resources, operator intervention, locks not had in time, deadlock, a server that
 * is not promoted yet; and a statement without its name, since who was first to send it, on the same connection, failed.
 */
const sqlStates = /^(08|53|57)|^(55P03|40001|40P01|25P03|25006|26000)$/;

/** What sockets report, and what pg says without a code. */
const systemCodes = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN", "deadline"]);
const messagesOfPg =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|not queryable|Client was closed|Cannot use a pool after|timeout expired/i;

/**
 * What a statement meets whose functions or views `botstead migrate` replaces while it runs, or that comes between its two
 * halves, when a table is new and nobody has been granted anything on it yet. Nothing of it is done.
 */
const replacedMeanwhile: Record<string, RegExp> = {
  XX000: /^(cache lookup failed for|could not open relation with OID|tuple concurrently)/,
  42501: /^permission denied for table /,
};

/** Told by what an error says and not by its class: sockets raise theirs in a realm that need not be ours. */
export function isOutage(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, message, errors, where } = error as Partial<Record<"code" | "message" | "errors" | "where", unknown>>;
  if (Array.isArray(errors)) return errors.some(isOutage);
  if (typeof code === "string" && (sqlStates.test(code) || systemCodes.has(code))) return true;
  // A function that our own statement names is not there: the definitions are of another version, and so is whoever answers
  // when it is asked again. Within a function it would be our own fault, and says where.
  if (code === "42883" && where === undefined) return true;
  if (typeof message !== "string") return false;
  if (typeof code === "string" && replacedMeanwhile[code]?.test(message)) return true;
  return messagesOfPg.test(message);
}

const patienceMs = 30_000;
const pauseMs = 250;

/**
 * Does it again for as long as an outage is what keeps it from being done: for half a minute, or until `giveUp` aborts.
 * Only for what does no harm when it is done twice, since the answer may be all that got lost.
 */
export async function despiteOutages<T>(work: () => Promise<T>, giveUp?: AbortSignal): Promise<T> {
  for (const until = performance.now() + patienceMs; ; await sleep(pauseMs)) {
    try {
      return await work();
    } catch (error) {
      if (!isOutage(error) || giveUp?.aborted || performance.now() > until) throw error;
    }
  }
}
