/** Errors of the paths below /oauth, in the form of OAuth (RFC 6749, 5.2). (docs/specification/oauth.md#errors) */
import type { ErrorRequestHandler, Response } from "express";
import type { RefusalCode } from "../../contract/refusals.ts";
import { faultOf, type Log } from "../../log.ts";

export type Failure = { status: number; error: string; description: string };

const unavailable: Failure = { status: 503, error: "temporarily_unavailable", description: "Try again soon." };

/** By the refusal of the operation. */
const failures: Partial<Record<RefusalCode, Failure>> = {
  invalid_request: { status: 400, error: "invalid_request", description: "A parameter is too long or too short." },
  quota_exceeded: {
    ...{ status: 400, error: "invalid_grant" },
    description: "The organisation has as many live keys as it may have. Revoke one, and connect again.",
  },
  rate_limited: { status: 429, error: "too_many_requests", description: "Try again in a minute." },
};

export const failureOf = (code: RefusalCode | undefined): Failure => failures[code ?? "unavailable"] ?? unavailable;

export const headers = { "cache-control": "no-store", pragma: "no-cache", "x-content-type-options": "nosniff" };

export function refuse(response: Response, { status, error, description }: Failure): void {
  response.locals.code = error;
  response
    .status(status)
    .set(status === 429 ? { ...headers, "retry-after": "60" } : headers)
    .json({ error, error_description: description });
}

/** What Express and its body parser report, by status. */
const faults: Record<number, string> = {
  405: "This path does not support the method.",
  413: "The body is larger than 16 KiB.",
  415: "The body must be application/x-www-form-urlencoded in UTF-8, and not compressed.",
};

export function oauthErrors(log: Log): ErrorRequestHandler {
  return (error: unknown, { path, method }, response, next) => {
    const { status = 500, allow } = error as { status?: number; allow?: string };
    if (!path.startsWith("/oauth/") || response.headersSent) return next(error);
    if (allow) response.set({ allow });
    const { requestId } = response.locals;
    if (status >= 500) {
      log.error({ requestId, error: faultOf(error) }, "internal");
      return refuse(response, { status: 500, error: "server_error", description: "The service failed. Try again." });
    }
    log.info({ requestId, method, status, code: "invalid_request" });
    refuse(response, {
      status,
      error: "invalid_request",
      description: faults[status] ?? "The request could not be read.",
    });
  };
}
