/**
 * Reads from a streaming replica that are never older than reads from the primary (ReadIndex of Raft). The process asks
 * the primary for its WAL position, once for all reads that wait. The replica answers once it has replayed that
 * position. If the replica lags or is unreachable, the primary answers. (docs/decisions/0027-poolers-replicas-and-backups.md)
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { ClientConfig } from "pg";
import { openPipelinedPool } from "./pipelined-pool.ts";
import type { PoolCounts, Resizable, TextStatement, Values } from "./pool.ts";
import type { ApiTimeouts } from "./timeouts.ts";

/** The replica answered; or the primary did, since the replica lagged, was unreachable, or returned null. */
export type Outcome = "replica" | "behind" | "away" | "refused";

export type Replica = Resizable & {
  /**
   * @param statement returns null if only the primary can answer
   * @param owner as in `StatementOptions`
   * @returns undefined if the caller should query the primary. Never throws.
   */
  query(statement: TextStatement, values: Values, owner: string): Promise<string | undefined>;
  counts: PoolCounts;
  outcomes(): Record<Outcome, number>;
  close(): Promise<void>;
};

/** With synchronous_commit off, commits are acknowledged before they are flushed. */
const position: TextStatement = {
  name: "position",
  text: `select case current_setting('synchronous_commit')
    when 'off' then pg_current_wal_insert_lsn()
    else pg_current_wal_flush_lsn()
  end::text`,
};

/** Before each attempt; a near replica has replayed after 1 to 2 ms. */
const pausesMs = [0, 1, 2, 4, 8, 16, 32];

/** For 1 s after a failure, reads go to the primary; then one read tries the replica again. */
const retryAfterMs = 1_000;

export const replicaConnections = 10;

type Options = {
  namesStatements: boolean;
  timeouts: ApiTimeouts["replica"];
  queryPrimary(statement: TextStatement): Promise<string | null>;
};

/** @param config of the connection to the replica */
export function openReplica(config: ClientConfig, { namesStatements, timeouts, queryPrimary }: Options): Replica {
  const settings = {
    ...config,
    connectionTimeoutMillis: timeouts.connect,
    query_timeout: timeouts.statement,
  };
  const pool = openPipelinedPool(settings, {
    namesStatements,
    connections: replicaConnections,
    callsPerTransaction: 1,
  });
  const outcomes: Record<Outcome, number> = { replica: 0, behind: 0, away: 0, refused: 0 };
  let lastFailure: "behind" | "away" | undefined;
  let triedAt = 0;

  /** A position taken after this call; all calls of one turn of the event loop share it. */
  let next: Promise<string | null> | undefined;
  function positionNow(): Promise<string | null> {
    next ??= new Promise((resolve) => setImmediate(resolve)).then(() => {
      next = undefined;
      return queryPrimary(position);
    });
    return next;
  }

  // The function is volatile, so each of its statements sees what has been replayed when it starts.
  const whenReplayed = ({ name, text }: TextStatement, values: number): TextStatement => ({
    name: `${name} on a replica`,
    text: `select case when pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $${values + 1}::pg_lsn then (${text}) else '' end`,
  });

  async function once(statement: TextStatement, values: Values, owner: string): Promise<[Outcome, string?]> {
    const reached = await positionNow();
    for (const pauseMs of pausesMs) {
      if (pauseMs > 0) await sleep(pauseMs);
      const answer = await pool.query(statement, [...values, reached], { owner });
      if (answer === null) return ["refused"];
      if (answer !== "") return ["replica", answer];
    }
    return ["behind"];
  }

  return {
    counts: pool.counts,
    outcomes: () => outcomes,
    async query(statement, values, owner) {
      if (lastFailure) {
        const now = performance.now();
        if (now - triedAt < retryAfterMs) {
          outcomes[lastFailure] += 1;
          return undefined;
        }
        triedAt = now;
      }
      const [outcome, answer] = await once(whenReplayed(statement, values.length), values, owner).catch(
        (): [Outcome] => ["away"],
      );
      outcomes[outcome] += 1;
      lastFailure = outcome === "behind" || outcome === "away" ? outcome : undefined;
      if (lastFailure) triedAt = performance.now();
      return answer;
    },
    resize: pool.resize,
    closeUnused: pool.closeUnused,
    close: pool.close,
  };
}
