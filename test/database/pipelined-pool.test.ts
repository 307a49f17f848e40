/** How a pool shares its connections among owners, and how it handles lost connections. */
import { Client } from "pg";
import { openPipelinedPool, type PipelinedPool } from "../../src/database/connections/pipelined-pool.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { type SlowNetwork, slowNetworkTo } from "../support/slow-network.ts";
import { eventually } from "../support/worker.ts";

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
    { connectionString: db.adminUrl, query_timeout: 3_200 },
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

async function blocked(): Promise<number> {
  const rows = await db.sql(
    `select from pg_locks
     where locktype = 'advisory' and not granted
       and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows.length;
}

test("one owner gets seven of ten connections, the next two, and a statement without an owner the last", async () => {
  const answers = Array.from({ length: 12 }, () => pool.query(stuck, ["one"], { owner: "one" }));
  await eventually(async () => (await blocked()) === 7);
  expect(pool.counts.waitingCount).toBe(5);
  for (let each = 0; each < 20; each += 1) expect(await pool.query(quick, ["other"], { owner: "other" })).toBe("other");
  answers.push(...Array.from({ length: 5 }, () => pool.query(stuck, ["other"], { owner: "other" })));
  await eventually(async () => (await blocked()) === 9);
  expect(await pool.query(quick, ["none"])).toBe("none");
  await holder.end();
  expect(await Promise.all(answers)).toEqual([...Array(12).fill("one"), ...Array(5).fill("other")]);
  expect(pool.counts).toMatchObject({ idleCount: pool.counts.totalCount, waitingCount: 0 });
});

test("a smaller pool ends its transactions, closes what is beyond the size, and opens no more", async () => {
  const answers = Array.from({ length: 6 }, () => pool.query(stuck, ["one"]));
  await eventually(async () => (await blocked()) === 6);
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
  await eventually(async () => (await blocked()) === 1);
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
  await eventually(async () => (await blocked()) === 7);
  await eventually(async () => {
    await pool.query(quick, ["other"], { owner: "other" }); // the pool checks when a statement ends
    return failed.length === 2;
  });
  expect(new Set(failed)).toEqual(new Set(["timeout exceeded when trying to connect"]));
  expect(await blocked()).toBe(7);
  await holder.end();
  await Promise.all(answers);
});

describe("calls that share a transaction", () => {
  const shared = { name: "shared", text: "select pg_current_xact_id()::text || $1" };
  const waits = {
    name: "waits",
    text: "select pg_current_xact_id()::text || $1 from (select pg_advisory_xact_lock_shared(1)) waited",
  };
  const dividing = { name: "dividing", text: "select (1 / $1::integer)::text || pg_current_xact_id()" };
  const size = { connections: 1, callsPerTransaction: 4 };
  /** How many calls each transaction had, in their order. */
  const groups = (ids: (string | null)[]) =>
    [...Map.groupBy(ids, (id) => id?.split(" ")[0])].map(([, group]) => group.length);
  const group = "all";
  let alone: PipelinedPool;
  let one: PipelinedPool;
  beforeEach(() => {
    const settings = { connectionString: db.adminUrl, application_name: "groups", query_timeout: 3_200 };
    alone = openPipelinedPool(settings, { ...size, callsPerTransaction: 1 });
    one = openPipelinedPool(settings, size, alone);
  });
  afterEach(() => Promise.all([one.close(), alone.close()]));

  test("calls that wait are sent together, at most callsPerTransaction, and each gets its own answer", async () => {
    const first = one.query(waits, [" first"], { group });
    await eventually(async () => (await blocked()) === 1);
    const rest = [1, 2, 3, 4, 5, 6].map((call) => one.query(shared, [` ${call}`], { group }));
    await holder.end();
    const answers = await Promise.all([first, ...rest]);
    expect(groups(answers)).toEqual([1, 4, 2]);
    expect(answers.map((answer) => answer?.split(" ")[1])).toEqual(["first", "1", "2", "3", "4", "5", "6"]);
  });

  test("a call that fails undoes its transaction, and the others succeed on their own", async () => {
    const first = one.query(waits, [""], { group });
    await eventually(async () => (await blocked()) === 1);
    const rest = ["1", "0", "1"].map((divisor) => one.query(dividing, [divisor], { group }).catch(({ code }) => code));
    await holder.end();
    await first;
    const answers = await Promise.all(rest);
    expect(answers).toEqual([expect.stringMatching(/^1\d+$/), "22012", expect.stringMatching(/^1\d+$/)]);
    expect(answers[0]).not.toBe(answers[2]);
  });

  test("a cancelled transaction is sent again, call by call", async () => {
    const calls = ["", "", ""].map(() => one.query(waits, [""], { group }));
    await eventually(async () => (await blocked()) === 1);
    calls.push(...[1, 2].map(() => one.query(waits, [""], { group })));
    const cancel = () =>
      db.sql(
        "select pg_cancel_backend(pid) from pg_stat_activity where application_name = 'groups' and state = 'active'",
      );
    await cancel(); // the first call, which is alone and fails
    await expect(calls[0]).rejects.toMatchObject({ code: "57014" });
    await eventually(async () => (await blocked()) === 1);
    await cancel(); // a transaction of four
    await eventually(async () => (await blocked()) === 1);
    await holder.end();
    expect(groups(await Promise.all(calls.slice(1)))).toEqual([1, 1, 1, 1]);
  });

  test("an unnamed statement, as a pooler needs it, is sent with its values", async () => {
    const unnamed = { ...shared, name: "" };
    expect(await Promise.all(["a", "b"].map((value) => one.query(unnamed, [value], { group })))).toEqual([
      expect.stringMatching(/a$/),
      expect.stringMatching(/b$/),
    ]);
  });

  test("a call without a group gets a transaction to itself, and calls of two groups share none", async () => {
    const first = one.query(waits, [""], { group });
    await eventually(async () => (await blocked()) === 1);
    const rest = [undefined, undefined, "one", "other", "one"].map((each) => one.query(shared, [""], { group: each }));
    await holder.end();
    const answers = await Promise.all([first, ...rest]);
    expect(groups(answers)).toEqual([1, 1, 1, 2, 1]);
    expect(answers[3]).toBe(answers[5]);
  });

  test("a call that takes too long is sent alone, and so are its owner's calls for a second; others are answered", async () => {
    const settings = { connectionString: db.adminUrl, application_name: "lists", options: "-c statement_timeout=500" };
    const lists = openPipelinedPool(settings, { ...size, apartAfter: "57014" }, alone);
    const sleeps = {
      name: "sleeps",
      text: "select current_setting('application_name') from (select pg_sleep($1::float)) waited", // the length of a call
    };
    const call = (seconds: string, owner: string) => lists.query(sleeps, [seconds], { owner, group });
    const first = call("0.1", "a"); // the others wait for it, and share the next transaction
    const rest = ["a", "c"].map((owner) => call("0", owner));
    const long = call("0.8", "b");
    expect(await Promise.all([first, ...rest])).toEqual(["lists", "groups", "groups"]);
    expect(await Promise.all(["a", "b", "c"].map((owner) => call("0", owner)))).toEqual(["lists", "groups", "lists"]);
    expect(await long).toBe("groups");
    await lists.close();
  });

  describe("with one transaction per owner", () => {
    let writes: PipelinedPool;
    beforeEach(() => {
      const settings = { connectionString: db.adminUrl, application_name: "writes", options: "-c lock_timeout=100" };
      writes = openPipelinedPool(
        settings,
        { ...size, connections: 2, oneTransactionPerOwner: true, apartAfter: "55P03" },
        alone,
      );
    });
    afterEach(() => writes.close());

    test("calls of an owner wait for its transaction, others do not, and a transaction is in the order of owners", async () => {
      await db.sql("create table public.places (place integer generated always as identity, owner text)");
      const insert = {
        name: "insert",
        text: "insert into public.places (owner) values ($1) returning pg_current_xact_id()::text",
      };
      // Long enough for the other calls to arrive.
      const slow = { name: "slow", text: "select $1::text from (select pg_sleep(0.08)) waited" };
      const first = ["b", "d"].map((owner) => writes.query(slow, [""], { owner, group }));
      const rest = ["d", "c", "b", "a"].map((owner) => writes.query(insert, [owner], { owner, group }));
      const [d, c, b, a] = await Promise.all(rest);
      await Promise.all(first);
      // The first free connection takes all but the call whose owner has the other connection.
      expect(new Set([a, b, c, d]).size).toBe(2);
      expect(a).toBe(c);
      const together = { a, b, c, d };
      const places = await db.sql<{ owner: keyof typeof together }>("select owner from public.places order by place");
      const inOrder = places.map(({ owner }) => owner).filter((owner) => together[owner] === a);
      expect(inOrder).toEqual(inOrder.toSorted());
      expect(inOrder).toHaveLength(3);
    });

    test("a call that meets a lock is sent alone, and so are the calls of its owner for a second", async () => {
      const call = (owner: string) => writes.query(waits, [""], { owner, group });
      await writes.query(shared, [""], { owner: "other", group });
      const met = call("one");
      const sessionsOf = () =>
        db.sql<{ name: string }>(
          `select application_name as name from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' order by 1`,
        );
      await eventually(async () => (await sessionsOf())[0]?.name === "groups");
      const next = call("one");
      expect(await writes.query(shared, [" other"], { owner: "other", group })).toMatch(/ other$/);
      expect((await sessionsOf()).map(({ name }) => name)).toEqual(["groups"]); // next waits behind met, not in writes
      await holder.end();
      await Promise.all([met, next]);
    });
  });
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
      { connectionString: url.href, application_name: "far", query_timeout: 1_000 },
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
        .catch((error: Error) => `${error.message}: ${performance.now() - began < 900}`);
    // A statement may take 1 s here; this caller waits half of it.
    const unanswered = failure("unanswered", began + 500);
    const unsent = [failure("behind it", began + 200), failure("too late", began - 1)];
    expect(await unanswered).toBe("Query read timeout: true");
    const notSent = "timeout exceeded when trying to connect: true";
    expect(await Promise.all(unsent)).toEqual([notSent, notSent]);
    expect(await far.query(write, ["in time"], { until: performance.now() + 1_000 })).toBe("in time");
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
    expect(await pool.query(next, [], { until: performance.now() + 5_000 })).toBe("1");
    await pool.close();
  });

  test("close() does not wait for the server", async () => {
    const began = performance.now();
    await far.close();
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
