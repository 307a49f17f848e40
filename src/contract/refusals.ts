/**
 * Every refusal with its status and its message. A message is a fixed sentence.
 * (docs/specification/conventions.md#errors)
 */
export const refusals = {
  invalid_request: {
    status: 400,
    message: "The request does not match the contract. `details` names the invalid fields.",
  },
  unauthenticated: { status: 401, message: "The request has no credential that this operation accepts." },
  payment_required: { status: 402, message: "The organisation needs a running trial, a payment or another seat." },
  forbidden: { status: 403, message: "The credential is valid, but its person is not allowed to do this." },
  not_found: { status: 404, message: "The resource does not exist, or the caller cannot read it." },
  not_supported: {
    status: 405,
    message: "The path exists, but not with this method. The header Allow lists the methods.",
  },
  conflict: { status: 409, message: "The current state of the resource does not allow this." },
  idempotency_in_progress: {
    status: 409,
    message: "A request with this Idempotency-Key is still in progress. Try again later.",
  },
  payload_too_large: {
    status: 413,
    message: "The body is larger than 1 MB, or the result does not fit into the batch's response.",
  },
  idempotency_mismatch: { status: 422, message: "This Idempotency-Key was used for a different request." },
  quota_exceeded: { status: 429, message: "A limit of the organisation is reached." },
  rate_limited: { status: 429, message: "Too many requests. Try again after the seconds in Retry-After." },
  internal: { status: 500, message: "An internal error occurred." },
  unavailable: { status: 503, message: "The service cannot respond at the moment. Try again later." },
} as const;

export type RefusalCode = keyof typeof refusals;

/** One invalid field of a request. It never contains the submitted value. */
export type Detail = { path: string; message: string };
/** A small body can have thousands of invalid fields, and the details are stored. */
export const maxDetails = 100;

/** A refusal before the database is called. Only invalid_request has details. `reason` is a word of reasons.ts. */
export type Problem = { code: RefusalCode; details?: Detail[]; reason?: string };

export function isRefusalCode(code: string | null | undefined): code is RefusalCode {
  return typeof code === "string" && Object.hasOwn(refusals, code);
}

/** The body of every refusal. */
export function envelope(code: RefusalCode, requestId: string, details?: Detail[] | null): string {
  const shown = code === "invalid_request" && details ? { details } : {};
  return JSON.stringify({ error: { code, message: refusals[code].message, requestId, ...shown } });
}
