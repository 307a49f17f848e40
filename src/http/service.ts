/** What a process of the API performs requests with, and a request as it was asked. */
import type { IncomingMessage } from "node:http";
import type { Problem } from "../contract/refusals.ts";
import type { Lanes } from "../database/lanes.ts";
import type { AllowedRanges } from "../delivery/address.ts";
import type { RequestMetrics } from "../metrics/requests.ts";
import type { MasterKey } from "../secrets/master-key.ts";
import type { Span, Tracer } from "../tracing/spans.ts";
import type { Sent } from "./admission.ts";
import type { Backlog } from "./backlog.ts";
import type { Buckets } from "./buckets.ts";
import type { Identities } from "./identities.ts";
import type { RequestMinutes } from "./request-minutes.ts";
import type { Watching } from "./watching/watching.ts";

export type Service = {
  lanes: Lanes;
  buckets: Buckets;
  /** Whether each process counts for itself, or the database for all. */
  rateLimits: "process" | "shared";
  identities: Identities;
  master: MasterKey;
  allowed: AllowedRanges;
  /** Who calls, for the bucket of callers without a credential. */
  addressOf: (request: IncomingMessage) => string | undefined;
  /** With /api/v1, without a trailing slash. */
  apiUrl: string;
  watching: Watching;
  /** Bodies that are still coming. */
  arriving: Backlog;
  /** Large answers that were not taken yet. */
  unsent: Backlog;
  requestMinutes: RequestMinutes;
  metrics: RequestMetrics;
  /** Undefined where no traces are kept. */
  tracer: Tracer | undefined;
};

export type Asked = Sent & {
  requestId: string;
  bearer: string | undefined;
  address: string | undefined;
  /** What the router or the reader of the body found wrong already. */
  problem?: Problem;
  /** When its time is over: what was not sent to the database by then is sent no more (deadline.ts). */
  until?: number;
  /** The span of the request, where traces are kept. */
  span?: Span | undefined;
  /** A request that was counted already reads once more. */
  again?: boolean;
};
