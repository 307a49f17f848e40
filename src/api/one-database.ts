/** Answers operations from one database, with its own pools, limits and streams. */
import { targetsOf } from "../config/outbound.ts";
import type { Config } from "../config.ts";
import { type ApiPools, openApiPools } from "../database/connections/api-pools.ts";
import { urlAs } from "../database/urls.ts";
import type { Log } from "../log.ts";
import { digestOf } from "../secrets/credentials.ts";
import type { MasterKey } from "../secrets/master-key.ts";
import type { Tracer } from "../tracing/spans.ts";
import type { Backlog } from "../web/backlog.ts";
import type { RateLimiter } from "../web/rate-limiter.ts";
import { countRefusedCredentials } from "../web/refused-credentials.ts";
import { makeReceive } from "./hook-inbox.ts";
import { countUsage } from "./limits/usage.ts";
import { callCounting } from "./own-calls.ts";
import { type Answering, base, makeAnswer, makePerform } from "./perform.ts";
import { makeIdentities, refusalOf } from "./stages/authenticate.ts";
import { type IdentifyPerson, makeCall } from "./stages/call.ts";
import { makeLimits } from "./stages/limit.ts";
import type { Slots } from "./streams/slots.ts";
import type { Pace } from "./streams/streams.ts";
import { startWatching } from "./streams/watching.ts";

/** The parts that all databases of a process share. */
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
  /** If there are several databases: a person has one id in all of them. */
  identifyPeople?: (pools: ApiPools) => IdentifyPerson;
};

/** URLs of an administrator, or without a login. */
export type DatabaseUrls = { url: string; poolerUrl?: string | undefined; readUrl?: string | undefined };

export type DatabaseApi = ReturnType<typeof openDatabaseApi>;

export function openDatabaseApi({ url, poolerUrl, readUrl }: DatabaseUrls, shared: SharedParts) {
  const { config, key, log, rateLimiter, tracer, arriving, unsent, slots, pace, identifyPeople } = shared;
  const as = (of: string) => urlAs("server", of, key);
  const pools = openApiPools(as(poolerUrl ?? url), {
    pooled: poolerUrl !== undefined,
    readUrl: readUrl && as(readUrl),
    responseMs: config.responseMs,
  });
  const usage = countUsage(pools, log);
  const refused = countRefusedCredentials((counts) => callCounting(pools, "refused_credentials", counts), log);
  const identities = makeIdentities();
  const limits = makeLimits({ pools, rateLimiter, identities, mode: config.rateLimits });
  const settings = {
    ...{ master: key, allowed: targetsOf(config), portalUrl: `${config.baseUrl}/portal` },
    hasDirectory: identifyPeople !== undefined,
  };
  const call = makeCall({ pools, identities, tracer, identifyPerson: identifyPeople?.(pools) });
  const perform = makePerform({ limits, settings, call, apiUrl: config.baseUrl + base });
  const receive = makeReceive({ perform, pools, master: key, identities, arriving });
  const watching = startWatching(as(url), { perform, pools, unsent, slots, pace });
  const answering: Answering = {
    answer: makeAnswer({ perform, receive, ...watching }),
    perform,
    callerOf: ({ bearer, address }) => (bearer === undefined ? undefined : identities.get(digestOf(bearer), address)),
    noteUsage: usage.note,
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
      await Promise.all([usage.stop(), refused.stop()]);
      await Promise.all([watching.close(), pools.close()]);
    },
  };
}

/** Where the operations of a process are answered from. */
export type Databases = {
  answering: Answering;
  /** The database of DATABASE_URL. */
  own: DatabaseApi;
  /** Its name. Empty if it is the only one. */
  ownName: string;
  /** All databases by name. @throws Error if their directory was never read and is away */
  all(): Promise<Map<string, DatabaseApi>>;
  /** The databases with connections, by name. */
  opened(): Map<string, DatabaseApi>;
  /** Reads the directory of the databases; undefined if there is none. @throws Error if it is away */
  checkDirectory: (() => Promise<unknown>) | undefined;
  /** Answers waiting requests and ends streams. */
  stop(): void;
  close(): Promise<void>;
};

export function oneDatabase(urls: DatabaseUrls, shared: SharedParts): Databases {
  const own = openDatabaseApi(urls, shared);
  const one = new Map([["", own]]);
  const { stop, close } = own;
  return {
    answering: own,
    own,
    ownName: "",
    all: async () => one,
    opened: () => one,
    checkDirectory: undefined,
    stop,
    close,
  };
}
