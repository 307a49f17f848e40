/** One request, sent until it is answered or there is no sense in sending it again. */
import { setTimeout as wait } from "node:timers/promises";
import { BotsteadError, errorOfAnswer, errorOfThrown } from "./error.ts";
import { delayAfter, type Patience } from "./retry.ts";

export type Prepared = {
  method: string;
  url: URL;
  headers: Headers;
  body: string | undefined;
  signal: AbortSignal | undefined;
  /** For each try. */
  timeoutMs: number;
  patience: Patience;
  fetch: typeof fetch;
};

/** An answer with what surrounds it. */
export type Answer<Body> = {
  status: number;
  body: Body;
  headers: Headers;
  requestId: string | undefined;
  /** True when the API had done this call before, under the same key, and answered again what it answered then. */
  replayed: boolean;
};

/** @throws BotsteadError */
export async function send(request: Prepared): Promise<Answer<unknown>> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await once(request);
    if (!(outcome instanceof BotsteadError)) return outcome;
    outcome.attempts = attempt;
    const { method, patience, signal } = request;
    const delay = delayAfter(outcome, { method, attempt, patience });
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
      redirect: "manual", // the API redirects nowhere, and its key goes nowhere else
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
      replayed: headers.get("idempotent-replayed") === "true",
    };
  } catch {
    return errorOfAnswer(status, headers, text);
  }
}
