/**
 * Calls as a careful client makes them: again under the same Idempotency-Key for as long as there is no answer, and
 * every try is noted with what came of it.
 */
import { setTimeout as sleep } from "node:timers/promises";

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

/** A try without an answer was cut off, or nobody listened. */
export type Try = { tookMs: number; answer: Answer | undefined };

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
      code: codeIn(text),
      replayed: response.headers.get("idempotent-replayed") === "true",
    };
    return { tookMs: performance.now() - began, answer };
  } catch {
    return { tookMs: performance.now() - began, answer: undefined };
  }
}

/** What asks to be sent again: the answer to the call itself is still to come. */
const passing = new Set<unknown>(["unavailable", "idempotency_in_progress", "rate_limited"]);

export const isFinal = ({ answer }: Try): boolean => answer !== undefined && !passing.has(answer.code);

/**
 * Tries until it is answered, or until `giveUp` aborts.
 *
 * @param made is noted to from the first try on
 */
export async function untilAnswered(url: string, call: Call, made: Made[], giveUp?: AbortSignal): Promise<Made> {
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
    await sleep(20 + Math.random() * 60);
  }
}

function codeIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { error?: { code?: string } }).error?.code;
  } catch {
    return undefined;
  }
}
