/**
 * Which failures are an outage, to be answered with 503 and to be tried again, and which are our own fault.
 */

/** Classes and codes of SQLSTATE: connection, resources, operator intervention, locks not had in time, deadlock. */
const sqlStates = /^(08|53|57)|^(55P03|40001|40P01|25P03)$/;

/** What sockets report, and what pg says without a code. */
const systemCodes = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN", "deadline"]);
const messagesOfPg =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|not queryable|Client was closed|Cannot use a pool after|timeout expired/i;

export function isOutage(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isOutage);
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === "string" && (sqlStates.test(code) || systemCodes.has(code))) return true;
  return messagesOfPg.test(error.message);
}
