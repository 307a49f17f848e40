/**
 * Answers, and how they are written. (Part 4, "Common conventions"; part 7.)
 */
import type { ServerResponse } from "node:http";
import { type Detail, envelope, type RefusalCode, refusals } from "../contract/refusals.ts";

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

export function send(response: ServerResponse, { status, body, headers, hold }: Answer): void {
  if (response.headersSent || response.destroyed) return;
  if (hold) {
    response.writeHead(status, headers).write(body);
    hold();
    return;
  }
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
}
