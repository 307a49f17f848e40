/** Sends a request until the service begins an answer: again while it is busy, away or silent. */
import { setTimeout as sleep } from "node:timers/promises";
import { fetch } from "../../../delivery/fetch.ts";
import { bounded } from "./bounded.ts";

const maxRetries = 2;
/** A longer Retry-After ends the attempts. */
const maxWaitMs = 60_000;
const minWaitMs = 500;

/** Request Timeout, Conflict (of a lock), Too Early, Too Many Requests. Statuses of 500 and more are temporary too. */
const temporary = new Set([408, 409, 425, 429]);

const send = bounded(fetch);

export type Begun = {
  response: Response;
  /** Restarts the idle time-out. */
  received(): void;
  /** Ends the time-out and the connection. */
  end(): void;
};

export type Sending = { url: string; init: RequestInit; signal: AbortSignal; idleTimeoutMs: number };

/** Returns the last response, with any status; undefined if there was none. */
export async function sendWithRetries(sending: Sending): Promise<Begun | undefined> {
  for (let retries = 0; ; retries += 1) {
    const begun = await sendOnce(sending);
    const status = begun?.response.status ?? 503;
    if ((status < 500 && !temporary.has(status)) || retries === maxRetries || sending.signal.aborted) return begun;
    const waitMs = waitOf(begun?.response.headers.get("retry-after") ?? null, retries);
    if (waitMs > maxWaitMs) return begun;
    begun?.end();
    const waited = await sleep(waitMs, true, { signal: sending.signal }).catch(() => false);
    if (!waited) return undefined;
  }
}

async function sendOnce({ url, init, signal, idleTimeoutMs }: Sending): Promise<Begun | undefined> {
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(), idleTimeoutMs);
  const end = () => {
    clearTimeout(timer);
    ended.abort();
  };
  try {
    // Redirects are refused: the conversation goes only to the operator's URL.
    const response = await send(url, { ...init, redirect: "error", signal: AbortSignal.any([signal, ended.signal]) });
    timer.refresh();
    return { response, received: () => timer.refresh(), end };
  } catch {
    end();
    return undefined;
  }
}

/** Doubles from half a second, with a random part so that executors spread out. */
function waitOf(retryAfter: string | null, retries: number): number {
  const usual = minWaitMs * 2 ** retries * (1 + Math.random() / 2);
  if (retryAfter === null) return usual;
  const seconds = Number(retryAfter);
  const wanted = Number.isNaN(seconds) ? Date.parse(retryAfter) - Date.now() : seconds * 1000;
  return Number.isNaN(wanted) ? usual : Math.max(wanted, minWaitMs);
}
