/** Calls that share a transaction of a pool. (docs/decisions/0012-database-connections.md) */
import { setImmediate as sent } from "node:timers/promises";
import type { Client } from "pg";
import { openPipelinedPool } from "../../src/database/connections/pipelined-pool.ts";
import type { PipelinedPool } from "../../src/database/connections/pool.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { advisoryWaits, begun } from "../support/transactions.ts";
import { eventually } from "../support/worker.ts";

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
let db: TestDatabase;
let holder: Client; // has the lock for which the statement `waits` waits
let alone: PipelinedPool;
let one: PipelinedPool;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());
beforeEach(async () => {
  holder = await begun(db);
  await holder.query("select pg_advisory_lock(1)");
  const settings = { connectionString: db.adminUrl, application_name: "groups", query_timeout: 3_200 };
  alone = openPipelinedPool(settings, { ...size, callsPerTransaction: 1 });
  one = openPipelinedPool(settings, size, alone);
});
afterEach(() => Promise.all([one.close(), alone.close()]));

test("calls that arrive together are sent together, although another connection is free", async () => {
  const two = openPipelinedPool({ connectionString: db.adminUrl }, { ...size, connections: 2 }, alone);
  const first = ["1", "2", "3"].map((call) => two.query(shared, [` ${call}`], { group }));
  await sent(); // a pool sends at the end of the turn
  const next = two.query(shared, [" 4"], { group });
  expect(groups(await Promise.all([...first, next]))).toEqual([3, 1]);
  const some = [1, 2, 3].map((call) => two.query(shared, [` ${call}`], { group }));
  expect(two.counts.waitingCount).toBe(3);
  some.push(two.query(shared, [" 4"], { group })); // they fill a transaction, which is sent at once
  expect(two.counts.waitingCount).toBe(0);
  expect(groups(await Promise.all(some))).toEqual([4]);
  await two.close();
});

test("calls that wait are sent together, at most callsPerTransaction, and each gets its own answer", async () => {
  const first = one.query(waits, [" first"], { group });
  await eventually(async () => (await advisoryWaits(db)) === 1);
  const rest = [1, 2, 3, 4, 5, 6].map((call) => one.query(shared, [` ${call}`], { group }));
  await holder.end();
  const answers = await Promise.all([first, ...rest]);
  expect(groups(answers)).toEqual([1, 4, 2]);
  expect(answers.map((answer) => answer?.split(" ")[1])).toEqual(["first", "1", "2", "3", "4", "5", "6"]);
});

test("a call that fails undoes its transaction, and the others succeed on their own", async () => {
  const first = one.query(waits, [""], { group });
  await eventually(async () => (await advisoryWaits(db)) === 1);
  const rest = ["1", "0", "1"].map((divisor) => one.query(dividing, [divisor], { group }).catch(({ code }) => code));
  await holder.end();
  await first;
  const answers = await Promise.all(rest);
  expect(answers).toEqual([expect.stringMatching(/^1\d+$/), "22012", expect.stringMatching(/^1\d+$/)]);
  expect(answers[0]).not.toBe(answers[2]);
});

test("a cancelled transaction is sent again, call by call", async () => {
  const calls = [one.query(waits, [""], { group })];
  await eventually(async () => (await advisoryWaits(db)) === 1);
  calls.push(...[1, 2, 3, 4].map(() => one.query(waits, [""], { group })));
  const cancel = () =>
    db.sql(
      "select pg_cancel_backend(pid) from pg_stat_activity where application_name = 'groups' and state = 'active'",
    );
  await cancel(); // the first call, which is alone and fails
  await expect(calls[0]).rejects.toMatchObject({ code: "57014" });
  await eventually(async () => (await advisoryWaits(db)) === 1);
  await cancel(); // a transaction of four
  await eventually(async () => (await advisoryWaits(db)) === 1);
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
  await eventually(async () => (await advisoryWaits(db)) === 1);
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
  await sent();
  const rest = ["a", "c"].map((owner) => call("0", owner));
  const long = call("0.8", "b");
  expect(await Promise.all([first, ...rest])).toEqual(["lists", "groups", "groups"]);
  expect(await Promise.all(["a", "b", "c"].map((owner) => call("0", owner)))).toEqual(["lists", "groups", "lists"]);
  expect(await long).toBe("groups");
  await lists.close();
});

test("a further connection takes calls that would wait, unless a pending transaction has several calls", async () => {
  const pool = openPipelinedPool(
    { connectionString: db.adminUrl, application_name: "spread" },
    { connections: 2, whileSharing: 1, callsPerTransaction: 4 },
    alone,
  );
  const waitsFor = { ...waits, name: "waits_for", text: waits.text.replace("shared(1)", "shared($1::integer)") };
  await holder.query("select pg_advisory_lock(2), pg_advisory_lock(3)");
  const calls = [pool.query(waitsFor, ["1"], { group })];
  await sent();
  calls.push(pool.query(waitsFor, ["2"], { group }));
  await eventually(async () => (await advisoryWaits(db)) === 2);
  calls.push(...["3", "3"].map((lock) => pool.query(waitsFor, [lock], { group })));
  await sent();
  expect(pool.counts.waitingCount).toBe(2);
  await holder.query("select pg_advisory_unlock(1)"); // the two share the first connection
  await Promise.all([calls[0], eventually(async () => pool.counts.waitingCount === 0)]);
  await holder.query("select pg_advisory_unlock(2)");
  await calls[1];
  const late = pool.query(waitsFor, ["1"], { group });
  await sent();
  expect([pool.counts.idleCount, pool.counts.waitingCount]).toEqual([1, 1]);
  await holder.query("select pg_advisory_unlock(3)");
  expect(groups(await Promise.all([...calls, late])).toSorted()).toEqual([1, 1, 1, 2]);
  await pool.close();
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
    // Long enough for the other calls to arrive, and for the transaction of b to end first.
    const slow = { name: "slow", text: "select $1 from (select pg_sleep($1::float)) waited" };
    const first = [writes.query(slow, ["0.1"], { owner: "b", group })];
    await sent();
    first.push(writes.query(slow, ["0.5"], { owner: "d", group }));
    await sent();
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
