/** The error of a call that got no successful response. */
import type { RefusalCode } from "./types.ts";

/**
 * The codes of the contract, and four of the client for calls without a response of the API. An open union, because a
 * later version of the API may add codes.
 */
export type ErrorCode = RefusalCode | "network" | "timeout" | "aborted" | "unexpected_answer" | (string & {});

/** One invalid field of the request. */
export type ErrorDetail = { path: string; message: string };

type Facts = {
  code: ErrorCode;
  message: string;
  status?: number;
  requestId?: string | undefined;
  details?: ErrorDetail[];
  reason?: string | undefined;
  retryable: boolean;
  retryAfterMs?: number | undefined;
  cause?: unknown;
};

export class BotsteadError extends Error {
  override readonly name = "BotsteadError";
  readonly code: ErrorCode;
  /** 0 without a response. */
  readonly status: number;
  /** Id to quote when you contact the operator. */
  readonly requestId: string | undefined;
  /** With invalid_request: the invalid fields. Otherwise empty. */
  readonly details: ErrorDetail[];
  /** Reason of the refusal, if `code` has several causes, for example `member_exists`. */
  readonly reason: string | undefined;
  /**
   * Whether the same call may succeed later. The client has already retried where that is safe. To repeat a POST
   * yourself, pass the same idempotencyKey.
   */
  readonly retryable: boolean;
  /** Milliseconds until the API accepts another attempt: the rest of the rate limit's window, otherwise Retry-After. */
  readonly retryAfterMs: number | undefined;
  /** Number of attempts. */
  attempts = 1;

  constructor({ code, message, status = 0, requestId, details = [], reason, retryable, retryAfterMs, cause }: Facts) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.details = details;
    this.reason = reason;
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
  }
}

const worthAnotherTry = new Set(["rate_limited", "unavailable", "idempotency_in_progress", "internal"]);
const gateways = new Set([502, 503, 504]);

/** From an unsuccessful response: of the API, or of a proxy in between. */
export function errorOfAnswer(status: number, headers: Headers, text: string): BotsteadError {
  const envelope = readEnvelope(text);
  const requestId = envelope?.requestId ?? headers.get("x-request-id") ?? undefined;
  const retryAfterMs = readRetryAfter(headers.get("retry-after"));
  if (!envelope) {
    const message = `The response (status ${status}) is not from the API.`;
    return new BotsteadError({
      code: "unexpected_answer",
      message,
      status,
      requestId,
      retryable: gateways.has(status),
      retryAfterMs,
    });
  }
  const { code, message, details } = envelope;
  const windowMs = code === "rate_limited" ? readWindowRest(headers.get("ratelimit")) : undefined;
  return new BotsteadError({
    code,
    message: [message, ...details.map(({ path, message }) => `${path} ${message}.`)].join(" "),
    status,
    requestId,
    details,
    reason: headers.get("x-botstead-reason") ?? undefined,
    retryable: worthAnotherTry.has(code),
    retryAfterMs: windowMs ?? retryAfterMs,
  });
}

/** From an error of fetch: the caller's signal, the time-out, or the network. */
export function errorOfThrown(thrown: unknown, ended: { byCaller: boolean; byTimeout: boolean }): BotsteadError {
  if (ended.byCaller) {
    return new BotsteadError({ code: "aborted", message: "The call was aborted.", retryable: false, cause: thrown });
  }
  if (ended.byTimeout) {
    const message = "The request timed out.";
    return new BotsteadError({ code: "timeout", message, retryable: true, cause: thrown });
  }
  const reason = systemCodeOf(thrown);
  const message = `The API could not be reached${reason ? ` (${reason})` : ""}.`;
  return new BotsteadError({ code: "network", message, retryable: true, cause: thrown });
}

type Fault = { code?: unknown; cause?: Fault };

/** Error code of the operating system or TLS, for example ECONNREFUSED. fetch wraps it. */
export function systemCodeOf(thrown: unknown): string | undefined {
  for (let error = thrown as Fault | undefined; error && typeof error === "object"; error = error.cause) {
    if (typeof error.code === "string") return error.code;
  }
  return undefined;
}

type Envelope = { code: string; message: string; requestId: string | undefined; details: ErrorDetail[] };

function readEnvelope(text: string): Envelope | undefined {
  try {
    const { code, message, requestId, details } = JSON.parse(text).error;
    if (typeof code !== "string") return undefined;
    return { code, message: String(message), requestId, details: Array.isArray(details) ? details : [] };
  } catch {
    return undefined;
  }
}

/** Seconds or a date. (RFC 9110, 10.2.3.) */
function readRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}

/** The longest `t` of RateLimit: Retry-After of a refusal is always 60 seconds, and a window may end sooner. */
function readWindowRest(value: string | null): number | undefined {
  const rests = [...(value ?? "").matchAll(/;\s*t=(\d+)/g)].map(([, seconds]) => Number(seconds) * 1000);
  return rests.length === 0 ? undefined : Math.max(...rests);
}
