/** What a pool of pipelined connections offers, and its settings. */
import type { Pool } from "pg";

export type TextStatement = {
  /** A named statement is parsed once per connection. An unnamed statement is parsed each time, as poolers need it. */
  name: string;
  text: string;
};

export type Values = (string | Buffer | null)[];

/** Counts as pg's Pool does. Waiting statements are unsent. */
export type PoolCounts = Pick<Pool, "totalCount" | "idleCount" | "waitingCount">;

export type StatementOptions = {
  /** The organisation or caller. Statements of one owner never occupy all connections (`isWithinShare`). */
  owner?: string | undefined;
  /** Deadline on the clock of `performance.now`; the statement is not sent later. */
  until?: number | undefined;
  /**
   * Calls of one group and statement may share a transaction. Each sets everything that it reads, and may be sent again
   * after a transaction that was undone. Undefined: a transaction to itself.
   */
  group?: string | undefined;
  /**
   * The Idempotency-Key of a call. While a call with it waits or is pending, others with it get transactions to
   * themselves, so that PostgreSQL refuses them at once.
   */
  once?: Buffer | undefined;
};

export type Resizable = {
  /**
   * Opens at most this many connections from now on, and never more than its full size. Resolves when those beyond it are closed:
   * their transactions end first.
   */
  resize(connections: number): Promise<void>;
  /** Closes connections that were not used since the last call of this. */
  closeUnused(): void;
};

export type PipelinedPool = Resizable & {
  counts: PoolCounts;
  /** @throws Error of pg, or of the connection. */
  query(statement: TextStatement, values: Values, options?: StatementOptions): Promise<string | null>;
  close(): Promise<void>;
};

export type PoolSize = {
  /** False for connections through a pooler: a statement can run in another session than the last. Defaults to true. */
  namesStatements?: boolean;
  connections: number;
  callsPerTransaction: number;
  /**
   * Connections in use while calls share a transaction; the others are for calls that would wait at low load. Defaults to
   * all of them.
   */
  whileSharing?: number;
  /**
   * For writes. An owner has one pending transaction at most: its calls would wait for each other's locks. The calls of
   * a transaction are in the order of their owners, so that two transactions cannot wait for each other's.
   */
  oneTransactionPerOwner?: boolean;
  /** The SQLSTATE of a call that took too long for a shared transaction. It gets one to itself, as do its owner's next calls. */
  apartAfter?: string;
};
