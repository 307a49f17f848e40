/** The statements of the checkpoint job (sql/jobs/checkpoints.sql), within its transaction. */
import type { PoolClient } from "pg";
import type { Fault } from "../fault.ts";
import type { TilePart } from "../tiles.ts";
import type { LoggedRun, UnloggedRun } from "./faults.ts";
import type { Counters } from "./rewrites.ts";

export type Latest = {
  number: number | null;
  tree_size: number;
  root: Buffer | null;
  public_key: string | null;
  note: string | null;
  verified_leaves: number;
  verified_organisation: string;
  /** Leaves that are mapped to entries. */
  leaves: number;
  /** No run was completed before. */
  is_first: boolean;
  /** Transactions from this one on can be unseen by this run's snapshot. */
  oldest_transaction: string;
};

/** Consecutive entries of one organisation as consecutive leaves. */
export type Leaves = {
  organisation_id: string;
  first_id: string;
  last_id: string;
  first_sequence: number;
  last_sequence: number;
  first_index: number;
  previous_hash: string;
  last_hash: string;
};

export type NewHead = { tree_size: number; root: string; public_key: string; note: string };

// pg returns bigint as text.
const numeric = <Row extends object>(row: Row, names: (keyof Row)[]): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      names.includes(name as keyof Row) && value !== null ? Number(value) : value,
    ]),
  ) as Row;

export function checkpointStatements(db: PoolClient) {
  const rows = async <Row extends object>(text: string, values: unknown[], numbers: (keyof Row)[] = []) =>
    (await db.query<Row>(text, values)).rows.map((row) => (numbers.length > 0 ? numeric(row, numbers) : row));
  return {
    /** Undefined if another job has the lock, or ran within the pause. */
    begin: async (pauseMs: number) =>
      (
        await rows<Latest>(
          "select * from jobs.begin_checkpoint($1 * interval '1 ms')",
          [pauseMs],
          ["number", "tree_size", "verified_leaves", "leaves"],
        )
      )[0],
    tiles: (wanted: { level: number; tile: number }[]) =>
      rows<{ level: number; tile: number; hashes: Buffer }>(
        "select * from jobs.read_tiles($1, $2)",
        [wanted.map(({ level }) => level), wanted.map(({ tile }) => tile)],
        ["tile"],
      ),
    unlogged: (organisations: string[], max: number) =>
      rows<UnloggedRun>(
        "select * from jobs.unlogged_entries($1, $2)",
        [organisations, max],
        ["first_sequence", "last_sequence"],
      ),
    logged: (from: number, max: number) =>
      rows<LoggedRun>(
        "select * from jobs.logged_entries($1, $2)",
        [from, max],
        ["first_index", "first_sequence", "last_sequence", "begin_sequence"],
      ),
    rewrites: () => rows<Counters>("select * from jobs.count_rewrites()", []),
    /** The next run begins there again. */
    verifyAgain: (from: number) => rows("select jobs.verify_leaves_again($1)", [from]),
    /** @param since the oldest transaction that an earlier run did not see; undefined: everything is checked */
    chainsToCheck: async (since: string | undefined, after: string, max: number) =>
      (
        await rows<{ organisations: string[]; next: string | null }>("select * from jobs.chains_to_check($1, $2, $3)", [
          since,
          after,
          max,
        ])
      )[0] ?? { organisations: [], next: null },
    checkChains: (organisations: string[]) =>
      rows<Fault>("select * from jobs.check_chains($1)", [organisations], ["sequence", "last_sequence"]),
    /** Stores faults. Returns the faults that no operator has accepted. */
    record: async (faults: Fault[]) =>
      (await rows<{ open: Fault[] }>("select jobs.record_audit_faults($1) as open", [JSON.stringify(faults)]))[0]
        ?.open ?? [],
    /** Returns the number of the checkpoint, if there is a new one. */
    append: async (
      leaves: Leaves[],
      parts: TilePart[],
      head: NewHead | null,
      verified: number,
      organisation: string,
    ) => {
      const tiles = parts.map(({ hashes, ...part }) => ({ ...part, hashes: hashes.toString("hex") }));
      const [made] = await rows<{ number: number | null }>(
        "select jobs.append_checkpoint($1, $2, $3, $4, $5) as number",
        [JSON.stringify(leaves), JSON.stringify(tiles), head && JSON.stringify(head), verified, organisation],
        ["number"],
      );
      return made?.number ?? undefined;
    },
  };
}

export type Statements = ReturnType<typeof checkpointStatements>;
