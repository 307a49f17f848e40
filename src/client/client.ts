/**
 * The client: every operation of the document by its method and path, typed. It stands on Node's fetch alone.
 */
import { randomUUID } from "node:crypto";
import { type Answer, type Prepared, send } from "./request.ts";
import type { paths } from "./schema.ts";
import type {
  AnswerOf,
  EventOf,
  ListPath,
  Method,
  Options,
  PathOf,
  RowOf,
  Sending,
  StreamPath,
  Watching,
} from "./types.ts";
import { watch } from "./watch.ts";

export type Settings = {
  /** Where the API is, as https://botstead.example.com; with or without /api/v1. */
  baseUrl: string;
  /** An organisation's key (bsk_…), or an operator's platform key (bsp_…). */
  key: string;
  /** For each try, in milliseconds: 30,000 unless given. */
  timeoutMs?: number | undefined;
  /** How many tries may follow the first: 3 unless given. */
  maxRetries?: number | undefined;
  /** The first wait before a retry, in milliseconds: 250 unless given. It doubles with each, less up to a half by chance. */
  backoffMs?: number | undefined;
  /** The longest wait before a retry, Retry-After included: 60,000 ms unless given. */
  maxDelayMs?: number | undefined;
  /** In place of the global fetch, as for a proxy. */
  fetch?: typeof fetch | undefined;
};

export type Client = {
  get<P extends PathOf<"get">>(path: P, ...options: Options<P, "get">): Promise<AnswerOf<P, "get">>;
  post<P extends PathOf<"post">>(path: P, ...options: Options<P, "post">): Promise<AnswerOf<P, "post">>;
  patch<P extends PathOf<"patch">>(path: P, ...options: Options<P, "patch">): Promise<AnswerOf<P, "patch">>;
  delete<P extends PathOf<"delete">>(path: P, ...options: Options<P, "delete">): Promise<AnswerOf<P, "delete">>;

  /** As the four above, with the answer's status, headers and request id. */
  request<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...options: Options<P, M>
  ): Promise<Answer<AnswerOf<P, M>>>;

  /** All rows of a list, newest first. A page is fetched when its first row is asked for. */
  list<P extends ListPath>(path: P, ...options: Options<P, "get">): AsyncGenerator<RowOf<P>, void, undefined>;

  /** All pages of a list. `nextCursor` of one, given as `query.cursor`, goes on after it. */
  pages<P extends ListPath>(
    path: P,
    ...options: Options<P, "get">
  ): AsyncGenerator<AnswerOf<P, "get">, void, undefined>;

  /**
   * All events of a stream, as they come, to the one named `end`. It connects again by itself and goes on where it was.
   * `timeoutMs` is for how long nothing may come while it is waited for; `maxRetries` counts from the last time that anything came.
   */
  watch<P extends StreamPath>(path: P, options: Watching<P>): AsyncGenerator<EventOf<P>, void, undefined>;
};

/** What all options come down to, once their types have done their work. */
type Untyped = Sending & {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  idempotencyKey?: string | undefined;
  after?: number | undefined;
};

/** @throws TypeError when baseUrl is no http(s) address or the key is empty */
export function createClient(settings: Settings): Client {
  const root = rootOf(settings.baseUrl);
  if (!settings.key) throw new TypeError("A key is needed: bsk_… or bsp_…");

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
    watch: (path: string, options: Untyped) => watch(prepare(settings, root, "get", path, options), options.after),
  } as unknown as Client; // the types above say what the document says; what is sent and answered is JSON
}

function rootOf(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError("baseUrl must be an http or https address.");
  return `${url.origin}${url.pathname.replace(/\/+$/, "").replace(/\/api\/v1$/, "")}/api/v1`;
}

function prepare(settings: Settings, root: string, method: Method, path: string, options: Untyped): Prepared {
  const headers = new Headers({ authorization: `Bearer ${settings.key}`, accept: "application/json" });
  const body = options.body === undefined ? undefined : JSON.stringify(options.body);
  if (body !== undefined) headers.set("content-type", "application/json");
  if (method === "post") headers.set("idempotency-key", options.idempotencyKey ?? randomUUID());
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

/** @throws TypeError when a part of the path is missing, or would name another route: "", "." or ".." */
function addressOf(root: string, path: string, { path: parts = {}, query = {} }: Untyped): URL {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = parts[name];
    if (typeof value !== "string" || /^\.{0,2}$/.test(value)) throw new TypeError(`${path} needs path.${name}`);
    return encodeURIComponent(value);
  });
  const url = new URL(root + filled);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
  }
  return url;
}
