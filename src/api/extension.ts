/** What can be attached to the API by one line where it starts (src/extensions/api.ts), and left out. */
import type { RequestHandler } from "express";
import type { Config } from "../config.ts";
import type { Log } from "../log.ts";
import type { Backlog } from "../web/backlog.ts";
import type { CallerAddress } from "../web/head.ts";
import type { RateLimiter } from "../web/rate-limiter.ts";
import type { Databases, DatabaseUrls, SharedParts } from "./one-database.ts";
import type { Ask } from "./pages/ask.ts";
import type { Serve } from "./perform.ts";
import type { Present } from "./stages/authenticate.ts";

export type Extension = {
  /** Answers paths that are no operations. */
  pages?(api: ApiParts): Pages;
  /** What a request without a bearer token presents. */
  present?(config: Config): Present;
  /** Databases besides DATABASE_URL. Undefined if the settings name no other database. */
  databases?(urls: DatabaseUrls, parts: SharedParts): Databases | undefined;
};

export type Pages = { handler: RequestHandler; close?(): Promise<void> };

/** What pages perform operations with. */
export type ApiParts = {
  config: Config;
  /** For a page that is no operation itself. */
  ask: Ask;
  /** As a request over HTTP, with metrics and log. */
  serve: Serve;
  addressOf: CallerAddress;
  /** Bodies that are still arriving. */
  arriving: Backlog;
  rateLimiter: RateLimiter;
  log: Log;
};
