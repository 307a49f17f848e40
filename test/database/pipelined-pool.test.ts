/** How a pool shares its connections among owners, and how it handles lost connections. */
import { Client } from "pg";
import { openPipelinedPool } from "../../src/database/connections/pipelined-pool.ts";
import type { PipelinedPool } from "../../src/database/connections/pool.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { type SlowNetwork, slowNetworkTo } from "../support/slow-network.ts";
import { advisoryWaits } from "../support/transactions.ts";
import { eventually } from "../support/worker.ts";

/** The longest that a statement waits for a connection. A busy machine needs some seconds to open ten. */
const waitMs = 15_000;

let db: TestDatabase;
let holder: Client;
let pool: PipelinedPool;

beforeAll(async () => {
  db = await testDatabase();
});
beforeEach(async () => {
  holder = new Client({ connectionString: db.adminUrl });
  await holder.connect();
  await holder.query("select pg_advisory_lock(1)");
  pool = openPipelinedPool(
    { connectionString: db.adminUrl, connectionTimeoutMillis: waitMs },
    { connections: 10, callsPerTransaction: 1 },
  );
});
afterEach(async () => {
  await holder.end();
  await pool.close();
});
afterAll(() => db.drop());

/** Waits while the holder has its lock; returns the owner. */
const stuck = { name: "stuck", text: "select $1::text from (select pg_advisory_xact_lock_shared(1)) waited" };
const quick = { name: "quick", text: "select $1::text" };

test("one owner gets seven of ten connections, the next two, and a statement without an owner the last", async () => {
  const answers = Array.from({ length: 12 }, () => pool.query(stuck, ["one"], { owner: "one" }));
  await eventually(async () => (await advisoryWaits(db)) === 7);
  expect(pool.counts.waitingCount).toBe(5);
  for (let each = 0; each < 20; each += 1) expect(await pool.query(quick, ["other"], { owner: "other" })).toBe("other");
  answers.push(...Array.from({ length: 5 }, () => pool.query(stuck, ["other"], { owner: "other" })));
  await eventually(async () => (await advisoryWaits(db)) === 9);
  expect(await pool.query(quick, ["none"])).toBe("none");
  await holder.end();
  expect(await Promise.all(answers)).toEqual([...Array(12).fill("one"), ...Array(5).fill("other")]);
  expect(pool.counts).toMatchObject({ idleCount: pool.counts.totalCount, waitingCount: 0 });
});

test("a smaller pool ends its transactions, closes what is beyond the size, and opens no more", async () => {
  const answers = Array.from({ length: 6 }, () => pool.query(stuck, ["one"]));
  await eventually(async () => (await advisoryWaits(db)) === 6);
  let isDone = false;
  const resized = pool.resize(2).then(() => {
    isDone = true;
  });
  const late = pool.query(quick, ["late"]);
  expect([pool.counts.totalCount, pool.counts.waitingCount, isDone]).toEqual([6, 1, false]);
  await holder.end();
  expect(await Promise.all([...answers, late])).toEqual([...Array(6).fill("one"), "late"]);
  await resized;
  await Promise.all(Array.from({ length: 20 }, () => pool.query(quick, ["more"])));
  expect(pool.counts.totalCount).toBe(2);
  await pool.resize(50);
  await Promise.all(Array.from({ length: 20 }, () => pool.query(quick, ["more"])));
  expect(pool.counts.totalCount).toBe(10);
});

test("connections that were not used since the last look are closed, and open again", async () => {
  await Promise.all(Array.from({ length: 3 }, () => pool.query(quick, ["three"])));
  pool.closeUnused(); // were used
  expect(pool.counts.totalCount).toBe(3);
  await pool.query(quick, ["first"]);
  pool.closeUnused();
  await eventually(() => Promise.resolve(pool.counts.totalCount === 1));
  const waiting = pool.query(stuck, ["busy"]);
  await eventually(async () => (await advisoryWaits(db)) === 1);
  for (let look = 0; look < 3; look += 1) pool.closeUnused();
  await holder.end();
  expect(await waiting).toBe("busy");
  for (let look = 0; look < 2; look += 1) pool.closeUnused();
  expect(await pool.query(quick, ["again"])).toBe("again");
});

