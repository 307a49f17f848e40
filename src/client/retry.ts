/**
 * What may be sent again without anybody asking, and when. The rule: only where a second effect is impossible.
 *
 * - GET changes nothing.
 * - POST carries an Idempotency-Key: what was done already is answered again and not done again.
 * - PATCH and DELETE have no such key. Sent again late, a PATCH could undo what somebody wrote in between, and a DELETE
 *   would be told that there is nothing there. They are sent again only when it is certain that nothing was done.
 */
import { type BotsteadError, systemCodeOf } from "./error.ts";

export type Patience = {
  maxRetries: number;
  /** The first wait; it doubles with each try. */
  backoffMs: number;
  /** No wait is longer, but for the tenth that is added by chance. Who is told to come back later is refused at once. */
  maxDelayMs: number;
};

const neverConnected = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Milliseconds until the next try, or undefined when there is to be none. `attempt` is the one that failed, from 1. */
export function delayAfter(
  error: BotsteadError,
  { method, attempt, patience }: { method: string; attempt: number; patience: Patience },
): number | undefined {
  if (attempt > patience.maxRetries || !mayBeSentAgain(error, method)) return undefined;
  if (error.retryAfterMs !== undefined) {
    if (error.retryAfterMs > patience.maxDelayMs) return undefined;
    return error.retryAfterMs * (1 + Math.random() / 10); // so that those who were refused together don't return together
  }
  const longest = Math.min(patience.backoffMs * 2 ** (attempt - 1), patience.maxDelayMs);
  return longest * (0.5 + Math.random() / 2);
}

function mayBeSentAgain(error: BotsteadError, method: string): boolean {
  // An internal fault of the service would most likely come again, and it was noticed there.
  if (!error.retryable || error.code === "internal") return false;
  if (method === "GET" || method === "POST") return true;
  return error.code === "rate_limited" || (error.code === "network" && wasNeverSent(error));
}

function wasNeverSent(error: BotsteadError): boolean {
  return neverConnected.has(systemCodeOf(error.cause) ?? "");
}
