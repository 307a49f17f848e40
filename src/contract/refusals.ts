/**
 * Every refusal, its status and its words. A message is a fixed sentence: nothing is put into it. (docs/specification/conventions.md#errors)
 */
export const refusals = {
  invalid_request: { status: 400, message: "The request does not match the contract; details name the failing paths." },
  unauthenticated: { status: 401, message: "No credential that this route accepts was given." },
  payment_required: { status: 402, message: "The organisation needs a trial or a payment before this can be written." },
  forbidden: { status: 403, message: "The credential is accepted, but its person may not do this." },
  not_found: { status: 404, message: "There is nothing here that the caller may read." },
  not_supported: { status: 405, message: "The route exists, but not with this method." },
  conflict: { status: 409, message: "The state of the row refuses the call." },
  idempotency_in_progress: {
    status: 409,
    message: "An earlier request with this Idempotency-Key is not answered yet.",
  },
  payload_too_large: {
    status: 413,
    message: "The body is larger than 64 KB, of a batch 1 MB; or the answer would not fit in the batch's.",
  },
  idempotency_mismatch: { status: 422, message: "This Idempotency-Key was used with another request." },
  quota_exceeded: { status: 429, message: "A limit of the product is reached." },
  rate_limited: { status: 429, message: "Too many requests; try again after the time that Retry-After gives." },
  internal: { status: 500, message: "Something went wrong on our side." },
  unavailable: { status: 503, message: "The service can't answer right now; try again." },
} as const;

export type RefusalCode = keyof typeof refusals;

/** One failing path of a request; never echoes what was submitted. */
export type Detail = { path: string; message: string };

/** What was found wrong with a request. Details come with invalid_request alone. */
export type Problem = { code: RefusalCode; details?: Detail[] };

export function isRefusalCode(code: string | null | undefined): code is RefusalCode {
  return typeof code === "string" && Object.hasOwn(refusals, code);
}

/** The one shape of every refusal. */
export function envelope(code: RefusalCode, requestId: string, details?: Detail[] | null): string {
  const shown = code === "invalid_request" && details ? { details } : {};
  return JSON.stringify({ error: { code, message: refusals[code].message, requestId, ...shown } });
}
