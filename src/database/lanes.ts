/**
 * The API's ways to the database. Point reads share one connection, on which each query is its own transaction and
 * none waits for the answer to the one before. Lists and writes, which take longer or wait for disk and locks, have a
 * connection each, so that nobody stands behind them. (docs/performance.md shows what this buys.)
 */
import type { ClientConfig } from "pg";
import { type LaneCounts, openLane, type Terms, type Values, type Width } from "./lane.ts";
import { openReplica, type Replica } from "./replica.ts";
import { keptAlive } from "./retractable-client.ts";
import type { TextStatement } from "./text-query.ts";

export type LaneName = "point" | "pooled";

export type Lanes = {
  /**
   * The text that the statement answers.
   *
   * @throws Error of pg, or of the connection.
   */
  ask(lane: LaneName, statement: TextStatement, values: Values, terms?: Terms): Promise<string | null>;
  /** Undefined where there is none. */
  replica: Replica | undefined;
  pools: Record<LaneName, LaneCounts> & { replica?: LaneCounts };
  close(): Promise<void>;
};

/**
 * Of one statement, together with its wait in the lane a little above the five seconds within which a caller is answered; the
 * role's own time-out lies between. What is not sent within the request's own time (src/http/deadline.ts), of which a
 * statement may be the second, is not sent any more, and what was sent is not waited for beyond it.
 */
const timeouts = { connectionTimeoutMillis: 1_200, query_timeout: 3_200 } satisfies ClientConfig;

/** Where each is a session of PostgreSQL. */
const ownWidths = {
  point: { connections: 1, each: Number.POSITIVE_INFINITY },
  // Two cores are kept busy by ten, and the eleventh waits its turn.
  pooled: { connections: 10, each: 1 },
} satisfies Record<LaneName, Width>;

/**
 * Where each leads to a pooler: one statement at a time. When a connection with several under way is lost, PgBouncer 1.18
 * gives the session to somebody else before it has said all, and one tenant is answered what another asked.
 * (docs/decisions.md, "Poolers".)
 */
const poolerWidths = {
  point: { connections: 10, each: 1 },
  pooled: { connections: 10, each: 1 },
} satisfies typeof ownWidths;

/**
 * @param pooled whether the address is a pooler's in transaction mode: each statement may meet another session there, which
 * knows no name that one was given before
 * @param readUrl a streaming replica's
 */
export function openLanes(
  connectionString: string,
  { pooled = false, readUrl }: { pooled?: boolean; readUrl?: string | undefined } = {},
): Lanes {
  const settings = { connectionString, application_name: "botstead api", ...keptAlive, ...timeouts };
  const widths = pooled ? poolerWidths : ownWidths;
  const lanes = { point: openLane(settings, widths.point), pooled: openLane(settings, widths.pooled) };
  const asSent = (statement: TextStatement) => (pooled ? { ...statement, name: "" } : statement);
  const ask: Lanes["ask"] = (lane, statement, values, terms) => lanes[lane].ask(asSent(statement), values, terms);
  const replica = readUrl
    ? openReplica(
        { ...settings, connectionString: readUrl },
        { named: !pooled, askPrimary: (it) => ask("point", it, []) },
      )
    : undefined;
  return {
    pools: {
      pooled: lanes.pooled.counts,
      point: lanes.point.counts,
      ...(replica ? { replica: replica.counts } : {}),
    },
    ask,
    replica,
    async close() {
      await Promise.all([...Object.values(lanes), ...(replica ? [replica] : [])].map((each) => each.close()));
    },
  };
}
