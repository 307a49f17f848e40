/** Calls of /api/v1 by the session cookie, and lists that load page by page. */
import { reasonHeader } from "../../contract/reasons.ts";
import { fieldFault } from "./texts/field-faults.ts";
import { refusalText } from "./texts/refusals.ts";
import { partTexts } from "./texts.ts";
import { type Loaded, useRead } from "./use-read.ts";

/** The error envelope of the API, or a network failure with status 0. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly reason: string | null;
  /** Sentences by field of the body. */
  readonly fields: Record<string, string>;
  /** As the API names them. */
  readonly details: Detail[];

  /** @param reason the header of refusals that have several causes */
  constructor(status: number, error: ErrorBody, reason: string | null = null) {
    super(error.details ? partTexts.failures.fields : (refusalText(error.code, reason) ?? error.message));
    this.status = status;
    this.code = error.code;
    this.requestId = error.requestId;
    this.reason = reason;
    this.details = error.details ?? [];
    const faults = this.details.map(({ path, message }) => [fieldOf(path), fieldFault(message)]);
    this.fields = Object.fromEntries(faults.toReversed()); // of several faults of a field the first counts
  }
}

type Detail = { path: string; message: string };
type ErrorBody = { code: string; message: string; requestId?: string; details?: Detail[] };

/** `body.allowedIps.0` is in the field `allowedIps`. */
const fieldOf = (path: string) => path.split(".")[1] ?? path;

let csrfToken = "";

/** ended: the API no longer knows the session. suspended: it refuses every call until the suspension is lifted. */
export type SessionEnd = "ended" | "suspended";

/** ended: the API refuses every call of the session. refused: one call, perhaps because the person's role has changed. */
type SessionEvents = { ended: (end: SessionEnd) => void; refused: () => void };
let events: SessionEvents = { ended: () => {}, refused: () => {} };

export function useSessionOf(csrf: string, given: SessionEvents): void {
  csrfToken = csrf;
  events = given;
}

/** The end of the session that a refusal means, if it means one. */
export function endBy({ status, reason }: Pick<ApiError, "status" | "reason">): SessionEnd | undefined {
  if (status === 401) return "ended";
  return reason === "organisation_suspended" ? "suspended" : undefined;
}

export const jsonLines = "application/x-ndjson";

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

/** etag: of the revision that a change is for. Another revision is a conflict. */
type CallOptions = { idempotencyKey?: string; etag?: string | null; signal?: AbortSignal };

/** @param body an object, or the bytes of JSON lines. @throws ApiError */
export async function api<T>(method: Method, path: string, body?: unknown, options: CallOptions = {}): Promise<T> {
  return (await call<T>(method, path, body, options)).data;
}

type Answer<T> = { data: T; etag: string | null };

async function call<T>(
  method: Method,
  path: string,
  body: unknown,
  { idempotencyKey = crypto.randomUUID(), etag, signal }: CallOptions,
): Promise<Answer<T>> {
  const isLines = body instanceof Uint8Array;
  const response = await request(method, `/api/v1${path}`, {
    headers: {
      ...(etag ? { "if-match": etag } : {}),
      ...(method === "GET" ? {} : { "x-csrf-token": csrfToken }),
      ...(method === "POST" ? { "idempotency-key": idempotencyKey } : {}),
      ...(body === undefined ? {} : { "content-type": isLines ? jsonLines : "application/json" }),
    },
    ...(body === undefined ? {} : { body: isLines ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
  const data = (response.status === 204 ? undefined : await response.json()) as T;
  return { data, etag: response.headers.get("etag") };
}

/** A call whose answer is no JSON of an operation, for example a stream. @throws ApiError */
export async function request(method: Method, url: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { method, credentials: "same-origin", cache: "no-store", ...init });
  } catch (error) {
    if ((error as Error).name === "AbortError") throw error;
    throw new ApiError(0, { code: "unreachable", message: partTexts.failures.unreachable });
  }
  if (response.ok) return response;
  const envelope = await response.json().catch(() => undefined);
  const error = envelope?.error ?? {
    code: "internal",
    message: partTexts.failures.status(response.status),
  };
  const refusal = new ApiError(response.status, error, response.headers.get(reasonHeader));
  const end = endBy(refusal);
  if (end) events.ended(end);
  else if (refusal.status === 403) events.refused();
  throw refusal;
}

/** The path with these query parameters; undefined and empty ones are left out. */
export function withQuery(path: string, params: Record<string, string | number | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== "") query.set(name, String(value));
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

/**
 * @param path null: nothing to load yet
 * @returns the resource, and the `etag` of its revision
 */
export function useOne<T>(path: string | null): Loaded<T> & { etag: string | null } {
  const { data, ...others } = useRead(path, (signal) => call<T>("GET", path ?? "", undefined, { signal }));
  return { data: data?.data, etag: data?.etag ?? null, ...others };
}
