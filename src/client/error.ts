/** The one error that a call of the client ends with when it was not answered with a success. */
import type { RefusalCode } from "./types.ts";

/**
 * The codes of the contract, and four of the client's own for what never got an answer in the contract's shape. Open:
 * a later version of the API may answer a code that this client does not know yet.
 */
export type ErrorCode = RefusalCode | "network" | "timeout" | "aborted" | "unexpected_answer" | (string & {});

/** One failing path of an invalid_request. */
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
  /** 0 when there was no answer. */
  readonly status: number;
  /** What to name when asking an operator about it. */
  readonly requestId: string | undefined;
  /** With invalid_request: which paths fail, and why. Else empty. */
  readonly details: ErrorDetail[];
  /** Why, in a word of the document, where `code` alone does not say it; as `member_exists`. */
  readonly reason: string | undefined;
  /**
   * Whether the same call may be answered otherwise later. Where that is safe the client has tried again by itself
   * before it threw this. A POST that you repeat yourself has to carry the same idempotencyKey.
   */
  readonly retryable: boolean;
  /** What Retry-After said, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** How often the request was sent. */
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

/** From an answer that is no success: the contract's envelope, or what something on the way made of it. */
export function errorOfAnswer(status: number, headers: Headers, text: string): BotsteadError {
  const envelope = readEnvelope(text);
  const requestId = envelope?.requestId ?? headers.get("x-request-id") ?? undefined;
  const retryAfterMs = readRetryAfter(headers.get("retry-after"));
  if (!envelope) {
    const message = `The answer (status ${status}) is not one of the API's.`;
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
  return new BotsteadError({
    code,
    message: [message, ...details.map(({ path, message }) => `${path} ${message}.`)].join(" "),
    status,
    requestId,
    details,
    reason: headers.get("x-botstead-reason") ?? undefined,
    retryable: worthAnotherTry.has(code),
    retryAfterMs,
  });
}

/** From what fetch threw: the caller's signal, our timeout, or the network. */
export function errorOfThrown(thrown: unknown, ended: { byCaller: boolean; byTimeout: boolean }): BotsteadError {
  if (ended.byCaller) {
    return new BotsteadError({ code: "aborted", message: "The call was aborted.", retryable: false, cause: thrown });
  }
  if (ended.byTimeout) {
    const message = "There was no answer within the time.";
    return new BotsteadError({ code: "timeout", message, retryable: true, cause: thrown });
  }
  const reason = systemCodeOf(thrown);
  const message = `The API could not be reached${reason ? ` (${reason})` : ""}.`;
  return new BotsteadError({ code: "network", message, retryable: true, cause: thrown });
}

type Fault = { code?: unknown; cause?: Fault };

/** What the operating system or the TLS layer called it, as ECONNREFUSED. fetch wraps it. */
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

/** Seconds, or a date. (RFC 9110, 10.2.3.) */
function readRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}
