/*
 * The one place from which the service speaks to receivers. Whatever they do, be it to hang, to lie or to flood, ends
 * as an outcome within the deadline. (Specification, part 2, "Delivery"; part 6, "Delivery rules".)
 */
import { performance } from "node:perf_hooks";
import { errors } from "undici";
import type { AllowedRanges } from "./address.ts";
import { createConnections, type WayOut } from "./connections.ts";
import { type Ask, createAsk } from "./dns.ts";
import { createResolver } from "./resolve.ts";
import { retryAfterSeconds } from "./retry-after.ts";

/** The fixed words of the specification for an attempt that failed without, or in spite of, a status. */
export type Failure = "address" | "dns" | "redirect" | "size" | "timeout" | "transport" | "scheme";

/**
 * What came of one attempt. `statusCode` is the status that arrived, if one did, also beside a `failure`: a 200 whose
 * body never ends is `{ statusCode: 200, failure: "timeout" }`. It was delivered when `failure` is null and the status
 * a 2xx, and not otherwise.
 */
export type Outcome = {
  statusCode: number | null;
  failure: Failure | null;
  /** What a status other than a 2xx came with in `Retry-After`: at most a day. Null where it says nothing usable. */
  retryAfterSeconds: number | null;
  durationMs: number;
};

export type PostRequest = { url: string; headers: Record<string, string>; body: string };

export type Poster = {
  /**
   * Makes one attempt. Answers an outcome for all that a receiver, its name or its network can do.
   *
   * @throws {DOMException} `AbortError` when `signal` calls the attempt off: nothing is known then of its outcome.
   * @throws {Error} for our own mistakes: a header that cannot be sent, or a post after `close`.
   */
  post(request: PostRequest, signal?: AbortSignal): Promise<Outcome>;

  /** Waits for the posts under way, then closes the connections that were kept. */
  close(): Promise<void>;
};

export type PosterSettings = WayOut & {
  /** Ranges that may be reached although the table of addresses refuses them. */
  allowed: AllowedRanges;
  /** One deadline over look-up, connection, TLS, headers and body. */
  timeoutMs?: number;
  /** Of the response's body, as it is on the wire: nothing is decompressed. */
  maxResponseBytes?: number;
  /** Who is asked for the addresses of names. */
  ask?: Ask;
};

/** Made once: an abort without a reason makes one each time, with the stack of its place. */
const over = new Error("The attempt is over");

/** Makes the sender of deliveries. It holds connections: make one per process, and close it. */
export function createPoster(settings: PosterSettings): Poster {
  const { allowed, timeoutMs = 10_000, maxResponseBytes = 64 * 1024, ask = createAsk() } = settings;
  const resolver = createResolver(allowed, timeoutMs, ask);
  const connections = createConnections({ ...settings, resolver, timeoutMs });

  /**
   * Fills in `outcome` as things become known, so that a deadline finds in it what had arrived until then. Answers
   * "read" when the response was read to its end, so that nothing is still to come on its connection.
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
      const response = await connections.agent.request({
        origin,
        path: pathname + search,
        method: "POST",
        headers,
        body,
        signal,
      });
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

  async function attemptInTime(request: PostRequest, signal?: AbortSignal): Promise<Outcome> {
    const startedAt = performance.now();
    const outcome: Outcome = { statusCode: null, failure: null, retryAfterSeconds: null, durationMs: 0 };
    const ended = new AbortController();

    const { promise: interrupted, resolve: interrupt } = Promise.withResolvers<"deadline" | "called off">();
    const timer = setTimeout(interrupt, timeoutMs, "deadline");
    const callOff = () => interrupt("called off");
    signal?.addEventListener("abort", callOff);
    if (signal?.aborted) callOff();
    let end: string | undefined;

    try {
      // A race, because neither a look-up nor a TLS handshake under way can be called back.
      end = await Promise.race([interrupted, attempt(request, outcome, ended.signal)]);
      if (end === "called off") {
        throw new DOMException("The attempt was called off before its outcome was known", "AbortError");
      }
      const durationMs = Math.round(performance.now() - startedAt);
      return { ...outcome, ...(end === "deadline" && { failure: "timeout" as const }), durationMs };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", callOff);
      if (end !== "read") ended.abort(over); // closes the connection, on which something may still be to come
    }
  }

  const underWay = new Set<Promise<Outcome>>();
  let closed = false;

  return {
    async post(request, signal) {
      if (closed) throw new Error("The poster is closed");
      const outcome = attemptInTime(request, signal);
      underWay.add(outcome);
      return outcome.finally(() => underWay.delete(outcome));
    },

    async close() {
      closed = true;
      await Promise.allSettled(underWay);
      await connections.destroy();
    },
  };
}

function isSuccess(statusCode: number): boolean {
  return statusCode >= 200 && statusCode < 300;
}

/** Reads a body to its end and forgets it. True, with the rest unread, as soon as it passes `limit` bytes. */
async function exceeds(body: AsyncIterable<Uint8Array>, limit: number): Promise<boolean> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > limit) return true;
  }
  return false;
}

/** Whatever goes wrong on a connection is the receiver's, but for what undici says of the way in which we called it. */
function failureOf(error: unknown): Failure {
  if (error instanceof errors.ConnectTimeoutError) return "timeout";
  if (error instanceof errors.InvalidArgumentError) throw error;
  return "transport";
}
