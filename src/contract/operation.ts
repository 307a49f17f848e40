/**
 * An operation of the contract is data. The router, the 405s, the database's own list of operations and the document
 * are all folded from the one array in operations.ts.
 */
import type { z } from "zod";
import type { AllowedTargets } from "../delivery/webhook-url.ts";
import { type Reason, reasons } from "./reasons.ts";
import type { Detail, RefusalCode } from "./refusals.ts";

export type Scope = "read" | "write" | "admin";
export type Method = "get" | "post" | "patch" | "delete";

/**
 * A secret that an operation makes, shown once in its answer and nowhere else:
 * - api-key: stored as a digest, answered as `key`
 * - signing-secret: stored under the master key, answered as `secret`
 * - invitation-token: stored as a digest, mailed and never answered
 */
export type SecretKind = "api-key" | "signing-secret" | "invitation-token";

/** An operation that is to go. Its answers carry this as headers and the document says it. (docs/versioning.md.) */
export type Deprecated = {
  /** A day, as 2027-01-31: from when on it should not be used any more. */
  since: string;
  /** A day: from when on it may be gone. */
  sunset?: string;
  /** A page that says what takes its place. */
  link?: string;
};

export type Operation = {
  /** The function in schema api. */
  name: string;
  method: Method;
  /** As in OpenAPI: /runs/{id}/cancel. */
  path: `/${string}`;
  /** Whose keys reach it; or what a link, or the post to a hook, carries in the place of one. */
  keyClass: "organisation" | "platform" | "invitation" | "approval" | "hook_address" | "hook";
  /** The least scope that admits; a platform key has none and the word is not looked at. */
  scope: Scope;
  status: 200 | 201 | 202;
  summary: string;
  /** For people, in Markdown: what it does, and what is not to be guessed. Refusals are told of where they are listed. */
  description: string;
  query?: z.ZodObject;
  body?: z.ZodObject;
  reply: z.ZodType;
  /** Beyond those every route of its kind can answer. */
  refusals: RefusalCode[];
  /** Of the refusals whose code alone does not say why. */
  reasons: Reason[];
  deprecated?: Deprecated;
  /** Where its body may be larger than others. */
  bodyLimits?: BodyLimits;
  /** A point read by id: quick enough to share one connection with others. */
  pointRead?: boolean;
  /** Takes `wait`, and is answered once its row is no longer under way. */
  waits?: boolean;
  /** Answers server-sent events and stays open; takes `Last-Event-ID`. `reply` is one of the events. */
  stream?: boolean;
  list?: boolean;
  /** Oldest first and without an end: its `after` takes the `nextCursor` that every page has. */
  feed?: boolean;
  secret?: SecretKind;
  /** Where the created row is to be read, up to its id. */
  location?: `/${string}/`;
  /** What a schema can't say because it depends on a setting. */
  inspect?: (input: Record<string, unknown>, settings: { allowed: AllowedTargets }) => Detail[];
  /** What SQL is given beside the validated input and cannot compute itself. */
  derive?: (input: Record<string, unknown>) => Record<string, unknown>;
};

/** Of a body before it is parsed: bytes, also unpacked, and values, each object, array, member and element counting as one. */
export type BodyLimits = { bytes: number; values: number };

/** 64 KB. What a field may hold in characters may be more than that in bytes: then this limit is met first. */
const usualBodyLimits: BodyLimits = { bytes: 64 * 1024, values: 1_000 };

export function bodyLimits(operation: Operation): BodyLimits {
  return operation.bodyLimits ?? usualBodyLimits;
}

/** Says what is usual, so that an operation's declaration holds only what is particular. */
export function operation(
  given: Omit<Operation, "keyClass" | "refusals" | "reasons"> &
    Partial<Pick<Operation, "keyClass" | "refusals" | "reasons">>,
): Operation {
  const codes = (given.reasons ?? []).map((reason) => reasons[reason].code);
  const refusals = [...new Set([...(given.refusals ?? []), ...codes])];
  return { keyClass: "organisation", reasons: [], ...given, refusals };
}

/** Whether only a page of a mailed link performs it. Such an operation takes no Idempotency-Key. */
export function isOfPage({ keyClass }: Operation): boolean {
  return keyClass === "invitation" || keyClass === "approval";
}

/** A POST asks for an Idempotency-Key; one to a hook has a name of its own, which its sender gives it. */
export function needsIdempotencyKey(operation: Operation): boolean {
  return operation.method === "post" && operation.keyClass !== "hook";
}
