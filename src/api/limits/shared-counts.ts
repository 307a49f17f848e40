/**
 * Counts requests in the database, for all processes (RATE_LIMITS=shared). Requests that arrive while a statement counts
 * are counted together by the next one. (sql/api/count_requests.sql; docs/decisions/0013-rate-limits.md)
 */
import { setImmediate } from "node:timers/promises";
import type { Operation } from "../../contract/operation.ts";
import type { ApiPools } from "../../database/connections/api-pools.ts";
import type { Bucket } from "../../web/rate-limiter.ts";

/** Totals include this request. If it is not admitted, nothing was counted. */
export type Counted = {
  keyId: string;
  organisationId: string | null;
  admitted: boolean;
  /** Of the credential, then of its organisation. */
  used: number[];
  /** Until the minute ends. */
  secondsLeft: number;
  /** The key's own rate limit. */
  ratePerMinute: number | null;
};

/** A request with the rate limits that it counted in. `counted` is null if the credential is unknown. */
export type SharedCount = { counted: Counted | null; buckets: Bucket[] };

type Uncounted = {
  credential: Buffer;
  /** The organisation, if it is known: pools share connections fairly among organisations. */
  organisationId: string | undefined;
  operation: Operation;
  address: string | undefined;
  /** In requests. */
  cost: number;
  /** Requests per minute: of the credential, then of its organisation. */
  limits: number[];
  /** The deadline (performance.now). A statement that is sent after it does not count the request. */
  until: number;
  /** Whether another request would probably exceed a limit: the statement of all others would then count none of them. */
  isAlone: boolean;
};

/** Resolves to null if the credential is unknown. @throws Error of the database or of its connection */
type CountRequest = (request: Uncounted) => Promise<Counted | null>;

const one = { name: "count_request", text: "select api.count_request($1, $2, $3, $4, $5)" };
const many = { name: "count_requests", text: "select api.count_requests($1, $2, $3, $4, $5)" };
/** A rate limit would be exceeded (errors.refuse), another session holds a lock, or an organisation is elsewhere: none was counted. */
const countsNone = ["OA001", "OA002", "55P03"];
const maxTogether = 64;

/** By place of the request: the key and organisation of its credential, or null if it is unknown. */
type Together = {
  organisations: (string | null)[];
  keys: (string | null)[];
  rates: (number | null)[];
  /** By id of key and organisation; null if all credentials are unknown. */
  totals: Record<string, number> | null;
  secondsLeft: number;
};
type Waiting = Uncounted & { resolve(counted: Counted | null): void; reject(error: unknown): void };

export function sharedCounts(pools: ApiPools): CountRequest {
  let waiting: Waiting[] = [];
  let isCounting = false;

  async function countWaiting(): Promise<void> {
    isCounting = true;
    while (waiting.length > 0) {
      await setImmediate(); // requests that arrived at the same time are counted together
      const now = performance.now();
      const together = waiting.slice(0, maxTogether);
      waiting = waiting.slice(maxTogether);
      // Callers of expired requests already got a 503.
      await countTogether(together.filter(({ until }) => until > now));
    }
    isCounting = false;
  }

  async function countTogether(requests: Waiting[]): Promise<void> {
    if (requests.length === 0) return;
    try {
      const counted = await queryMany(requests);
      for (const [place, { resolve }] of requests.entries()) resolve(counted[place] ?? null);
    } catch (error) {
      // Not awaited: one that waits for a lock must not delay the next ones.
      if (countsNone.includes((error as { code?: string }).code ?? "")) {
        for (const request of requests) queryOne(request).then(request.resolve, request.reject);
      } else for (const { reject } of requests) reject(error);
    }
  }

  async function queryOne({
    credential,
    organisationId,
    operation,
    address,
    cost,
    limits,
    until,
  }: Uncounted): Promise<Counted | null> {
    const values = [credential, operation.name, String(cost), array(limits), address ?? null];
    return parse(await pools.pooled.query(one, values, { owner: organisationId, until }));
  }

  async function queryMany(requests: Waiting[]): Promise<(Counted | null)[]> {
    const [{ limits }] = requests as [Waiting];
    const values = [
      array(requests.map(({ credential }) => `"\\\\x${credential.toString("hex")}"`)),
      array(requests.map(({ operation }) => operation.name)),
      array(requests.map(({ cost }) => cost)),
      array(limits),
      array(requests.map(({ address }) => address ?? "null")),
    ];
    const until = Math.max(...requests.map((request) => request.until));
    const { organisations, keys, rates, totals, secondsLeft } = parse<Together>(
      await pools.counts.query(many, values, { until }),
    ) as Together;
    const counted: (Counted | null)[] = [];
    // From the last to the first, so that each gets the totals that it would have got alone.
    for (const [place, { cost }] of [...requests.entries()].reverse()) {
      const [keyId, organisationId] = [keys[place], organisations[place]];
      if (!keyId || !organisationId || !totals) continue;
      counted[place] = {
        keyId,
        organisationId,
        admitted: true,
        used: [totals[keyId] ?? 0, totals[organisationId] ?? 0],
        secondsLeft,
        ratePerMinute: rates[place] ?? null,
      };
      for (const id of [keyId, organisationId]) totals[id] = (totals[id] ?? 0) - cost;
    }
    return counted;
  }

  return (request) => {
    const mayWait = request.operation.keyClass === "organisation" && !request.isAlone;
    if (!mayWait) return queryOne(request);
    return new Promise((resolve, reject) => {
      waiting.push({ ...request, resolve, reject });
      if (!isCounting) void countWaiting();
    });
  };
}

const array = (values: (string | number)[]) => `{${values.join()}}`;

function parse<Answer>(text: string | null): Answer | null {
  return text === null ? null : (JSON.parse(text) as Answer);
}
