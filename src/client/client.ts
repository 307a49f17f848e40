/**
 * The client: every operation of the document by method and path, typed. It uses Node's fetch.
 */
import { randomUUID } from "node:crypto";
import type { Following, LiveEvent } from "./follow.ts";
import type { paths } from "./generated/schema.ts";
import { type Answer, type Prepared, send } from "./request.ts";
import type {
  AnswerOf,
  ListPath,
  Method,
  Options,
  PathOf,
  RowOf,
  Sending,
  StreamPath,
  WatchedOf,
  Watching,
} from "./types.ts";
import { watch } from "./watch.ts";

export type Settings = {
  /** URL of the API, for example https://botstead.example.com, with or without /api/v1. */
  baseUrl: string;
  /** A key of an organisation (bsk_…), or an operator's platform key (bsp_…). */
  key: string;
  /** Time-out of each attempt, in milliseconds. Defaults to 30,000. */
  timeoutMs?: number | undefined;
  /** Maximum number of retries after the first attempt. Defaults to 3. */
  maxRetries?: number | undefined;
  /**
   * Delay before the first retry, in milliseconds. Defaults to 250. Each retry doubles it; jitter subtracts up to half.
   */
  backoffMs?: number | undefined;
  /** Longest delay before a retry, including a delay by RateLimit or Retry-After, in milliseconds. Defaults to 60,000. */
  maxDelayMs?: number | undefined;
  /** Replaces the global fetch, for example to use a proxy. */
  fetch?: typeof fetch | undefined;
};

export type Client = {
  get<P extends PathOf<"get">>(path: P, ...options: Options<P, "get">): Promise<AnswerOf<P, "get">>;
  post<P extends PathOf<"post">>(path: P, ...options: Options<P, "post">): Promise<AnswerOf<P, "post">>;
  patch<P extends PathOf<"patch">>(path: P, ...options: Options<P, "patch">): Promise<AnswerOf<P, "patch">>;
  delete<P extends PathOf<"delete">>(path: P, ...options: Options<P, "delete">): Promise<AnswerOf<P, "delete">>;

  /** Like the four methods above, but also returns the status, headers, ETag and request id. */
  request<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...options: Options<P, M>
  ): Promise<Answer<AnswerOf<P, M>>>;

  /** All rows of a list, newest first. Each page is fetched when iteration reaches it. */
  list<P extends ListPath>(path: P, ...options: Options<P, "get">): AsyncGenerator<RowOf<P>, void, undefined>;

  /** All pages of a list. To continue after a page, pass its `nextCursor` as `query.cursor`. */
  pages<P extends ListPath>(
    path: P,
    ...options: Options<P, "get">
  ): AsyncGenerator<AnswerOf<P, "get">, void, undefined>;

  /**
   * All events of a stream until the event `end`. Reconnects after each interruption and continues after the last
   * event. With `query: { include: "deltas" }` it yields pieces of the answer too, without an id. `timeoutMs` limits the time without data; `maxRetries` counts failures since the last received data.
   */
  watch<P extends StreamPath, Given extends Watching<P>>(
    path: P,
    options: Given,
  ): AsyncGenerator<WatchedOf<P, Given>, void, undefined>;

  /**
   * The organisation's events as they happen, from now or after a cursor. It never ends by itself: pass a `signal`. It
   * reconnects as `watch` does, and skips nothing.
   */
  follow(options?: Following): AsyncGenerator<LiveEvent, void, undefined>;
};

/** The common form of all options, without their generic types. */
type Untyped = Sending & {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  idempotencyKey?: string | undefined;
  ifMatch?: string | undefined;
  after?: number | undefined;
};

/** @throws TypeError if baseUrl is no http(s) URL or the key is empty */
export function createClient(settings: Settings): Client {
  const root = rootOf(settings.baseUrl);
  if (!settings.key) throw new TypeError("An API key is required: bsk_… or bsp_….");

  const ask = (method: Method, path: string, options: Untyped = {}) =>
    send(prepare(settings, root, method, path, options));
  const bodyOf = (method: Method) => async (path: string, options?: Untyped) => (await ask(method, path, options)).body;

  async function* pages(path: string, options: Untyped = {}) {
    for (let cursor = options.query?.cursor; ; ) {
      const { body } = await ask("get", path, { ...options, query: { ...options.query, cursor } });
      const page = body as { data: unknown[]; nextCursor: string | null };
      yield page;
      if (page.nextCursor === null) return;
      cursor = page.nextCursor;
    }
  }

  async function* list(path: string, options?: Untyped) {
    for await (const { data } of pages(path, options)) yield* data;
  }

  return {
    get: bodyOf("get"),
    post: bodyOf("post"),
    patch: bodyOf("patch"),
    delete: bodyOf("delete"),
    request: ask,
    list,
    pages,
    async *watch(path: string, options: Untyped) {
      const after = options.after === undefined ? undefined : String(options.after);
      for await (const { id, ...event } of watch(prepare(settings, root, "get", path, options), after)) {
        yield id === undefined ? event : { id: Number(id), ...event };
      }
    },
    follow: ({ event, runId, after, ...options }: Following = {}) =>
      watch(prepare(settings, root, "get", "/events", { ...options, query: { event, runId } }), after),
  } as unknown as Client; // the types above have the schemas; all bodies are JSON
}

function rootOf(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError("baseUrl must be an http or https URL.");
  return `${url.origin}${url.pathname.replace(/\/+$/, "").replace(/\/api\/v1$/, "")}/api/v1`;
}

function prepare(settings: Settings, root: string, method: Method, path: string, options: Untyped): Prepared {
  const headers = new Headers({ authorization: `Bearer ${settings.key}`, accept: "application/json" });
  const body = options.body === undefined ? undefined : JSON.stringify(options.body);
  if (body !== undefined) headers.set("content-type", "application/json");
  if (method === "post") headers.set("idempotency-key", options.idempotencyKey ?? randomUUID());
  if (options.ifMatch !== undefined) headers.set("if-match", options.ifMatch);
  return {
    method: method.toUpperCase(),
    url: addressOf(root, path as keyof paths, options),
    headers,
    body,
    signal: options.signal,
    timeoutMs: options.timeoutMs ?? settings.timeoutMs ?? 30_000,
    retry: {
      maxRetries: options.maxRetries ?? settings.maxRetries ?? 3,
      backoffMs: settings.backoffMs ?? 250,
      maxDelayMs: settings.maxDelayMs ?? 60_000,
    },
    fetch: settings.fetch ?? fetch,
  };
}

/** @throws TypeError if a path parameter is missing or would change the route: "", "." or ".." */
function addressOf(root: string, path: string, { path: parts = {}, query = {} }: Untyped): URL {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = parts[name];
    if (typeof value !== "string" || /^\.{0,2}$/.test(value)) throw new TypeError(`${path} needs path.${name}`);
    return encodeURIComponent(value);
  });
  const url = new URL(root + filled);
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    const pairs = typeof value === "object" ? Object.entries(value) : undefined; // as metadata[order]=4711
    for (const [key, each] of pairs ?? []) url.searchParams.set(`${name}[${key}]`, String(each));
    if (!pairs) url.searchParams.set(name, String(value));
  }
  return url;
}
