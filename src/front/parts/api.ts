/** Calls of /api/v1 by the session cookie, and lists that load page by page. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { isReason, reasonHeader, reasons } from "../../contract/reasons.ts";

/** The error envelope of the API, or a network failure with status 0. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  /** Messages by field of the body. */
  readonly fields: Record<string, string>;

  /** @param reason the header of refusals that have several causes */
  constructor(status: number, error: ErrorBody, reason: string | null = null) {
    super(error.details ? "Some fields are not accepted." : isReason(reason) ? reasons[reason].meaning : error.message);
    this.status = status;
    this.code = error.code;
    this.requestId = error.requestId;
    this.fields = Object.fromEntries((error.details ?? []).map(({ path, message }) => [fieldOf(path), message]));
  }
}

type ErrorBody = {
  code: string;
  message: string;
  requestId?: string;
  details?: { path: string; message: string }[];
};

/** `body.name` is the field `name`. */
const fieldOf = (path: string) => path.replace(/^(body|query|headers)\./, "");

let csrfToken = "";
let onUnauthenticated = () => {};

/** @param ended called when the API no longer knows the session */
export function useSessionOf(csrf: string, ended: () => void): void {
  csrfToken = csrf;
  onUnauthenticated = ended;
}

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

/** @throws ApiError */
export async function api<T>(
  method: Method,
  path: string,
  body?: unknown,
  { idempotencyKey = crypto.randomUUID(), signal }: { idempotencyKey?: string; signal?: AbortSignal } = {},
): Promise<T> {
  const response = await request(method, `/api/v1${path}`, {
    headers: {
      ...(method === "GET" ? {} : { "x-csrf-token": csrfToken }),
      ...(method === "POST" ? { "idempotency-key": idempotencyKey } : {}),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** A call whose answer is no JSON of an operation, for example a stream. @throws ApiError */
export async function request(method: Method, url: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { method, credentials: "same-origin", cache: "no-store", ...init });
  } catch (error) {
    if ((error as Error).name === "AbortError") throw error;
    throw new ApiError(0, { code: "unreachable", message: "The service cannot be reached. Try again." });
  }
  if (response.ok) return response;
  const envelope = await response.json().catch(() => undefined);
  const error = envelope?.error ?? {
    code: "internal",
    message: `The service answered with status ${response.status}.`,
  };
  if (response.status === 401) onUnauthenticated();
  throw new ApiError(response.status, error, response.headers.get(reasonHeader));
}

/** The path with these query parameters; undefined and empty ones are left out. */
export function withQuery(path: string, params: Record<string, string | number | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== "") query.set(name, String(value));
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

export type Loaded<T> = { data: T | undefined; loading: boolean; error: ApiError | undefined; reload: () => void };

/** @param path null: nothing to load yet */
export function useOne<T>(path: string | null): Loaded<T> {
  const [state, set] = useState<{ path: string | null; data: T | undefined; error: ApiError | undefined }>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (path === null) return;
    const pending = new AbortController();
    api<T>("GET", path, undefined, { signal: pending.signal }).then(
      (data) => set({ path, data, error: undefined }),
      (error) => {
        if (!pending.signal.aborted)
          set((last) => ({ path, data: last?.path === path ? last.data : undefined, error }));
      },
    );
    return () => pending.abort();
  }, [path, round]);
  const current = state?.path === path ? state : undefined;
  return {
    data: current?.data,
    error: current?.error,
    loading: path !== null && current === undefined,
    reload: useCallback(() => setRound((last) => last + 1), []),
  };
}

type Page<T> = { data: T[]; nextCursor?: string | null };

export type LoadedList<T> = {
  rows: T[];
  loading: boolean;
  error: ApiError | undefined;
  /** Loads the next page; undefined after the last. */
  more: (() => void) | undefined;
  reload: () => void;
};

/** A list of the API, page by page. A change of path or parameters starts again. */
export function useList<T>(
  path: string | null,
  params: Record<string, string | number | undefined> = {},
): LoadedList<T> {
  const key = path === null ? null : withQuery(path, params);
  const [state, set] = useState<{ rows: T[]; cursor: string | null; key: string | null }>({
    rows: [],
    cursor: null,
    key: null,
  });
  const [error, setError] = useState<ApiError>();
  const [busy, setBusy] = useState(false);
  const [round, setRound] = useState(0);
  const current = useRef<AbortController>(null);

  const load = (cursor: string | null, before: T[]) => {
    if (key === null) return;
    current.current?.abort();
    const pending = new AbortController();
    current.current = pending;
    setBusy(true);
    const url = cursor === null ? key : `${key}${key.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(cursor)}`;
    api<Page<T>>("GET", url, undefined, { signal: pending.signal })
      .then(
        ({ data, nextCursor = null }) => {
          set({ rows: [...before, ...data], cursor: nextCursor, key });
          setError(undefined);
        },
        (failure) => {
          if (!pending.signal.aborted) setError(failure);
        },
      )
      .finally(() => {
        if (current.current === pending) setBusy(false);
      });
  };
  useEffect(() => {
    load(null, []);
    return () => current.current?.abort();
  }, [key, round]);
  const rows = state.key === key ? state.rows : [];
  const { cursor } = state;
  return {
    rows,
    error,
    loading: busy,
    more: cursor !== null && state.key === key ? () => load(cursor, rows) : undefined,
    reload: useCallback(() => setRound((last) => last + 1), []),
  };
}
