/**
 * An operation of the contract, as data. The router, 405 responses, the database's list of operations and the OpenAPI
 * document derive from the array in operations.ts.
 */
import type { z } from "zod";
import type { AllowedTargets } from "../delivery/webhook-url.ts";
import { limitReasonsOf } from "./limits.ts";
import { type Reason, reasons } from "./reasons.ts";
import type { Detail, RefusalCode } from "./refusals.ts";
import type { Revision } from "./revision.ts";

export type Scope = "read" | "write" | "admin";
export type Method = "get" | "post" | "patch" | "delete";

/**
 * A secret that an operation creates and shows once:
 * - api-key: stored as a digest, returned as `key`
 * - signing-secret: stored sealed with the master key, returned as `secret`
 * - portal-link: stored as a digest, returned in `url`
 * - invitation-token: stored as a digest, mailed, never returned
 */
export type SecretKind = "api-key" | "signing-secret" | "portal-link" | "invitation-token";

/** Deprecation of an operation: headers of its responses and a mark in the document. (docs/versioning.md) */
export type Deprecated = {
  /** Start of the deprecation, as 2027-01-31. */
  since: string;
  /** Earliest day of removal. */
  sunset?: string;
  /** Page about the replacement. */
  link?: string;
};

export type Operation = {
  /** Name of the function in the schema api. */
  name: string;
  method: Method;
  /** As in OpenAPI, for example /runs/{id}/cancel. */
  path: `/${string}`;
  /**
   * The kind of credential: a key of an organisation or platform, a token of a link, a session in the portal, a code of a
   * client, or the signature of a post to a hook. A portal session also reaches operations for keys of organisations.
   */
  keyClass:
    | "organisation"
    | "platform"
    | "portal_link"
    | "portal_session"
    | "authorization_code"
    | "invitation"
    | "approval"
    | "hook_address"
    | "hook";
  /** The narrowest scope that is accepted. Ignored for platform keys, which have no scope. */
  scope: Scope;
  /** The lowest role of the person. Default: member, who calls only through a portal session. */
  role?: "admin";
  /** Acts for the person alone, or creates a credential: not for a portal session that another person opened. */
  inPerson?: boolean;
  status: 200 | 201 | 202;
  summary: string;
  /** Markdown: what the operation does, then conditions of refusals that no reason in `reasons` states. */
  description: string;
  /** What people call it, where the summary and the description do not: for the searches of agents and of `/docs`. */
  searchTerms?: string;
  query?: z.ZodObject;
  body?: z.ZodObject;
  reply: z.ZodType;
  /** Refusals besides the common ones of its kind of operation. */
  refusals: RefusalCode[];
  /** Reasons of refusals whose code has several causes. */
  reasons: Reason[];
  deprecated?: Deprecated;
  /**
   * Maximum number of objects, arrays, members and elements in the body, because its cost grows with their number more than with
   * its bytes. Defaults to 1,000.
   */
  maxBodyValues: number;
  /** The list of the body whose elements may be sent as JSON lines instead. */
  bodyLines?: string;
  /** Whether it is the batch, whose body has operations. */
  isBatch: boolean;
  /** A POST with a key needs an Idempotency-Key. The sender of a post to a hook names the delivery. */
  needsIdempotencyKey: boolean;
  /** Performs only if the resource is at a revision that the caller names: a PATCH of a resource with revisions. */
  acceptsIfMatch: boolean;
  /** Reads one row by id, so quickly that the call can share a transaction. */
  pointRead?: boolean;
  /** Writes few rows of its organisation in a short time, so that waiting calls can share a transaction. */
  shortWrite?: boolean;
  /**
   * Only the digest of its large response is stored. A replay makes the response again, without an effect, and is refused if it would
   * show something else. A batch, whose response is stored as a whole, does not contain it.
   */
  storesDigest?: boolean;
  /** Accepts `wait`: responds when the row is no longer in progress. */
  waits?: boolean;
  /** Responds with server-sent events and accepts `Last-Event-ID`. `reply` is one of the events. */
  stream?: boolean;
  list?: boolean;
  /** A list that can be read as JSON lines, all pages in one response. */
  lines?: boolean;
  /** A list that grows at its end. Its `after` accepts the `position` of every page. */
  feed?: boolean;
  secret?: SecretKind;
  /** Path of the created row, without its id where it ends with a slash. */
  location?: `/${string}`;
  /** Returns a resource with an ETag. A PATCH of it accepts `If-Match`. */
  revision?: Revision;
  /** Checks that depend on settings, which a schema does not know. */
  inspect?: (input: Record<string, unknown>, settings: InspectionSettings) => Detail[];
  /** Values for SQL that SQL cannot compute from the validated input. */
  derive?: (input: Record<string, unknown>) => Record<string, unknown>;
};

/** @property hasDirectory whether the process serves several cells */
export type InspectionSettings = { allowed: AllowedTargets; hasDirectory: boolean };

type Completed = "keyClass" | "refusals" | "reasons" | "maxBodyValues";
type Derived = "isBatch" | "needsIdempotencyKey" | "acceptsIfMatch";

/** Completes a declaration with defaults, with what follows from it, and with the reasons of limits. */
export function operation(
  given: Omit<Operation, Completed | Derived> & Partial<Pick<Operation, Completed>>,
): Operation {
  const { name, method, keyClass = "organisation" } = given;
  const acceptsIfMatch = method === "patch" && given.revision !== undefined;
  const ofCondition: Reason[] = acceptsIfMatch ? ["revision_changed"] : [];
  const own = [...(given.reasons ?? []), ...limitReasonsOf(name), ...ofCondition];
  const codes = own.map((reason) => reasons[reason].code);
  return {
    keyClass,
    maxBodyValues: 1_000,
    isBatch: name === "batch",
    needsIdempotencyKey: method === "post" && (keyClass === "organisation" || keyClass === "platform"),
    acceptsIfMatch,
    ...given,
    reasons: own,
    refusals: [...new Set([...(given.refusals ?? []), ...codes])],
  };
}
