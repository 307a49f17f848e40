/**
 * Refusals: which each operation can answer, and how the document words them. One response for each set of codes that
 * share a status, named after them. (docs/specification/conventions.md#errors)
 */
import { ids } from "../../contract/examples.ts";
import { needsIdempotencyKey, type Operation } from "../../contract/operation.ts";
import { type Reason, reasonHeader, reasons, reasonsOf } from "../../contract/reasons.ts";
import { envelope, type RefusalCode, refusals } from "../../contract/refusals.ts";
import { type HeaderName, headersOf } from "./headers.ts";

/** What every operation can answer, whatever it is. A body is read over where none is asked for, up to its limit. */
const everywhere: RefusalCode[] = ["unauthenticated", "payload_too_large", "rate_limited", "internal", "unavailable"];

/** Every code that the operation can answer, and no other. `not_supported` belongs to a path and to no operation. */
export function refusalsOf(operation: Operation): Set<RefusalCode> {
  const codes = new Set<RefusalCode>([...everywhere, ...operation.refusals]);
  if (operation.body || operation.query || operation.stream || needsIdempotencyKey(operation))
    codes.add("invalid_request");
  // Its organisation may be suspended. (docs/console.md.)
  if (operation.keyClass === "organisation" || operation.keyClass === "hook") codes.add("forbidden");
  if (needsIdempotencyKey(operation)) codes.add("idempotency_in_progress").add("idempotency_mismatch");
  return codes;
}

export type Refusals = {
  /** By status, references to responses. */
  of(operation: Operation): Record<string, { $ref: string }>;
  /** All responses so far, by name. */
  components(): Record<string, object>;
};

export function collectRefusals(): Refusals {
  const found = new Map<string, object>();
  return {
    of(operation) {
      const byStatus = Map.groupBy(refusalsOf(operation), (code) => refusals[code].status);
      const entries = [...byStatus].sort(([a], [b]) => a - b);
      return Object.fromEntries(
        entries.map(([status, codes]) => {
          const name = codes.toSorted().map(pascal).join("Or");
          if (!found.has(name)) found.set(name, response(codes));
          return [status, { $ref: `#/components/responses/${name}` }];
        }),
      );
    },
    components: () => Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function response(codes: RefusalCode[]): object {
  return {
    description: codes.map((code) => `\`${code}\`: ${refusals[code].message}`).join("\n\n"),
    headers: headersOf(...new Set(codes.flatMap(headersWith))),
    content: {
      "application/json": {
        schema: {
          type: "object",
          required: ["error"],
          properties: {
            error: { allOf: [{ $ref: "#/components/schemas/Refusal" }, { properties: { code: { enum: codes } } }] },
          },
        },
        examples: Object.fromEntries(codes.map((code) => [code, { value: example(code) }])),
      },
    },
  };
}

/** Refusals that a POST keeps and gives again. (docs/specification/conventions.md#idempotency.) */
const kept = new Set<RefusalCode>([
  "invalid_request",
  "payment_required",
  "forbidden",
  "not_found",
  "conflict",
  "quota_exceeded",
]);

function headersWith(code: RefusalCode): HeaderName[] {
  if (code === "unauthenticated") return ["RequestId", "WwwAuthenticate"];
  if (code === "internal" || code === "unavailable") return ["RequestId", "RateLimitPolicy", "RateLimit"];
  const counted: HeaderName[] = ["RequestId", "RateLimitPolicy", "RateLimit"];
  if (code === "rate_limited") return [...counted, "RetryAfter"];
  const explained: HeaderName[] = Object.values(reasons).some((reason) => reason.code === code) ? ["Reason"] : [];
  return [...counted, ...explained, ...(kept.has(code) ? (["IdempotentReplayed"] as const) : [])];
}

/** By code, the reasons that the operation can answer. */
export function reasonsByCode(operation: Operation): Partial<Record<RefusalCode, Reason[]>> {
  return Object.fromEntries(Map.groupBy(reasonsOf(operation), (reason) => reasons[reason].code));
}

/** The operation's own reasons in words; that of a suspended organisation goes without saying. */
export function wordReasons({ reasons: own }: Operation): string {
  if (own.length === 0) return "";
  const lines = own.map((reason) => `- \`${reasons[reason].code}\`, \`${reason}\`: ${reasons[reason].meaning}`);
  return `\n\nReasons of refusals (\`${reasonHeader}\`):\n\n${lines.join("\n")}`;
}

function example(code: RefusalCode): unknown {
  const details = [{ path: "body.name", message: "must have 1 to 60 characters" }];
  return JSON.parse(envelope(code, ids.request, details));
}

function pascal(code: string): string {
  return code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export const refusalSchema = {
  type: "object",
  description: "Why a request was refused. Decide by `code`; the message is a fixed sentence for people.",
  required: ["code", "message", "requestId"],
  properties: {
    code: {
      type: "string",
      enum: Object.keys(refusals),
      description: "`not_supported` answers a method that a path does not have, with the header Allow.",
    },
    message: { type: "string" },
    requestId: { type: "string", format: "uuid", description: "The same as the header X-Request-Id." },
    details: {
      type: "array",
      description: "With `invalid_request` alone: what failed, and never what was sent. The first 100 places.",
      items: {
        type: "object",
        required: ["path", "message"],
        properties: {
          path: { type: "string", description: "As `body.name`, `query.limit` or `headers.idempotency-key`." },
          message: { type: "string" },
        },
      },
    },
  },
};
