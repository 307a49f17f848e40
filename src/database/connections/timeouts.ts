/** Time-outs of connections and statements, in milliseconds. The roles have their own in the server (../roles.ts). */
export const timeouts = {
  /** An orderly end needs an answer of the server. */
  end: 2_000,
  /**
   * Together a little more than the 5 s after which a caller gets a 503; the statement time-out of the role `server` is
   * shorter. A list and a write that share a transaction have less. A request's own deadline (src/http/limits/deadline.ts) can end each earlier.
   */
  api: { connect: 1_200, queue: 1_200, statement: 3_200, sharedTransaction: 2_500, sharedLock: 50, sharedList: 100 },
  /** Short, so that the primary can still answer within the 5 s of the caller. */
  replica: { connect: 600, statement: 1_500 },
  /**
   * Statements end after those of the role: a later answer was lost with its connection. All delivery jobs wait for the
   * connection of the leases, where a repeated statement is harmless, because SQL checks the lease.
   */
  worker: { connect: 5_000, statement: 65_000, leaseStatement: 15_000, statementOnStop: 5_000, reconnect: 600_000 },
  executor: { statement: 15_000 },
  /** A person waits for the response. */
  console: { statement: 15_000, reconnect: 60_000 },
  /** A dead connection is detected within an interval and a statement. */
  listening: { connect: 5_000, checkInterval: 10_000, statement: 10_000 },
};
