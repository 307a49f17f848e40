/**
 * Calls as a careful client makes them: again under the same Idempotency-Key for as long as there is no answer, and
 * every try is noted with what came of it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { systemCodeOf } from "../../src/client/error.ts";
import { isRefusalCode, type RefusalCode, refusals } from "../../src/contract/refusals.ts";

/** Something that a call does and that can be found again: a text that is written nowhere else. */
export type Effect = { table: "memories" | "messages" | "api_keys"; mark: string };

export type Call = {
  method: "GET" | "POST" | "PATCH";
  /** Below /api/v1. */
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
  /** The word of a refusal in our envelope. */
  code: string | undefined;
  replayed: boolean;
};

/** A try without an answer was cut off amid the call, or is `unsent`: nobody listened. */
export type Try = { tookMs: number; answer: Answer | undefined; unsent: boolean };

export const isCutOff = ({ answer, unsent }: Try): boolean => !answer && !unsent;

/** A call with all its tries; answered, unless the client has given up. */
export type Made = Call & { tries: Try[]; answer: Answer | undefined };

const longestMs = 15_000;

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

/** What asks to be sent again: the answer to the call itself is still to come. */
const passing = new Set<unknown>(["unavailable", "idempotency_in_progress", "rate_limited"]);

export const isFinal = ({ answer }: Try): boolean => answer !== undefined && !passing.has(answer.code);

/** By chance up to four times as long, so that callers don't come together. */
export const pause = (leastMs: number): Promise<void> => sleep(leastMs * (1 + 3 * Math.random()));

/**
 * Tries until it is answered, or until `giveUp` aborts.
 *
 * @param made is noted to from the first try on
 * @param pauseMs at least, between two tries
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
    await pause(pauseMs);
  }
}

/** The refusal that this answer is, in our envelope to the word; undefined when it is none. */
export function refusalIn(status: number, text: string): { code: RefusalCode; requestId: unknown } | undefined {
  const { error } = jsonIn(text) as { error?: { code?: string } & Record<string, unknown> };
  if (!error || !isRefusalCode(error.code)) return undefined;
  const { code, requestId, message, details, ...more } = error;
  const known = refusals[code];
  const isOurs = known.status === status && known.message === message && Object.keys(more).length === 0;
  return isOurs ? { code, requestId } : undefined;
}

/** What the text says; nothing where it is no JSON. */
function jsonIn(text: string): object {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
