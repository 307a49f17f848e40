/** The real API over a test's database, and an HTTP client for it. */
import { randomUUID } from "node:crypto";
import type { Extension } from "../../src/api/extension.ts";
import { startApi } from "../../src/api/server.ts";
import { defaultWatching, type WatchingSettings } from "../../src/api/streams/watching.ts";
import { targetsOf } from "../../src/config/outbound.ts";
import { readConfig } from "../../src/config.ts";
import { allowTargets } from "../../src/database/migrate.ts";
import { extensions } from "../../src/extensions/api.ts";
import { makeRateLimiter, type RateLimiter, specified } from "../../src/web/rate-limiter.ts";
import type { TestDatabase } from "./database.ts";
import { eventsIn } from "./event-stream.ts";
import { log } from "./logged.ts";
import { unhurried } from "./program.ts";

export type Reply<Body = Record<string, unknown>> = {
  status: number;
  /** Parsed. {} for an empty body; the events of a stream. */
  body: Body;
  /** The raw body. */
  text: string;
  headers: Headers;
};

export type CallOptions = {
  key?: string | undefined;
  body?: unknown;
  /** Raw body, instead of `body`. */
  raw?: string | Buffer;
  /** A POST gets a new one by default; null sends none. */
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

/** All tests call from one address, and are refused more often than its limit allows. */
const roomy = () => makeRateLimiter(Date.now, { ...specified, address: 100_000 });

export type Served = {
  url: string;
  /** @param quietMs as a load balancer needs it, for a process of the test. Defaults to 0. */
  stop(quietMs?: number): Promise<void>;
  /** Options of all calls. */
  call?: TestApi["call"];
};
/** Undefined unless a test passes its own. */
export type ServeBy = (
  db: TestDatabase,
  settings: Record<string, string>,
  buckets: RateLimiter | undefined,
  limits: WatchingSettings | undefined,
) => Promise<Served>;

/** An API process of the test. It answers late rather than with 503 while the machine is busy. */
const serveWith =
  (attached: Extension[]): ServeBy =>
  async (db, settings, rateLimiter = roomy(), watching = defaultWatching) => {
    const config = readConfig({ PORT: "0", DATA_DIR: db.dataDir, ...unhurried, ...settings });
    const options = { extensions: attached, rateLimiter, watching };
    const { url, stop } = await startApi(config, db.adminUrl, db.key, log, options);
    return { url, stop: (quietMs = 0) => stop(quietMs) };
  };

export const serveAlone = serveWith(extensions);
export const serveCore = serveWith([]);

let serve = serveAlone;

/** Whether the running test file starts its API in another way. */
export const isServedByOther = (): boolean => serve !== serveAlone;

/** Replaces how the running test file starts its API. test/machines starts it on several machines. */
export function serveBy(other: ServeBy): void {
  serve = other;
  afterAll(() => {
    serve = serveAlone;
  });
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
  await allowIn(db, settings);
  const { url, stop, call = callerOf(url) } = await serve(db, settings, buckets, limits);
  return { url, stop, call };
}

/** What `botstead migrate` writes for these settings. Nothing if they allow no private target. */
export async function allowIn(db: Pick<TestDatabase, "sql">, settings: Record<string, string>): Promise<void> {
  const { WEBHOOK_ALLOW_RANGES = "", WEBHOOK_ALLOW_HOSTS = "" } = settings;
  if (!WEBHOOK_ALLOW_RANGES && !WEBHOOK_ALLOW_HOSTS) return;
  const query = async (text: string, values: unknown[]) => ({ rows: await db.sql(text, values) });
  await allowTargets({ query }, targetsOf(readConfig({ WEBHOOK_ALLOW_RANGES, WEBHOOK_ALLOW_HOSTS })));
}

/** Rate limits that never refuse, because these tests do not concern them. */
export function unlimitedBuckets(): RateLimiter {
  const unlimited = 1e9;
  const ofCredentials = { key: unlimited, organisation: unlimited, platformKey: unlimited, hook: unlimited };
  return makeRateLimiter(Date.now, {
    ...ofCredentials,
    clientDocument: unlimited,
    address: unlimited,
    withoutAddress: unlimited,
  });
}

/** HTTP client of the API at this address. */
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
