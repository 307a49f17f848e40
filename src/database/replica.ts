/**
 * Reads from a streaming replica that are never older than reads from the primary: the primary is asked how far it has
 * written, all reads of a moment by one question, and the replica answers once it has replayed so much. So whoever was told
 * that something is done finds it done, through whichever process and by whichever key, a revoked one refused included. Where
 * the replica is behind or away, the primary answers. (docs/decisions.md, "Reads from a replica"; Raft calls it ReadIndex.)
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { ClientConfig } from "pg";
import { type LaneCounts, openLane, type Values } from "./lane.ts";
import type { TextStatement } from "./text-query.ts";

/** Who answered a read: the replica; or the primary, because the replica was behind, was away, or can't say such a thing. */
export type Outcome = "replica" | "behind" | "away" | "refused";

export type Replica = {
  /**
   * @param statement answers null for what the primary alone can answer
   * @param owner on whose behalf: none has all connections
   * @returns undefined where the primary is to be asked. Never throws: a read can be asked twice.
   */
  ask(statement: TextStatement, values: Values, owner: string): Promise<string | undefined>;
  counts: LaneCounts;
  outcomes(): Record<Outcome, number>;
  close(): Promise<void>;
};

/** What was acknowledged without waiting for the disk lies beyond what was flushed. */
const position: TextStatement = {
  name: "position",
  text: `select case current_setting('synchronous_commit')
    when 'off' then pg_current_wal_insert_lsn()
    else pg_current_wal_flush_lsn()
  end::text`,
};

/** Short, so that there is time to ask the primary after it, within the five seconds of a caller. */
const timeouts = { connectionTimeoutMillis: 600, query_timeout: 1_500 } satisfies ClientConfig;

/** Before each try; a replica nearby has replayed after one or two milliseconds. */
const pausesMs = [0, 1, 2, 4, 8, 16, 32];

/** For so long a replica that was behind or away is not asked, but by one read that tries it again. */
const restMs = 1_000;

type Options = {
  /** False where a pooler is in between. */
  named: boolean;
  askPrimary(statement: TextStatement): Promise<string | null>;
};

/** @param config where the replica is */
export function openReplica(config: ClientConfig, { named, askPrimary }: Options): Replica {
  const lane = openLane({ ...config, ...timeouts }, { connections: 10, each: 1 });
  const outcomes: Record<Outcome, number> = { replica: 0, behind: 0, away: 0, refused: 0 };
  let resting: "behind" | "away" | undefined;
  let triedAt = 0;

  /** Of a moment after the call, and the same for all who call before it is asked. */
  let next: Promise<string | null> | undefined;
  function positionNow(): Promise<string | null> {
    next ??= new Promise((resolve) => setImmediate(resolve)).then(() => {
      next = undefined;
      return askPrimary(position);
    });
    return next;
  }

  // Compared before anything is read: each statement of a volatile function sees what has been replayed by then.
  const guarded = ({ name, text }: TextStatement, values: number): TextStatement => ({
    name: named ? `${name} on a replica` : "",
    text: `select case when pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $${values + 1}::pg_lsn then (${text}) else '' end`,
  });

  async function once(statement: TextStatement, values: Values, owner: string): Promise<[Outcome, string?]> {
    const reached = await positionNow();
    for (const pauseMs of pausesMs) {
      if (pauseMs > 0) await sleep(pauseMs);
      const answer = await lane.ask(statement, [...values, reached], { owner });
      if (answer === null) return ["refused"];
      if (answer !== "") return ["replica", answer];
    }
    return ["behind"];
  }

  return {
    counts: lane.counts,
    outcomes: () => outcomes,
    async ask(statement, values, owner) {
      if (resting) {
        const now = performance.now();
        if (now - triedAt < restMs) {
          outcomes[resting] += 1;
          return undefined;
        }
        triedAt = now;
      }
      const [outcome, answer] = await once(guarded(statement, values.length), values, owner).catch((): [Outcome] => [
        "away",
      ]);
      outcomes[outcome] += 1;
      resting = outcome === "behind" || outcome === "away" ? outcome : undefined;
      if (resting) triedAt = performance.now();
      return answer;
    },
    close: () => lane.close(),
  };
}
