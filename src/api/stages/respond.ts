/** Words the result of a call as its answer, and sends answers. (docs/specification/conventions.md#answers) */
import type { ServerResponse } from "node:http";
import type { Deprecated } from "../../contract/operation.ts";
import { isReason, reasonHeader } from "../../contract/reasons.ts";
import { type Detail, envelope, isRefusalCode, type RefusalCode, refusals } from "../../contract/refusals.ts";
import { etagOf } from "../../contract/revision.ts";
import { openMembers, withMember } from "../../secrets/one-time.ts";
import { type Backlog, trackUntilDrained } from "../../web/backlog.ts";
import { mayHaveBody } from "../../web/head.ts";
import { wordBatch } from "../batch.ts";
import type { Answer, Request } from "../request.ts";
import type { Result } from "./call.ts";

/** @param apiUrl includes /api/v1, without a trailing slash */
export function respond(request: Request, result: Result, apiUrl: string): Answer {
  const { operation, bearer = "", idempotencyKey = "", batch } = request;
  const requestId = result.requestId ?? request.requestId;
  const sealed = result.sealed ? Buffer.from(result.sealed, "hex") : undefined;
  const members = sealed ? openMembers(sealed, { bearer, idempotencyKey }) : request.members;
  const answer = result.status ? success(result.status, "", requestId) : refused(result, requestId);
  if (result.status) {
    answer.body = batch
      ? wordBatch(result.body, batch, members, requestId)
      : members[0] === undefined
        ? result.body
        : withMember(result.body, members[0]);
    if (operation.revision) answer.headers.etag = etagOf(result.body, operation.revision);
    const { location } = operation;
    if (location) answer.headers.location = apiUrl + location + (location.endsWith("/") ? idOf(answer.body) : "");
  }
  if (result.replayed) answer.headers["idempotent-replayed"] = "true";
  return answer;
}

function refused({ refusal: code, details, reason }: Result, requestId: string): Answer {
  if (!isRefusalCode(code)) throw new Error(`SQL refused with an unknown code: ${code}`);
  return refusal(code, requestId, details, reason ?? (code === "unavailable" ? "no_executor" : undefined));
}

/** Each row begins with its id. */
function idOf(row: string): string {
  return row.slice('{"id":"'.length, '{"id":"'.length + 36);
}

const commonHeaders = {
  "content-type": "application/json",
  "cache-control": "private, no-store",
  "x-content-type-options": "nosniff",
};

function success(status: number, body: string, requestId: string): Answer {
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

/** `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and a link to the replacement. (docs/versioning.md) */
export function deprecationHeaders({ since, sunset, link }: Deprecated): Record<string, string> {
  return {
    deprecation: `@${Date.parse(since) / 1000}`,
    ...(sunset ? { sunset: new Date(sunset).toUTCString() } : {}),
    ...(link ? { link: `<${link}>; rel="deprecation"; type="text/html"` } : {}),
  };
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
