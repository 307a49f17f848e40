/**
 * Answers and how they are sent. (docs/specification/conventions.md#answers)
 */
import type { ServerResponse } from "node:http";
import { isReason, reasonHeader } from "../../contract/reasons.ts";
import { type Detail, envelope, type RefusalCode, refusals } from "../../contract/refusals.ts";
import { mayHaveBody } from "../../request/body.ts";
import { type Backlog, trackUntilDrained } from "../../web/backlog.ts";

/** `keyId` is the key's id; of a hook or a mailed link, its own. */
export type Caller = { keyId: string; organisationId: string | null };

export type Answer = {
  status: number;
  body: string;
  headers: Record<string, string>;
  code?: RefusalCode;
  /** Why the call was refused, for the log: a word of contract/reasons.ts, or of an outage. */
  reason?: string | undefined;
  /** The caller's key and organisation, if they are known. */
  caller?: Caller | undefined;
  /** For a stream: called after `body` was written; writes the rest and ends the response. */
  continue?: () => void;
};

const commonHeaders = {
  "content-type": "application/json",
  "cache-control": "private, no-store",
  "x-content-type-options": "nosniff",
};

export function success(status: number, body: string, requestId: string): Answer {
  return { status, body, headers: { ...commonHeaders, "x-request-id": requestId } };
}

/** @param reason callers see it if contract/reasons.ts lists it; only some codes have reasons */
export function refusal(
  code: RefusalCode,
  requestId: string,
  details?: Detail[] | null,
  reason?: string | null,
): Answer {
  const headers: Record<string, string> = { ...commonHeaders, "x-request-id": requestId };
  if (isReason(reason)) headers[reasonHeader.toLowerCase()] = reason;
  if (code === "unauthenticated") headers["www-authenticate"] = "Bearer";
  if (code === "rate_limited") headers["retry-after"] = "60";
  const body = envelope(code, requestId, details);
  return { status: refusals[code].status, body, headers, code, reason: reason ?? undefined };
}

/** Smaller answers are not counted in the backlog. */
const largeBytes = 64 * 1024;
/** How long the rest of a body is read and discarded after an early answer. */
const lingerMs = 1_000;

/** @param unsent counts a large answer until it was sent */
export function send(response: ServerResponse, answer: Answer, unsent?: Backlog): void {
  const { status, body, headers } = answer;
  const request = response.req;
  if (response.headersSent || response.destroyed) return;
  if (answer.continue) {
    const isFlushed = response.writeHead(status, headers).write(body);
    if (!isFlushed && unsent) trackUntilDrained(response, unsent);
    answer.continue();
    return;
  }
  if (!request.complete && mayHaveBody(request)) return void sendEarly(response, answer);
  const length = Buffer.byteLength(body);
  if (unsent && length >= largeBytes)
    response.once(
      "close",
      unsent.track(length, () => response.destroy()),
    );
  response.writeHead(status, { ...headers, "content-length": length }).end(body);
}

/**
 * Answers a request whose body has not fully arrived. A body that came with the head completes within this turn of the event
 * loop. Otherwise the connection ends, after a pause in which the rest is read: a client that is cut off while it writes may
 * never read the answer.
 */
function sendEarly(response: ServerResponse, answer: Answer): void {
  const request = response.req.resume();
  setImmediate(() => {
    if (request.complete) return void send(response, answer);
    if (response.headersSent || response.destroyed) return;
    const { status, body, headers } = answer;
    response.shouldKeepAlive = false;
    response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).write(body);
    const end = () => response.end();
    const timeout = setTimeout(end, lingerMs);
    request.once("close", () => {
      clearTimeout(timeout);
      end();
    });
  });
}
