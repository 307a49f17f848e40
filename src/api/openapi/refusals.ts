/**
 * Refusals of each operation, as responses of the document. Codes that share a status share a response, which is named
 * after them. (docs/specification/conventions.md#errors)
 */
import { ids } from "../../contract/examples.ts";
import type { Operation } from "../../contract/operation.ts";
import { type Reason, reasonHeader, reasons, reasonsOf } from "../../contract/reasons.ts";
import { envelope, type RefusalCode, refusals } from "../../contract/refusals.ts";
import { type HeaderName, headersOf } from "./headers.ts";

/**
 * Codes of every operation. Also an operation without a body can return payload_too_large, because a body is always
 * read.
 */
const everywhere: RefusalCode[] = ["unauthenticated", "payload_too_large", "rate_limited", "internal", "unavailable"];

/** Exactly the codes that the operation can return. `not_supported` belongs to a path, not to an operation. */
function refusalsOf(operation: Operation): Set<RefusalCode> {
  const codes = new Set<RefusalCode>([...everywhere, ...operation.refusals]);
  if (operation.body || operation.query || operation.stream || operation.needsIdempotencyKey)
    codes.add("invalid_request");
  // An operator can suspend the organisation. (docs/console.md)
  if (operation.keyClass === "organisation" || operation.keyClass === "hook") codes.add("forbidden");
  if (operation.needsIdempotencyKey) codes.add("idempotency_in_progress").add("idempotency_mismatch");
  return codes;
}

export type Refusals = {
  /** References to responses, by status. */
  of(operation: Operation): Record<string, { $ref: string }>;
  /** All collected responses, by name. */
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

/** Refusals that are stored under an Idempotency-Key. (docs/specification/conventions.md#idempotency) */
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

/** Reasons of the operation, by code. */
export function reasonsByCode(operation: Operation): Partial<Record<RefusalCode, Reason[]>> {
  return Object.fromEntries(Map.groupBy(reasonsOf(operation), (reason) => reasons[reason].code));
}

/** The operation's own reasons as a Markdown list, without the suspension that all operations share. */
export function wordReasons({ reasons: own }: Operation): string {
  if (own.length === 0) return "";
  const lines = own.map((reason) => `- \`${reasons[reason].code}\`, \`${reason}\`: ${reasons[reason].meaning}`);
  return `\n\nReasons (\`${reasonHeader}\`):\n\n${lines.join("\n")}`;
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
  description: "A refusal. Decide by `code`; `message` is a fixed sentence per code.",
  required: ["code", "message", "requestId"],
  properties: {
    code: {
      type: "string",
      enum: Object.keys(refusals),
      description: "`not_supported`: the path does not have the method. The header Allow lists its methods.",
    },
    message: { type: "string", description: "The same sentence for every refusal with this code." },
    requestId: { type: "string", format: "uuid", description: "The value of the header X-Request-Id." },
    details: {
      type: "array",
      description: "Only with `invalid_request`: up to 100 invalid fields. Submitted values are not included.",
      items: {
        type: "object",
        required: ["path", "message"],
        properties: {
          path: { type: "string", description: "For example `body.name`, `query.limit` or `headers.idempotency-key`." },
          message: { type: "string", description: "What the field has to be." },
        },
      },
    },
  },
};
