/** The context of a request. */
import type { ServerResponse } from "node:http";
import type { Problem } from "../contract/refusals.ts";
import type { Body } from "../request/body.ts";
import type { ReceivedRequest } from "../request/validation.ts";
import type { Span } from "../tracing/spans.ts";
import type { Answer } from "./answer/answer.ts";
import type { Deadline } from "./limits/deadline.ts";

/** A request before its body is read. */
/** `since` is when the deadline began. The time in which the body arrives does not count. */
export type RequestHead = Omit<ReceivedRequest, "body"> &
  Deadline & {
    requestId: string;
    bearer: string | undefined;
    /** SHA-256 of `bearer`, if it was computed already. */
    digest?: Buffer;
    /** Whether `bearer` is the session of the portal's cookie. */
    portalSession?: boolean;
    /** Whether a write by cookie lacks the CSRF token: perhaps another site sent it. */
    forged?: boolean;
    /** The caller's address, for keys that allow some addresses and for the rate limit of unauthenticated requests. */
    address: string | undefined;
    /** A problem that the router found. */
    problem?: Problem;
    /** Whether a body arrives. It is read only after the credential was accepted. */
    hasBody: boolean;
    /** Resolves to undefined if the caller disconnected before the whole body arrived. */
    readBody(): Promise<Body | undefined>;
    /** Undefined if tracing is off. */
    span?: Span | undefined;
    /** A request that was counted already: a repeated read of a waiting request, or an operation that a tool calls. */
    again?: boolean;
  };

export type RequestContext = RequestHead & {
  body: Body;
  /** The deadline: a statement that was not sent by then is not sent (deadline.ts). */
  until?: number;
};

/** A request whose credential may be presented to the database, or the problem to answer with. */
export type Authenticated = { credential: Buffer; head: RequestHead; problem?: never } | { problem: Problem };

/** @throws Error of the database or of its connection */
export type Authenticate = (head: RequestHead) => Authenticated | Promise<Authenticated>;

/**
 * Answers a request. Its credential is a bearer token by default.
 *
 * @throws Error of the database or of its connection; the caller maps it to 500 or 503
 */
export type Perform = (head: RequestHead, authenticate?: Authenticate) => Promise<Answer>;

/** Answers a request that may stay open. @throws Error as `Perform` does */
export type PerformOpen = (head: RequestHead, response: ServerResponse) => Promise<Answer>;
