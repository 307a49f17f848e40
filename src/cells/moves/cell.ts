/** The two clusters of a move, by connections of their administrators. */
import { setTimeout as sleep } from "node:timers/promises";
import type { QueryResultRow } from "pg";
import { openSession } from "../../database/connections/session.ts";

export type Cell = {
  url: string;
  /** Statements of administrators. Row-level security and the triggers of the tables do not apply. */
  rows<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  end(): Promise<void>;
};

export type Move = {
  organisation: string;
  /** The names of the clusters, for the records of the other cluster. */
  from: string;
  to: string;
  source: Cell;
  target: Cell;
};

/**
 * A statement that changes a definition waits briefly for its lock, because all calls that use the table wait behind it.
 * Each attempt waits longer, for a load of long transactions.
 */
const lockTimeoutMs = (attempt: number) => Math.min(50 + 50 * attempt, 400);
const lockAttempts = 100;
/** Calls wait during an attempt. They continue for this many times as long afterwards. */
export const recoveryFactor = 4;

export async function openCell(url: string): Promise<Cell> {
  const client = await openSession(url, "botstead move");
  await client.query(
    `set statement_timeout = 0; set lock_timeout = 0; set synchronous_commit = on; set session_replication_role = replica;
     set client_connection_check_interval = '1s'`, // so that the session of a killed mover ends within its statement
  );
  return {
    url,
    rows: async <Row extends QueryResultRow>(text: string, values: unknown[] = []) =>
      (await client.query<Row>(text, values)).rows,
    end: () => client.end(),
  };
}

/** Runs a definition that locks a table. Repeats it if it waits too long. */
export async function define(cell: Cell, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const refused = await waitingForLocks(cell, lockTimeoutMs(attempt), statement);
    if (!refused) return;
    if (attempt === lockAttempts) throw refused;
    await sleep(recoveryFactor * lockTimeoutMs(attempt));
  }
}

/** Runs a statement that waits for a lock at most this long. @returns PostgreSQL's error if it did not get the lock, or was in a deadlock */
export async function waitingForLocks(
  cell: Cell,
  timeoutMs: number,
  statement: string,
  values?: unknown[],
): Promise<Error | undefined> {
  await cell.rows(`set lock_timeout = '${timeoutMs}ms'`);
  try {
    await cell.rows(statement, values);
    return undefined;
  } catch (error) {
    if (!["55P03", "40P01"].includes((error as { code?: string }).code ?? "")) throw error; // too long, or a deadlock
    return error as Error;
  } finally {
    await cell.rows("set lock_timeout = 0");
  }
}

/** A condition in SQL: this row of pg_locks belongs to the session with an advisory lock of this database. */
export const holdsAdvisoryLock = (row: string, number: string): string =>
  `${row}.locktype = 'advisory' and ${row}.granted and ${row}.objsubid = 1
   and ${row}.database = (select oid from pg_database where datname = current_database())
   and (${row}.classid::bigint << 32 | ${row}.objid::bigint) = ${number}`;

/** Whether the query has rows. */
export const finds = async (cell: Cell, text: string, values: unknown[] = []): Promise<boolean> =>
  (await cell.rows(text, values)).length > 0;
