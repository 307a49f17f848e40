/** Connections that the network drops silently: callers get an error, and the connection is not reused. */
import type { Pool } from "pg";
import { type ListeningConnection, openListeningConnection } from "../../src/database/connections/listening.ts";
import { openWorkerPool } from "../../src/database/connections/worker-pool.ts";
import { isOutage } from "../../src/database/outage.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { type SlowNetwork, slowNetworkTo } from "../support/slow-network.ts";
import { eventually } from "../support/worker.ts";

let db: TestDatabase;
let network: SlowNetwork;

beforeAll(async () => {
  db = await testDatabase();
  await db.sql("create table public.received (what text)");
});
beforeEach(async () => {
  network = await slowNetworkTo(Number(new URL(db.adminUrl).port));
});
afterEach(() => network.close());
afterAll(() => db.drop());

function urlOfLine(): string {
  const url = new URL(db.adminUrl);
  url.port = String(network.port);
  return url.href;
}

describe("the worker pool", () => {
  let pool: Pool;
  beforeEach(() => {
    pool = openWorkerPool({ connectionString: urlOfLine(), max: 1, query_timeout: 500 });
  });
  afterEach(() => pool.end());

  /** As graphile-worker does: always releases the connection without an error. */
  async function throughClient(text: string): Promise<{ pid: number }> {
    const client = await pool.connect();
    try {
      return (await client.query(text)).rows[0];
    } finally {
      client.release();
    }
  }
  const throughPool = async (text: string): Promise<{ pid: number }> => (await pool.query(text)).rows[0];
  const session = "select pg_backend_pid() as pid";

  test.each([
    ["pool.connect", throughClient],
    ["pool.query", throughPool],
  ])(
    "after a time-out of %s the next caller gets another connection, and the server never runs the lost statement",
    async (name, by) => {
      const { pid } = await by(session);
      network.silence(true);
      const lost = await by(`insert into public.received values ('${name}')`).catch((error: unknown) => error);
      expect(lost).toMatchObject({ message: "Query read timeout" });
      expect(isOutage(lost)).toBe(true);
      expect((await by(session)).pid).not.toBe(pid);
      network.silence(false);
      await eventually(async () => (await db.sql("select from pg_stat_activity where pid = $1", [pid])).length === 0);
      expect(await db.sql("select from public.received where what = $1", [name])).toEqual([]);
    },
  );
});

test("a listening connection reconnects within 30 s after the network drops it", async () => {
  const pids: number[] = [];
  const connection: ListeningConnection = openListeningConnection({ connectionString: urlOfLine() }, async (client) => {
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    pids.push(rows[0]?.pid ?? 0);
  });
  try {
    await eventually(async () => connection.isOpen());
    network.silence(true);
    await eventually(async () => pids.length === 2 && connection.isOpen());
    expect(pids[1]).not.toBe(pids[0]);
  } finally {
    await connection.close();
  }
});

test.each(["worker", "runner", "server"] as const)(
  "the server ends a session of %s within 30 s if its client is gone",
  async (role) => {
    // The setting in effect for this connection.
    const { rows } = await db.poolAs(role).query<{ ms: number }>(
      `select 1000 * (current_setting('tcp_keepalives_idle')::integer
           + current_setting('tcp_keepalives_interval')::integer * current_setting('tcp_keepalives_count')::integer) as ms`,
    );
    expect(rows[0]?.ms).toBe(30_000);
  },
);
