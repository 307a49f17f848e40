/**
 * The real API over a test's database, and a caller that speaks HTTP to it.
 */
import { randomUUID } from "node:crypto";
import { readConfig } from "../../src/config.ts";
import { type Buckets, makeBuckets, specified } from "../../src/http/buckets.ts";
import { startApi } from "../../src/http/server.ts";
import { type Limits, usual } from "../../src/http/watching/watching.ts";
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
const roomy = () => makeBuckets(Date.now, { ...specified, address: 100_000 });

export type Served = {
  url: string;
  /** @param quietMs as a balancer needs them, of a process of the test's; 0 unless given */
  stop(quietMs?: number): Promise<void>;
  /** How it is called, where that is not once for each call. */
  call?: TestApi["call"];
};
/** Buckets and limits are undefined unless a test brings its own. */
export type ServeBy = (
  db: TestDatabase,
  settings: Record<string, string>,
  buckets: Buckets | undefined,
  limits: Limits | undefined,
) => Promise<Served>;

/** One process of the API, which is the test's. */
export const serveAlone: ServeBy = async (db, settings, buckets = roomy(), limits = usual) => {
  const config = readConfig({ PORT: "0", DATA_DIR: db.dataDir, ...settings });
  const { url, stop } = await startApi(config, db.adminUrl, db.key, log, buckets, limits);
  return { url, stop: (quietMs = 0) => stop(quietMs) };
};

let serve = serveAlone;

/** From here on, in this file of tests, an API is served in another way: test/machines has one with more machines. */
export function serveBy(other: ServeBy): void {
  serve = other;
}

/**
 * @param settings environment variables beside those that a test needs
 * @param buckets as specified but for the address's, unless a test brings its own
 * @param limits of requests that are held open
 */
export async function testApi(
  db: TestDatabase,
  settings: Record<string, string> = {},
  buckets?: Buckets,
  limits?: Limits,
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
