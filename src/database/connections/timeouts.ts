/** Time-outs of connections and statements, in milliseconds. The roles have their own in the server (../roles.ts). */
export const timeouts = {
  /** An orderly end needs an answer of the server. */
  end: 2_000,
  /**
   * Statements end after the time-outs of the role: a later answer was lost with its connection. All delivery jobs wait for the
   * connection of the leases, where a repeated statement is harmless, because SQL checks the lease.
   */
  worker: { connect: 5_000, statement: 65_000, leaseStatement: 15_000, statementOnStop: 5_000, reconnect: 600_000 },
  executor: { statement: 15_000 },
  /** A person waits for the response. */
  console: { statement: 15_000, reconnect: 60_000 },
  /** A dead connection is detected within an interval and a statement. */
  listening: { connect: 5_000, checkInterval: 10_000, statement: 10_000 },
};

/** The default of RESPONSE_TIMEOUT_SECONDS, in milliseconds. The settings of the role `server` (../roles.ts) fit it. */
export const usualResponseMs = 5_000;

/** Time-outs of calls of the API. */
export type ApiTimeouts = ReturnType<typeof apiTimeouts>;

/**
 * Connecting or waiting for a connection, and the statement, take together a little more than a caller waits for a response. A
 * list and a write that share a transaction have less. A request's own deadline (src/api/request.ts) can end
 * each earlier.
 *
 * @param responseMs after this time a caller gets a 503
 */
export function apiTimeouts(responseMs: number) {
  const share = (part: number) => Math.round(responseMs * part);
  return {
    connect: share(0.24),
    statement: share(0.64),
    sharedTransaction: share(0.5),
    sharedLock: 50,
    sharedList: 100,
    /** Short, so that the primary can still answer in time. */
    replica: { connect: share(0.12), statement: share(0.3) },
    /** Of the server. Undefined: the time-outs of the role. */
    session: responseMs === usualResponseMs ? undefined : { statement: share(0.6), lock: share(0.5) },
  };
}
