/** Connections that the network lost without a word: who waits on one is told, and nobody is given it again. */
import type { Pool } from "pg";
import { type HeldConnection, holdConnection } from "../../src/database/held-connection.ts";
import { isOutage } from "../../src/database/outage.ts";
import { patientPool } from "../../src/database/patient-pool.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { type Line, lineTo } from "../support/line.ts";
import { eventually } from "../support/worker.ts";

let db: TestDatabase;
let line: Line;

beforeAll(async () => {
  db = await testDatabase();
  await db.sql("create table public.heard (what text)");
});
beforeEach(async () => {
  line = await lineTo(Number(new URL(db.adminUrl).port));
});
afterEach(() => line.close());
afterAll(() => db.drop());

function urlByLine(): string {
  const url = new URL(db.adminUrl);
  url.port = String(line.port);
  return url.href;
}

describe("a patient pool", () => {
  let pool: Pool;
  beforeEach(() => {
    pool = patientPool({ connectionString: urlByLine(), max: 1, query_timeout: 500 });
  });
  afterEach(() => pool.end());

  /** As graphile-worker does it: whatever was answered, the connection is given back without a word. */
  async function lend(text: string): Promise<{ pid: number }> {
    const client = await pool.connect();
    try {
      return (await client.query(text)).rows[0];
    } finally {
      client.release();
    }
  }
  const ask = async (text: string): Promise<{ pid: number }> => (await pool.query(text)).rows[0];
  const session = "select pg_backend_pid() as pid";

  test.each([
    ["lent", lend],
    ["asked", ask],
  ])(
    "that is %s: who comes next has another connection, and what was not heard is not done later",
    async (what, by) => {
      const { pid } = await by(session);
      line.silence(true);
      const lost = await by(`insert into public.heard values ('${what}')`).catch((error: unknown) => error);
      expect(lost).toMatchObject({ message: "Query read timeout" });
      expect(isOutage(lost)).toBe(true);
      expect((await by(session)).pid).not.toBe(pid);
      line.silence(false);
      await eventually(async () => (await db.sql("select from pg_stat_activity where pid = $1", [pid])).length === 0);
      expect(await db.sql("select from public.heard where what = $1", [what])).toEqual([]);
    },
  );
});

test("a connection that is held is taken up again within half a minute", async () => {
  const pids: number[] = [];
  const held: HeldConnection = holdConnection({ connectionString: urlByLine() }, async (client) => {
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    pids.push(rows[0]?.pid ?? 0);
  });
  try {
    await eventually(async () => held.isHeld());
    line.silence(true);
    await eventually(async () => pids.length === 2 && held.isHeld(), 30_000);
    expect(pids[1]).not.toBe(pids[0]);
  } finally {
    await held.release();
  }
}, 40_000);

test.each(["worker", "runner", "server"] as const)(
  "a session of %s whose other side is gone is asked for it, and ended within half a minute",
  async (role) => {
    // What the system says of the connection, not what was asked of it.
    const { rows } = await db.poolAs(role).query<{ ms: number }>(
      `select 1000 * (current_setting('tcp_keepalives_idle')::integer
           + current_setting('tcp_keepalives_interval')::integer * current_setting('tcp_keepalives_count')::integer) as ms`,
    );
    expect(rows[0]?.ms).toBe(30_000);
  },
);
