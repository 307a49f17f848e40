/** Results of tools: structured content, and the same as JSON text for clients that read only text. (docs/mcp.md) */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { Answer } from "../api/request.ts";
import type { Operation } from "../contract/operation.ts";
import { isReason, type Reason, reasonHeader, reasons } from "../contract/reasons.ts";
import type { Detail, RefusalCode } from "../contract/refusals.ts";
import { secretsOf } from "./secrets.ts";
import { argumentOf, forAgents } from "./wording.ts";

/** The answer to an operation that a tool called. `body` is JSON. */
export type Called = {
  status: number;
  requestId: string;
  idempotencyKey?: string;
  replayed?: true;
  etag?: string;
  reason?: Reason;
  retryAfterSeconds?: number;
  body: string;
};

/** Why a tool did nothing: the error of the API's envelope, or one of this endpoint, which then has no request id. */
type Failure = {
  code: RefusalCode;
  reason?: Reason;
  message: string;
  details?: Detail[];
  requestId?: string;
  retryAfterSeconds?: number;
  hint?: string;
};

/** What a caller over HTTP reads from status, headers and body. */
export function calledOf({ status, headers, body }: Answer, idempotencyKey: string | undefined): Called {
  const { etag, [reasonHeader.toLowerCase()]: reason, "retry-after": retryAfter } = headers;
  return {
    status,
    requestId: headers["x-request-id"] ?? "",
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(headers["idempotent-replayed"] ? { replayed: true } : {}),
    ...(etag ? { etag } : {}),
    ...(isReason(reason) ? { reason } : {}),
    ...(retryAfter ? { retryAfterSeconds: Number(retryAfter) } : {}),
    body,
  };
}

/** A reader of a result pays for each character. Beyond this the result says how to ask for less. */
const maxResult = 65_536;

export function shown(value: object, isError = false): CallToolResult {
  return {
    content: [{ type: "text", text: JSON.stringify(value) }],
    structuredContent: value as Record<string, unknown>,
    isError,
  };
}

export function failed(failure: Failure): CallToolResult {
  return shown({ error: failure }, true);
}

/** @param hint what the API does not say, but the agent can know */
export function resultOf(operation: Operation, called: Called, hint?: string): CallToolResult {
  const { status, body, reason, retryAfterSeconds, ...others } = called;
  const head = { status, ...others };
  const secrets = secretsOf(operation);
  if (status < 400) return shown({ ...head, ...(secrets.length > 0 ? { secrets } : {}), ...contentOf(body) });
  const { code, message, requestId, details } = (JSON.parse(body) as { error: Failure }).error;
  const error: Failure = {
    code,
    ...(reason ? { reason } : {}),
    message: forAgents(reason ? reasons[reason].meaning : message),
    ...(details ? { details: details.map((each) => ({ ...each, path: argumentOf(each.path) })) } : {}),
    ...(requestId === undefined ? {} : { requestId }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(hint === undefined ? {} : { hint }),
  };
  return shown({ ...head, error }, true);
}

function contentOf(body: string): { body?: unknown; note?: string } {
  if (body === "") return {};
  if (body.length <= maxResult) return { body: JSON.parse(body) };
  const note =
    `The response has ${body.length} characters, more than the ${maxResult} of a result. Ask for fewer rows with limit, ` +
    "or for a single row.";
  return { note };
}
