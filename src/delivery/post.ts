/*
 * All posts to receivers go through here. A receiver that hangs, sends false data or floods us ends as an outcome within the
 * deadline. (docs/specification/deliveries.md#attempts)
 */
import { performance } from "node:perf_hooks";
import { type Dispatcher, errors } from "undici";
import type { AllowedRanges } from "./address.ts";
import { newExchange } from "./client.ts";
import { type ConnectionSettings, createConnections } from "./connections.ts";
import { createResolveName, type ResolveName } from "./dns.ts";
import { createResolver } from "./resolve.ts";
import { retryAfterSeconds } from "./retry-after.ts";

/** The failure codes of the specification, for an attempt that failed without a status or despite one. */
export type Failure = "address" | "dns" | "redirect" | "size" | "timeout" | "transport" | "scheme" | "secret";

/**
 * The outcome of one attempt. It succeeded if `failure` is null and the status a 2xx. Both can be set: a 200 whose body never
 * ends is `{ statusCode: 200, failure: "timeout" }`.
 */
export type Outcome = {
  statusCode: number | null;
  failure: Failure | null;
  /** `Retry-After` of a status other than 2xx, at most an hour. Null if missing or malformed. */
  retryAfterSeconds: number | null;
  durationMs: number;
};

export type PostRequest = { url: string; headers: Record<string, string>; body: string };

export type Poster = {
  /**
   * Makes one attempt. Failures of a receiver, its name or its network are outcomes.
   *
   * @throws {DOMException} `AbortError` if `signal` aborts the attempt: its outcome is unknown
   * @throws {Error} for our own mistakes: an invalid header, or a post after `close`
   */
  post(request: PostRequest, signal?: AbortSignal): Promise<Outcome>;

  /** Waits for posts in flight, then closes all connections. */
  close(): Promise<void>;
};

export type PosterSettings = ConnectionSettings & {
  /** Ranges that are reachable although the table of addresses refuses them. */
  allowed: AllowedRanges;
  /** Deadline for look-up, connection, TLS, headers and body together. Defaults to 10 seconds. */
  timeoutMs?: number;
  /** Limit of the response body, which is not decompressed. Defaults to 64 KiB. */
  maxResponseBytes?: number;
  resolveName?: ResolveName;
};

/** Shared reason: an abort without one would create an error with a stack each time. */
const attemptEnded = new Error("The attempt is over");

/** Create one per process, because it keeps connections; close it in the end. */
export function createPoster(settings: PosterSettings): Poster {
  const { allowed, timeoutMs = 10_000, maxResponseBytes = 64 * 1024, resolveName = createResolveName() } = settings;
  const resolver = createResolver(allowed, timeoutMs, resolveName);
  const connections = createConnections({ ...settings, resolver, timeoutMs });

  /**
   * Updates `outcome` step by step, so that at the deadline it has what arrived until then. Returns "read" if the response
   * was read to its end, so that its connection can be reused.
   */
  async function attempt({ url, headers, body }: PostRequest, outcome: Outcome, signal: AbortSignal) {
    const target = URL.parse(url);
    if (target?.protocol !== "https:") {
      outcome.failure = "scheme";
      return "refused";
    }

    outcome.failure = await resolver.check(target.hostname);
    if (outcome.failure || signal.aborted) return "refused";

    try {
      const { origin, pathname, search } = target;
      const path = pathname + search;
      const response = await send({ origin, path, method: "POST", headers, body, signal });
      outcome.statusCode = response.statusCode;
      if (!isSuccess(response.statusCode))
        outcome.retryAfterSeconds = retryAfterSeconds(response.headers["retry-after"]);
      if (response.statusCode >= 300 && response.statusCode < 400) {
        outcome.failure = "redirect";
      } else if (await exceeds(response.body, maxResponseBytes)) {
        outcome.failure = "size";
      } else {
        return "read";
      }
    } catch (error) {
      outcome.failure = failureOf(error);
    }
    return "broken off";
  }

  /** Sends again at once, over a new connection, if the receiver closed a kept one instead of answering. */
  async function send(request: Dispatcher.RequestOptions & { origin: string; signal: AbortSignal }) {
    const exchange = newExchange();
    try {
      return await connections.agent.request({ ...request, opaque: exchange });
    } catch (error) {
      if (!exchange.isReused || exchange.isAnswered || request.signal.aborted) throw error;
      return connections.fresh.request(request);
    }
  }

  async function attemptInTime(request: PostRequest, signal?: AbortSignal): Promise<Outcome> {
    const startedAt = performance.now();
    const outcome: Outcome = { statusCode: null, failure: null, retryAfterSeconds: null, durationMs: 0 };
    const ended = new AbortController();

    const { promise: interrupted, resolve: interrupt } = Promise.withResolvers<"deadline" | "aborted">();
    const timer = setTimeout(interrupt, timeoutMs, "deadline");
    const abort = () => interrupt("aborted");
    signal?.addEventListener("abort", abort);
    if (signal?.aborted) abort();
    let end: string | undefined;

    try {
      // A race, because a look-up or a TLS handshake cannot be aborted.
      end = await Promise.race([interrupted, attempt(request, outcome, ended.signal)]);
      if (end === "aborted") {
        throw new DOMException("The attempt was aborted before its outcome was known", "AbortError");
      }
      const durationMs = Math.round(performance.now() - startedAt);
      return { ...outcome, ...(end === "deadline" && { failure: "timeout" as const }), durationMs };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      if (end !== "read") ended.abort(attemptEnded); // closes the connection, which may still receive data
    }
  }

  const inFlight = new Set<Promise<Outcome>>();
  let closed = false;

  return {
    async post(request, signal) {
      if (closed) throw new Error("The poster is closed");
      const outcome = attemptInTime(request, signal);
      inFlight.add(outcome);
      return outcome.finally(() => inFlight.delete(outcome));
    },

    async close() {
      closed = true;
      await Promise.allSettled(inFlight);
      await connections.destroy();
    },
  };
}

/** Whether the receiver has the delivery: it answered 2xx, to the end. */
export const isDelivered = ({ statusCode, failure }: Outcome): boolean =>
  failure === null && statusCode !== null && isSuccess(statusCode);

function isSuccess(statusCode: number): boolean {
  return statusCode >= 200 && statusCode < 300;
}

/** Reads and discards a body. Returns true, with the rest unread, once it exceeds `limit` bytes. */
async function exceeds(body: AsyncIterable<Uint8Array>, limit: number): Promise<boolean> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > limit) return true;
  }
  return false;
}

/** Every error of a connection counts as the receiver's failure, except invalid arguments of our own code. */
function failureOf(error: unknown): Failure {
  if (error instanceof errors.ConnectTimeoutError) return "timeout";
  if (error instanceof errors.InvalidArgumentError) throw error;
  return "transport";
}
