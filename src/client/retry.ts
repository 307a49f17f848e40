/**
 * Retries: a request is sent again only if it cannot take effect twice.
 *
 * - GET changes nothing.
 * - POST has an Idempotency-Key: the API does not perform it twice.
 * - PATCH and DELETE have no such key. A late PATCH could undo a newer change, and a repeated DELETE gets a 404. They are
 *   retried only if it is certain that the API did not perform them.
 */
import { type BotsteadError, systemCodeOf } from "./error.ts";

export type RetryOptions = {
  maxRetries: number;
  /** The first delay in milliseconds; it doubles with each retry. */
  backoffMs: number;
  /** The longest delay in milliseconds, without jitter. If the API asks for a longer one, the request fails at once. */
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

/** Returns the delay in milliseconds, or undefined for no retry. `attempt` is the number of the failed attempt, from 1. */
export function delayAfter(
  error: BotsteadError,
  { method, attempt, retry }: { method: string; attempt: number; retry: RetryOptions },
): number | undefined {
  if (attempt > retry.maxRetries || !mayBeSentAgain(error, method)) return undefined;
  if (error.retryAfterMs !== undefined) {
    if (error.retryAfterMs > retry.maxDelayMs) return undefined;
    return error.retryAfterMs * (1 + Math.random() / 10); // jitter
  }
  const maxMs = Math.min(retry.backoffMs * 2 ** (attempt - 1), retry.maxDelayMs);
  return maxMs * (0.5 + Math.random() / 2);
}

function mayBeSentAgain(error: BotsteadError, method: string): boolean {
  // An internal error would most likely recur.
  if (!error.retryable || error.code === "internal") return false;
  if (method === "GET" || method === "POST") return true;
  return error.code === "rate_limited" || (error.code === "network" && wasNeverSent(error));
}

function wasNeverSent(error: BotsteadError): boolean {
  return neverConnected.has(systemCodeOf(error.cause) ?? "");
}
