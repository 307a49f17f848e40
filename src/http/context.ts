/** The services of an API process, and the context of a request. */
import type { IncomingMessage } from "node:http";
import type { Problem } from "../contract/refusals.ts";
import type { ApiPools } from "../database/api-pools.ts";
import type { AllowedTargets } from "../delivery/webhook-url.ts";
import type { RequestMetrics } from "../metrics/requests.ts";
import type { Body } from "../request/body.ts";
import type { ReceivedRequest } from "../request/validation.ts";
import type { MasterKey } from "../secrets/master-key.ts";
import type { Span, Tracer } from "../tracing/spans.ts";
import type { Backlog } from "../web/backlog.ts";
import type { RateLimiter } from "../web/rate-limiter.ts";
import type { Identities } from "./limits/identities.ts";
import type { RequestMinutes } from "./limits/request-minutes.ts";
import type { Watching } from "./streams/watching.ts";

export type ApiServices = {
  pools: ApiPools;
  rateLimiter: RateLimiter;
  /** Whether each process counts requests itself, or the database counts for all processes. */
  rateLimits: "process" | "shared";
  identities: Identities;
  master: MasterKey;
  allowed: AllowedTargets;
  /** The caller's address, for the rate limit of unauthenticated requests. */
  addressOf: (request: IncomingMessage) => string | undefined;
  /** Includes /api/v1, without a trailing slash. */
  apiUrl: string;
  watching: Watching;
  /** Bodies that are still arriving. */
  arriving: Backlog;
  /** Large answers that were not sent yet. */
  unsent: Backlog;
  requestMinutes: RequestMinutes;
  metrics: RequestMetrics;
  /** Undefined if tracing is off. */
  tracer: Tracer | undefined;
};

/** A request before its body is read. */
export type RequestHead = Omit<ReceivedRequest, "body"> & {
  requestId: string;
  bearer: string | undefined;
  address: string | undefined;
  /** A problem that the router found. */
  problem?: Problem;
  /** Whether a body arrives. It is read only after the credential was accepted. */
  hasBody: boolean;
  /** Resolves to undefined if the caller disconnected before the whole body arrived. */
  readBody(): Promise<Body | undefined>;
  /** When the deadline began (performance.now; deadline.ts). The time in which the body arrives does not count. */
  since: number;
  /** Undefined if tracing is off. */
  span?: Span | undefined;
  /** A repeated read of a waiting request, which was counted already. */
  again?: boolean;
};

export type RequestContext = RequestHead & {
  body: Body;
  /** The deadline: a statement that was not sent by then is not sent (deadline.ts). */
  until?: number;
};
