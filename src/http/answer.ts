/**
 * Answers, and how they are written. (Part 4, "Common conventions"; part 7.)
 */
import type { ServerResponse } from "node:http";
import { type Detail, envelope, type RefusalCode, refusals } from "../contract/refusals.ts";
import { type Backlog, holdUntilTaken } from "./backlog.ts";
import { mayHaveBody } from "./body.ts";

export type Answer = {
  status: number;
  body: string;
  headers: Record<string, string>;
  code?: RefusalCode;
  /** Whose the request was, where it was somebody's. */
  organisationId?: string | null | undefined;
  /** Of an answer that is not over with its body: writes the rest, and ends it. */
  hold?: () => void;
};

const everyAnswer = { "content-type": "application/json", "cache-control": "private, no-store" };

export function success(status: number, body: string, requestId: string): Answer {
  return { status, body, headers: { ...everyAnswer, "x-request-id": requestId } };
}

export function refusal(code: RefusalCode, requestId: string, details?: Detail[] | null): Answer {
  const headers: Record<string, string> = { ...everyAnswer, "x-request-id": requestId };
  if (code === "unauthenticated") headers["www-authenticate"] = "Bearer";
  if (code === "rate_limited") headers["retry-after"] = "60";
  return { status: refusals[code].status, body: envelope(code, requestId, details), headers, code };
}

/** From this size on an answer that is not taken is worth counting, in bytes. */
const large = 64 * 1024;
/** For how long the rest of a body is read over whose request was answered already. */
const lingerMs = 1_000;

/** @param unsent where a large answer counts until it was taken */
export function send(response: ServerResponse, answer: Answer, unsent?: Backlog): void {
  const { status, body, headers, hold } = answer;
  const request = response.req;
  if (response.headersSent || response.destroyed) return;
  if (hold) {
    const hasGoneOut = response.writeHead(status, headers).write(body);
    if (!hasGoneOut && unsent) holdUntilTaken(response, unsent);
    hold();
    return;
  }
  if (!request.complete && mayHaveBody(request)) return void sendEarly(response, answer);
  const length = Buffer.byteLength(body);
  if (unsent && length >= large)
    response.once(
      "close",
      unsent.hold(length, () => response.destroy()),
    );
  response.writeHead(status, { ...headers, "content-length": length }).end(body);
}

/**
 * Answers a request whose body has not come whole. What came with its head is there within this turn; else this is the end
 * of the connection. For a moment the rest is read over: who is cut off while they write may never read the answer.
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
    const impatience = setTimeout(end, lingerMs);
    request.once("close", () => {
      clearTimeout(impatience);
      end();
    });
  });
}
