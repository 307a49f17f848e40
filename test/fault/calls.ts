/**
 * Calls of a client that retries under the same Idempotency-Key until it gets a response. It records every try with its
 * outcome.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { systemCodeOf } from "../../src/client/error.ts";
import { isRefusalCode, type RefusalCode, refusals } from "../../src/contract/refusals.ts";

/** An effect of a call, identified by a unique text. */
export type Effect = { table: "memories" | "messages" | "api_keys"; mark: string };

export type Call = {
  method: "GET" | "POST" | "PATCH";
  /** Path relative to /api/v1. */
  path: string;
  key: string;
  body?: object;
  idempotencyKey?: string;
  effects: Effect[];
};

export type Answer = {
  status: number;
  text: string;
  requestId: string | null;
  /** Code of the error envelope. */
  code: string | undefined;
  replayed: boolean;
};

/** One try. Without a response, the call was interrupted, or is `unsent` because no server listened. */
export type Try = { tookMs: number; answer: Answer | undefined; unsent: boolean };

export const isCutOff = ({ answer, unsent }: Try): boolean => !answer && !unsent;

/** A call with all its tries. It has a response unless the client gave up. */
export type Made = Call & { tries: Try[]; answer: Answer | undefined };

const longestMs = 45_000;

export async function tryOnce(url: string, { method, path, key, body, idempotencyKey }: Call): Promise<Try> {
  const began = performance.now();
  try {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body ? { "content-type": "application/json" } : {}),
        ...(idempotencyKey ? { "idempotency-key": idempotencyKey } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(longestMs),
    });
    const text = await response.text();
    const answer = {
      status: response.status,
      text,
      requestId: response.headers.get("x-request-id"),
      code: refusalIn(response.status, text)?.code,
      replayed: response.headers.get("idempotent-replayed") === "true",
    };
    return { tookMs: performance.now() - began, answer, unsent: false };
  } catch (error) {
    const unsent = systemCodeOf(error) === "ECONNREFUSED";
    return { tookMs: performance.now() - began, answer: undefined, unsent };
  }
}

/** Codes after which the client retries: the call has no final response yet. */
const passing = new Set<unknown>(["unavailable", "idempotency_in_progress", "rate_limited"]);

const isFinal = ({ answer }: Try): boolean => answer !== undefined && !passing.has(answer.code);

/** Random factor from 1 to 4, so that callers do not retry at the same time. */
export const pause = (leastMs: number): Promise<void> => sleep(leastMs * (1 + 3 * Math.random()));

/**
 * Retries until there is a response, or until `giveUp` aborts.
 *
 * @param made receives the call when its first try begins
 * @param pauseMs minimum pause between two tries
 */
export async function untilAnswered(
  url: string,
  call: Call,
  made: Made[],
  giveUp?: AbortSignal,
  pauseMs = 20,
): Promise<Made> {
  const noted: Made = { ...call, tries: [], answer: undefined };
  made.push(noted);
  for (;;) {
    const tried = await tryOnce(url, call);
    noted.tries.push(tried);
    if (isFinal(tried)) {
      noted.answer = tried.answer;
      return noted;
    }
    if (giveUp?.aborted) return noted;
    await pause(pauseMs); // between two tries of a client
  }
}

/** The error of a response that is an exact error envelope; undefined for any other response. */
export function refusalIn(status: number, text: string): { code: RefusalCode; requestId: unknown } | undefined {
  const { error } = jsonIn(text) as { error?: { code?: string } & Record<string, unknown> };
  if (!error || !isRefusalCode(error.code)) return undefined;
  const { code, requestId, message, details, ...more } = error;
  const known = refusals[code];
  const isOurs = known.status === status && known.message === message && Object.keys(more).length === 0;
  return isOurs ? { code, requestId } : undefined;
}

/** The parsed text; undefined if it is not JSON. */
function jsonIn(text: string): object {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
