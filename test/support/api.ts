/**
 * The real API over a test's database, and a caller that speaks HTTP to it.
 */
import { randomUUID } from "node:crypto";
import { readConfig } from "../../src/config.ts";
import { startApi } from "../../src/http/server.ts";
import { defaultWatching, type WatchingSettings } from "../../src/http/streams/watching.ts";
import { makeRateLimiter, type RateLimiter, specified } from "../../src/web/rate-limiter.ts";
import type { TestDatabase } from "./database.ts";
import { eventsIn } from "./event-stream.ts";
import { log } from "./logged.ts";

export type Reply<Body = Record<string, unknown>> = {
  status: number;
  /** Parsed; {} when there was none; of a stream its events. */
  body: Body;
  /** As it came. */
  text: string;
  headers: Headers;
};

export type CallOptions = {
  key?: string | undefined;
  body?: unknown;
  /** Sent as it is, in place of a body. */
  raw?: string | Buffer;
  /** POSTs get one of their own unless it is named; null sends none. */
  idempotencyKey?: string | null;
  headers?: Record<string, string>;
};

// biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests are there to say
export type Json = any;

export type TestApi = {
  url: string;
  call<Body = Json>(method: string, path: string, options?: CallOptions): Promise<Reply<Body>>;
  stop: Served["stop"];
};

/** All tests call from one address, and are refused more often than one should be. */
const roomy = () => makeRateLimiter(Date.now, { ...specified, address: 100_000 });

export type Served = {
  url: string;
  /** @param quietMs as a balancer needs them, of a process of the test's; 0 unless given */
  stop(quietMs?: number): Promise<void>;
  /** How it is called, where that is not once for each call. */
  call?: TestApi["call"];
};
/** RateLimiter and limits are undefined unless a test brings its own. */
export type ServeBy = (
  db: TestDatabase,
  settings: Record<string, string>,
  buckets: RateLimiter | undefined,
  limits: WatchingSettings | undefined,
) => Promise<Served>;

/** One process of the API, which is the test's. */
export const serveAlone: ServeBy = async (db, settings, buckets = roomy(), limits = defaultWatching) => {
  const config = readConfig({ PORT: "0", DATA_DIR: db.dataDir, ...settings });
  const { url, stop } = await startApi(config, db.adminUrl, db.key, log, buckets, limits);
  return { url, stop: (quietMs = 0) => stop(quietMs) };
};

let serve = serveAlone;

/** Replaces how this test file starts its API. test/machines starts it on several machines. */
export function serveBy(other: ServeBy): void {
  serve = other;
}

/**
 * @param settings environment variables in addition to the defaults of tests
 * @param buckets rate limiter. Defaults to the specified limits except the limit per address
 * @param limits limits of requests that stay open
 */
export async function testApi(
  db: TestDatabase,
  settings: Record<string, string> = {},
  buckets?: RateLimiter,
  limits?: WatchingSettings,
): Promise<TestApi> {
  const { url, stop, call = callerOf(url) } = await serve(db, settings, buckets, limits);
  return { url, stop, call };
}

/** Somebody who speaks HTTP to the API at this address, in whichever process it runs. */
export function callerOf(url: string): TestApi["call"] {
  return async <Body>(method: string, path: string, options: CallOptions = {}): Promise<Reply<Body>> => {
    const { key, body, raw, idempotencyKey, headers = {} } = options;
    const sent: Record<string, string> = {
      ...(body === undefined && raw === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    };
    if (key) sent.authorization = `Bearer ${key}`;
    if (method === "POST" && idempotencyKey !== null) sent["idempotency-key"] = idempotencyKey ?? randomUUID();
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: sent,
      ...(payload === undefined ? {} : { body: payload }),
    });
    const text = await response.text();
    const isStream = response.headers.get("content-type") === "text/event-stream";
    const parsed = isStream ? eventsIn(text) : JSON.parse(text || "{}");
    return { status: response.status, body: parsed as Body, text, headers: response.headers };
  };
}
