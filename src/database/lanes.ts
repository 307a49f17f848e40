/**
 * The API's ways to the database. Point reads share one connection, on which each query is its own transaction and
 * none waits for the answer to the one before; lists and writes, which take longer or wait for disk and locks, have a
 * pool, so that nobody stands behind them. (docs/performance.md shows what this buys.)
 */
import { Socket } from "node:net";
import { Client, type ClientConfig, DatabaseError, Pool, type QueryConfig } from "pg";

export type Lane = "point" | "pooled";

export type Lanes = {
  /** Sends one statement. @throws Error of pg, or of the connection. */
  query<Row extends object>(lane: Lane, statement: QueryConfig): Promise<Row[]>;
  /** The pool's connections, and the shared one's: queries that wait for its answers are its "waiting". */
  pools: Record<Lane, Pick<Pool, "totalCount" | "idleCount" | "waitingCount">>;
  close(): Promise<void>;
};

/** Together below the five seconds within which a caller gets an answer or a 503; the role's own time-out lies between. */
const timeouts = { connectionTimeoutMillis: 1_200, query_timeout: 3_200 } satisfies ClientConfig;

/** @param size connections of the pool; one more is opened for point reads */
export function openLanes(connectionString: string, size: number): Lanes {
  const settings = { connectionString, application_name: "botstead api", ...timeouts };
  const pool = new Pool({ ...settings, max: size });
  pool.on("error", () => {}); // an idle connection that is lost is replaced by the next to ask
  pool.on("connect", (client) => client.on("error", () => {})); // of one in use, its query is told
  const point = sharedConnection({ ...settings, pipeline: true });
  return {
    pools: { pooled: pool, point: point.counts },
    async query<Row extends object>(lane: Lane, statement: QueryConfig) {
      if (lane === "pooled") return queryUntilOver<Row>(pool, statement);
      point.counts.waitingCount += 1;
      try {
        const client = await point.client();
        point.gather();
        return (await client.query<Row>(statement)).rows;
      } finally {
        point.counts.waitingCount -= 1;
      }
    },
    async close() {
      await Promise.all([pool.end(), point.close()]);
    },
  };
}

/**
 * Sends one statement, and in case of an error waits until its transaction is over. PostgreSQL reports an error first
 * and gives up its locks after that; whoever is told of it and asks again at once, under the same Idempotency-Key, must
 * not find the lock of their own failed request.
 */
async function queryUntilOver<Row extends object>(pool: Pool, statement: QueryConfig): Promise<Row[]> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    return (await client.query<Row>(statement)).rows;
  } catch (error) {
    broken = error as Error;
    // Answered only when the session is ready again; when it ended, or is silent, the connection is given up.
    if (error instanceof DatabaseError)
      broken = await client.query("").then(
        () => undefined,
        (failure) => failure,
      );
    throw error;
  } finally {
    client.release(broken);
  }
}

/** One connection, opened when first asked for, and again whenever it was lost. */
function sharedConnection(settings: ClientConfig) {
  let current: Promise<Client> | undefined;
  let socket = new Socket();
  let gathering = false;
  const counts = {
    waitingCount: 0,
    get totalCount() {
      return current ? 1 : 0;
    },
    get idleCount() {
      return current && counts.waitingCount === 0 ? 1 : 0;
    },
  };

  function open(): Promise<Client> {
    const own = new Socket();
    socket = own;
    const client = new Client({ ...settings, stream: () => own });
    const opening = client.connect().then(() => client);
    const forget = () => {
      if (current === opening) current = undefined;
    };
    client.on("error", forget);
    client.once("end", forget);
    opening.catch(forget);
    return opening;
  }

  return {
    counts,
    client: () => (current ??= open()),
    /** What is sent within one turn of the event loop goes out together: a system call for all requests that came in. */
    gather() {
      if (gathering) return;
      gathering = true;
      const corked = socket;
      corked.cork();
      setImmediate(() => {
        gathering = false;
        corked.uncork();
      });
    },
    async close() {
      await current?.then((client) => client.end()).catch(() => {});
    },
  };
}