test("a statement that waits too long for its owner's share fails when another ends, and later ones continue", async () => {
  const failed: string[] = [];
  const answers = Array.from({ length: 9 }, () =>
    pool.query(stuck, ["one"], { owner: "one" }).catch((error: Error) => void failed.push(error.message)),
  );
  await eventually(async () => (await advisoryWaits(db)) === 7);
  await eventually(async () => {
    await pool.query(quick, ["other"], { owner: "other" }); // the pool checks when a statement ends
    return failed.length === 2;
  });
  expect(new Set(failed)).toEqual(new Set(["timeout exceeded when trying to connect"]));
  expect(await advisoryWaits(db)).toBe(7);
  await holder.end();
  await Promise.all(answers);
});

/** Open sessions of the pool. */
async function sessions(): Promise<number> {
  const rows = await db.sql(
    "select from pg_stat_activity where datname = current_database() and application_name = 'far'",
  );
  return rows.length;
}

describe("over a connection that falls silent", () => {
  let network: SlowNetwork;
  let far: PipelinedPool;
  beforeEach(async () => {
    const url = new URL(db.adminUrl);
    network = await slowNetworkTo(Number(url.port));
    url.port = String(network.port);
    far = openPipelinedPool(
      { connectionString: url.href, application_name: "far", query_timeout: 5_000 },
      { connections: 1, callsPerTransaction: 1 },
    );
    expect(await far.query(quick, ["before"])).toBe("before");
    network.silence(true);
  });
  afterEach(async () => {
    await far.close();
    await network.close();
  });

  test("a statement that waited behind an unanswered one is sent over a new connection", async () => {
    const lost = far.query(quick, ["lost"]).catch((error: Error) => error.message);
    const behind = far.query(quick, ["behind"]);
    expect(await lost).toBe("Query read timeout");
    expect(await behind).toBe("behind");
  });

  test("a statement past its deadline is not sent, and one sent but unanswered by then is discarded", async () => {
    await db.sql("create table public.received (what text)");
    const write = { name: "write", text: "insert into public.received values ($1) returning what" };
    const began = performance.now();
    const failure = (what: string, until: number) =>
      far
        .query(write, [what], { until })
        .catch((error: Error) => `${error.message}: ${performance.now() - began < 4_500}`);
    // A statement may take 5 s here; this caller waits a tenth of it.
    const unanswered = failure("unanswered", began + 500);
    const unsent = [failure("behind it", began + 200), failure("too late", began - 1)];
    expect(await unanswered).toBe("Query read timeout: true");
    const notSent = "timeout exceeded when trying to connect: true";
    expect(await Promise.all(unsent)).toEqual([notSent, notSent]);
    expect(await far.query(write, ["in time"], { until: performance.now() + 60_000 })).toBe("in time");
    network.silence(false);
    await eventually(async () => (await sessions()) === 1);
    expect(await db.sql("select what from public.received")).toEqual([{ what: "in time" }]);
  });

  test("a statement whose deadline passes while the pool connects is not sent", async () => {
    const { hostname, port, username, password, pathname } = new URL(db.adminUrl);
    const settings = { host: hostname, port: Number(port), user: username, database: pathname.slice(1) };
    const slow = async () => {
      await new Promise((resolve) => setTimeout(resolve, 300)); // longer than the statement's deadline of 100 ms
      return decodeURIComponent(password);
    };
    const pool = openPipelinedPool({ ...settings, password: slow }, { connections: 1, callsPerTransaction: 1 });
    await db.sql("create sequence public.sent");
    const next = { name: "next", text: "select nextval('public.sent')::text" };
    await expect(pool.query(next, [], { until: performance.now() + 100 })).rejects.toThrow("timeout exceeded");
    expect(await pool.query(next, [], { until: performance.now() + 60_000 })).toBe("1");
    await pool.close();
  });

  test("close() does not wait for the server", async () => {
    const began = performance.now();
    await far.close();
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
