/** Sends one request, with retries. */
import { setTimeout as wait } from "node:timers/promises";
import { BotsteadError, errorOfAnswer, errorOfThrown } from "./error.ts";
import { delayAfter, type RetryOptions } from "./retry.ts";

export type Prepared = {
  method: string;
  url: URL;
  headers: Headers;
  body: string | undefined;
  signal: AbortSignal | undefined;
  /** For each attempt. */
  timeoutMs: number;
  retry: RetryOptions;
  fetch: typeof fetch;
};

export type Answer<Body> = {
  status: number;
  body: Body;
  headers: Headers;
  requestId: string | undefined;
  /** The revision of a resource that PATCH changes, for `ifMatch`. */
  etag: string | undefined;
  /** True if the API replayed the answer of an earlier request with the same Idempotency-Key. */
  replayed: boolean;
};

/** @throws BotsteadError */
export async function send(request: Prepared): Promise<Answer<unknown>> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await once(request);
    if (!(outcome instanceof BotsteadError)) return outcome;
    outcome.attempts = attempt;
    const { method, retry, signal } = request;
    const delay = delayAfter(outcome, { method, attempt, retry });
    if (delay === undefined) throw outcome;
    await wait(delay, undefined, { signal }).catch((thrown) => {
      const aborted = errorOfThrown(thrown, { byCaller: true, byTimeout: false });
      aborted.attempts = attempt;
      throw aborted;
    });
  }
}

async function once({ method, url, headers, body, signal, timeoutMs, fetch }: Prepared) {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method,
      headers,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      redirect: "manual", // the API never redirects, and the key must not reach another host
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    return response.ok ? success(response, text) : errorOfAnswer(response.status, response.headers, text);
  } catch (thrown) {
    return errorOfThrown(thrown, { byCaller: signal?.aborted ?? false, byTimeout: timeout.aborted });
  }
}

function success({ status, headers }: Response, text: string): Answer<unknown> | BotsteadError {
  try {
    return {
      status,
      body: JSON.parse(text),
      headers,
      requestId: headers.get("x-request-id") ?? undefined,
      etag: headers.get("etag") ?? undefined,
      replayed: headers.get("idempotent-replayed") === "true",
    };
  } catch {
    return errorOfAnswer(status, headers, text);
  }
}
