/** The shapes of a request and of its answer. The stages of perform.ts fill the fields of the request, in their order. */
import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Operation } from "../contract/operation.ts";
import type { Problem, RefusalCode } from "../contract/refusals.ts";
import type { Revision } from "../contract/revision.ts";
import type { Span } from "../tracing/spans.ts";
import type { Bucket } from "../web/rate-limiter.ts";
import { type Body, noBody } from "./body.ts";
import type { SharedCount } from "./limits/shared-counts.ts";

/** What is validated. The operations of a batch bring nothing else. */
export type Received = {
  operation: Operation;
  params: Record<string, string>;
  /** Below /api/v1. */
  path: string;
  query: URLSearchParams;
  body: Body;
  ifMatch?: string | undefined;
  /** The last event that the client of a resumed stream has read. */
  lastEventId?: string | undefined;
  /** Whether a feed is requested as a stream of server-sent events. */
  isLive?: boolean;
  /** Whether a list is requested as JSON lines. */
  isLines?: boolean;
};

/** What a request brings: over HTTP (stages/match.ts), from a page of this process, or from a tool of an agent. */
type Brought = Omit<Received, "body"> & {
  requestId: string;
  idempotencyKey: string | undefined;
  bearer: string | undefined;
  /** SHA-256 of `bearer`, if it was computed already. */
  digest?: Buffer;
  /** Whether `bearer` is the session of the portal's cookie. */
  portalSession?: boolean;
  /** Whether a write by cookie lacks the CSRF token: perhaps another site sent it. */
  forged?: boolean;
  /** The caller's address, for keys that allow some addresses and for the rate limit of unauthenticated requests. */
  address: string | undefined;
  /** The refusal that api.handle answers with, in its place in the order of checks. */
  problem?: Problem | undefined;
  /** Reads the body, which is still arriving. Resolves to undefined if the caller disconnected. Undefined: `body` is there. */
  readBody?: (() => Promise<Body | undefined>) | undefined;
  /** Gets the JSON of each delta while the request waits for a run. */
  onDelta?: ((delta: string) => void) | undefined;
  /** A request that was counted already: a repeated read of a waiting request, or an operation that a tool calls. */
  again?: boolean;
};

export type Request = Brought &
  /** perform.ts. The time in which the body arrives does not count. */
  Deadline & {
    /** perform.ts. Undefined if tracing is off. */
    span: Span | undefined;
    /** stages/authenticate.ts. SHA-256 of what the caller presented; empty before. */
    credential: Buffer;
    /** stages/limit.ts. The rate limits that it counts in, and as how many requests it was counted. */
    buckets: Bucket[];
    cost: number;
    /** With shared rate limits: the statement that counts. A read does not wait for it. */
    counting: Promise<SharedCount> | undefined;
    caller: Caller | undefined;
    /** stages/read.ts, or brought. */
    body: Body;
    /** stages/validate.ts. The input of the operation in SQL. Undefined if there is a problem. */
    input: Record<string, unknown> | undefined;
    /** The JSON members that show secrets, one for each row of the answer. */
    members: (string | undefined)[];
    /** Set if the operation is a batch. */
    batch: BatchedOperation[] | undefined;
  };

/** Parts of a result that SQL's answer lacks: the id from the request, and the revision of its resource. */
export type BatchedOperation = { id: string | null; revision: Revision | undefined };

const nothing = Buffer.alloc(0);

/** A request before its first stage. */
export const newRequest = (brought: Brought & Partial<Deadline & { body: Body }>): Request => ({
  since: 0,
  deadlineMs: 0,
  span: undefined,
  credential: nothing,
  buckets: [],
  cost: 0,
  counting: undefined,
  caller: undefined,
  body: noBody,
  input: undefined,
  members: [],
  batch: undefined,
  ...brought,
});

/** Sets the credential, or returns why it is refused. @throws Error of the database or of its connection */
export type Authenticate = (request: Request) => Problem | undefined | Promise<Problem | undefined>;

/**
 * Answers a request, which it does not change. Its credential is a bearer token by default.
 *
 * @throws Error of the database or of its connection; the caller maps it to 500 or 503
 */
export type Perform = (request: Request, authenticate?: Authenticate) => Promise<Answer>;

/** Answers a request that may stay open. @throws Error as `Perform` does */
export type PerformOpen = (request: Request, response: ServerResponse) => Promise<Answer>;

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

const randomPool = Buffer.alloc(16 * 256);
let left = 0;

/** UUIDv7, so that request ids sort by time. Random bytes are drawn for 256 ids at once: a draw for one id costs as much as for hundreds. */
export function newRequestId(): string {
  if (left === 0) {
    randomBytes(randomPool.length).copy(randomPool);
    left = randomPool.length;
  }
  left -= 16;
  const bytes = randomPool.subarray(left, left + 16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Callers are answered within RESPONSE_TIMEOUT_SECONDS, even if the database is not. The deadline of a request: it began at `since` (performance.now) and ends `deadlineMs` later. */
export type Deadline = { since: number; deadlineMs: number };

/** @param responseMs what a caller waits at most. The rest is for the way there and back */
export const deadlineFor = (responseMs: number): number => responseMs * 0.94;

/** On the clock of performance.now. */
export const deadlineOf = ({ since, deadlineMs }: Deadline): number => since + deadlineMs;

/**
 * @param work receives the deadline (performance.now), after which it must not send statements to the database
 * @throws DeadlineError, which counts as an outage, when the time is over
 */
export function withinDeadline<T>(deadline: Deadline, work: (until: number) => Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const until = deadlineOf(deadline);
  const timer = setTimeout(() => reject(new DeadlineError()), Math.max(0, until - performance.now()));
  return Promise.race([work(until), promise]).finally(() => clearTimeout(timer));
}

/** Counts as an outage. */
export class DeadlineError extends Error {
  readonly code = "deadline";
}
