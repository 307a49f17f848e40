/** Answers operations from the database of one cell, with its own pools, limits and streams. */
import type { Request as HttpRequest, Response } from "express";
import { targetsOf } from "../../config/outbound.ts";
import type { Config } from "../../config.ts";
import { openApiPools } from "../../database/connections/api-pools.ts";
import { urlAs } from "../../database/urls.ts";
import type { Directory } from "../../directory/directory.ts";
import type { Log } from "../../log.ts";
import { digestOf } from "../../secrets/credentials.ts";
import type { MasterKey } from "../../secrets/master-key.ts";
import type { Tracer } from "../../tracing/spans.ts";
import type { Backlog } from "../../web/backlog.ts";
import type { RateLimiter } from "../../web/rate-limiter.ts";
import { countRefusedCredentials } from "../../web/refused-credentials.ts";
import { makeReceive } from "../hook-inbox.ts";
import { makeIdentities } from "../limits/identities.ts";
import { refusalOf } from "../limits/refused.ts";
import { countKeyDays, countRequestMinutes } from "../limits/usage.ts";
import { callCounting } from "../own-calls.ts";
import { makePerform } from "../perform.ts";
import type { Answer, Caller, Perform, Request } from "../request.ts";
import { makeCall } from "../stages/call.ts";
import { makeLimits } from "../stages/limit.ts";
import { makeValidate } from "../stages/validate.ts";
import type { Slots } from "../streams/slots.ts";
import type { Pace } from "../streams/streams.ts";
import { startWatching } from "../streams/watching.ts";
import { identifyPeople } from "./people.ts";

export type Answering = {
  /** Answers each kind of operation in its way. @throws Error of the database or of its connection */
  answer(request: Request, http: HttpRequest, response: Response): Promise<Answer>;
  perform: Perform;
  /** The caller of a call that failed, if this process knows the credential. */
  callerOf(request: Request): Caller | undefined;
  /** Counts the request for its organisation and key. */
  noteUsage(request: Request, answer: Answer): void;
  /** Counts the credential of the request if it was refused. Also for pages, whose requests are no usage. */
  noteRefusal(request: Request, answer: Answer): void;
  /** Whether a 404 may be sent for an unknown path (RateLimiting). */
  mayAnswerUnknownPath(bearer: string | undefined, address: string | undefined): boolean;
};

/** The parts that all cells of a process share. */
export type SharedParts = {
  config: Config;
  key: MasterKey;
  log: Log;
  rateLimiter: RateLimiter;
  /** Undefined if tracing is off. */
  tracer: Tracer | undefined;
  arriving: Backlog;
  unsent: Backlog;
  slots: Slots;
  pace: Pace;
  /** Undefined if there is one cell. */
  directory: Directory | undefined;
};

/** URLs of an administrator, or without a login. */
export type CellUrls = { url: string; poolerUrl?: string | undefined; readUrl?: string | undefined };

export type CellApi = ReturnType<typeof openCellApi>;

/** Sends a call to a cell. */
export type AskCell = (cell: CellApi, request: Request) => Promise<Answer>;

export function openCellApi({ url, poolerUrl, readUrl }: CellUrls, shared: SharedParts) {
  const { config, key, log, rateLimiter, tracer, arriving, unsent, slots, pace, directory } = shared;
  const as = (of: string) => urlAs("server", of, key);
  const pools = openApiPools(as(poolerUrl ?? url), {
    pooled: poolerUrl !== undefined,
    readUrl: readUrl && as(readUrl),
    responseMs: config.responseMs,
  });
  const requestMinutes = countRequestMinutes(pools, log);
  const keyDays = countKeyDays(pools, log);
  const refused = countRefusedCredentials((counts) => callCounting(pools, "refused_credentials", counts), log);
  const identities = makeIdentities();
  const limits = makeLimits({ pools, rateLimiter, identities, mode: config.rateLimits });
  const validate = makeValidate({
    ...{ master: key, allowed: targetsOf(config), portalUrl: `${config.baseUrl}/portal` },
    hasDirectory: directory !== undefined,
  });
  const call = makeCall({ pools, identities, tracer, identifyPerson: directory && identifyPeople(directory, pools) });
  const perform = makePerform({ limits, validate, call, apiUrl: `${config.baseUrl}/api/v1` });
  const receive = makeReceive({ perform, pools, master: key, identities, arriving });
  const watching = startWatching(as(url), { perform, pools, unsent, slots, pace });
  const { wait, watch, follow } = watching;

  const answering: Answering = {
    answer(request, http, response) {
      const { operation, query } = request;
      if (operation.keyClass === "hook") return receive(request, http, response);
      if (operation.stream) return watch(request, response);
      if (request.isLive) return follow(request, response);
      if (operation.waits && query.has("wait")) return wait(request, response);
      return perform(request);
    },
    perform,
    callerOf: ({ bearer, address }) => (bearer === undefined ? undefined : identities.get(digestOf(bearer), address)),
    noteUsage({ operation, portalSession, again }, { caller, status }) {
      if (again) return;
      requestMinutes.note(caller?.organisationId, status);
      if (caller && operation.keyClass === "organisation" && !portalSession) keyDays.note(caller, status);
    },
    noteRefusal(request, answer) {
      const refusal = refusalOf(request, answer);
      if (refusal) refused.note(refusal);
    },
    mayAnswerUnknownPath: limits.mayAnswerUnknownPath,
  };
  return {
    ...answering,
    pools,
    listening: watching.listening,
    /** Opens at most this many connections from now on; one of them listens. Resolves when those beyond it are closed. */
    resize: (connections: number) => pools.resize(connections - 1),
    /** Closes connections that were not used since the last call of this. */
    closeUnused(): void {
      pools.closeUnused();
      watching.closeUnused();
    },
    /** Answers waiting requests and ends streams. */
    stop: watching.stop,
    async close(): Promise<void> {
      await Promise.all([requestMinutes.stop(), keyDays.stop(), refused.stop()]);
      await Promise.all([watching.close(), pools.close()]);
    },
  };
}
