/** How requests are counted: by the process (stages/limit.ts), or by the database for all processes (shared.ts). */
import type { Problem } from "../../contract/refusals.ts";
import type { ApiPools } from "../../database/connections/api-pools.ts";
import type { RateLimiter } from "../../web/rate-limiter.ts";
import type { Answer, Request } from "../request.ts";
import type { Identities, Identity } from "../stages/authenticate.ts";

/** A returned answer is the end of the request. @throws Error of the database or of its connection */
export type Counting = {
  /** Before the body is read. */
  admit(request: Request): Promise<Answer | undefined>;
  /** Once the body says as how many requests it counts. */
  count(request: Request): Promise<Answer | undefined>;
  /** Adds what remains of the limits to the answer. A request whose credential the database refused was not counted. */
  settle(request: Request, answering: Answer | Promise<Answer>): Promise<Answer>;
};

export type CountingParts = {
  pools: ApiPools;
  rateLimiter: RateLimiter;
  identities: Identities;
  /** Counts for the caller's address. */
  refuse(request: Request, problem?: Problem): Answer;
  /** Undefined if the credential is unknown. */
  identityOf(request: Request): Promise<Identity | undefined>;
};
