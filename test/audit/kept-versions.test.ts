/** Versions of rows that each POST replaces, which a snapshot keeps. (bench/notes/pressure.md) */
import type { PoolClient } from "pg";
import { roleSettings } from "../../src/database/roles.ts";
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { eventually } from "../support/worker.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

const entry = (organisation: string) =>
  `triggers.entry_by_caller('${organisation}', 'bot', null, 'created', '{}', null, null)`;

/** Performs a call many times, each in a transaction of its own. */
const repeat = (client: PoolClient, call: string, count: number) =>
  client.query(`do $$ begin for number in 1..${count} loop perform ${call}; commit; end loop; end $$`);

/** Buffers that a statement reads once its plans are made, which read some themselves. */
async function buffersOf(client: PoolClient, statement: string): Promise<number> {
  for (let time = 0; time < 3; time += 1) await client.query(statement);
  const { rows } = await client.query(`explain (analyze, buffers, timing off, summary off, format json) ${statement}`);
  const { Plan } = rows[0]["QUERY PLAN"][0];
  return Plan["Shared Hit Blocks"] + Plan["Shared Read Blocks"];
}

/** Works on a connection with the plans of the API, while another holds a snapshot. */
async function beneathSnapshot(work: (client: PoolClient) => Promise<void>): Promise<void> {
  const [holder, client] = [await db.poolAs("owner", 2).connect(), await db.poolAs("owner", 2).connect()];
  try {
    for (const setting of ["plan_cache_mode", "enable_seqscan", "enable_bitmapscan", "enable_sort"]) {
      await client.query(`set ${setting} = ${roleSettings.server[setting]}`);
    }
    await holder.query("begin isolation level repeatable read; select 1");
    await work(client);
  } finally {
    holder.release(true);
    client.release(true);
  }
}

/** Expects that the statements read no more after 5,000 of these calls than after 100. */
async function expectBounded(client: PoolClient, call: string, statements: string[]): Promise<void> {
  const counts = async () => {
    const buffers: number[] = [];
    for (const statement of statements) buffers.push(await buffersOf(client, statement));
    return buffers;
  };
  await repeat(client, call, 100);
  const few = await counts();
  await repeat(client, call, 5_000);
  const many = await counts();
  // A buffer more for each level of an index that grew.
  for (const [place, count] of many.entries()) expect(count).toBeLessThanOrEqual((few[place] ?? 0) + 10);
}

test("while a snapshot keeps versions of a chain head, an entry and an event read no more of them", async () => {
  const { id } = await makeOrganisation(db);
  await beneathSnapshot((client) =>
    expectBounded(client, `triggers.append_entry(${entry(id)})`, [
      `select triggers.append_entry(${entry(id)})`,
      `select triggers.append_entries('${id}', array[${entry(id)}], '{}')`,
      `select triggers.append_entries('${id}', '{}', array[uuidv7()])`,
      `select max(event_position) from app.audit_chain_heads where organisation_id = '${id}'`,
    ]),
  );
});

test("while a snapshot keeps versions of this hour's stored bytes, another response reads no more of them", async () => {
  const { id } = await makeOrganisation(db);
  await beneathSnapshot(async (client) => {
    await client.query(`set caller.organisation_id = '${id}'`);
    await expectBounded(client, "api_private.count_stored(10)", ["select api_private.count_stored(10)"]);
  });
  expect(await countedBy(id)).toBe(51_080);
});

const countedBy = async (organisation: string): Promise<number> => {
  const text = "select sum(bytes)::integer as bytes from app.response_bytes where organisation_id = $1";
  return (await db.sql(text, [organisation]))[0]?.bytes;
};

test("of two transactions that find no row of stored bytes, both count", async () => {
  const { id } = await makeOrganisation(db);
  const [one, two] = [await db.poolAs("owner", 2).connect(), await db.poolAs("owner", 2).connect()];
  const count = `set caller.organisation_id = '${id}'; begin; select api_private.count_stored(10)`;
  try {
    const { rows } = await one.query("select pg_backend_pid() as pid");
    await one.query(count);
    const second = two.query(count);
    await untilOneWaitsFor(rows[0].pid);
    await one.query("commit");
    await second;
    await two.query("commit");
    expect(await countedBy(id)).toBe(20);
  } finally {
    one.release(true);
    two.release(true);
  }
});

/** Resolves when a session waits for this one. */
const untilOneWaitsFor = (pid: number): Promise<void> =>
  eventually(
    async () => (await db.sql("select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))", [pid])).length > 0,
  );

test("of two transactions that find no chain head, the second waits for the first and continues its chain", async () => {
  const { id } = await makeOrganisation(db);
  await db.sql("delete from app.audit_chain_heads where organisation_id = $1", [id]);
  const [one, two] = [await db.poolAs("owner", 2).connect(), await db.poolAs("owner", 2).connect()];
  try {
    const { rows } = await one.query("select pg_backend_pid() as pid");
    await one.query(`begin; select triggers.append_entry(${entry(id)})`);
    const second = two.query(`select triggers.append_entry(${entry(id)})`);
    await untilOneWaitsFor(rows[0].pid);
    await one.query("commit");
    await second;
    expect(await db.sql("select sequence::int from app.audit_chain_heads where organisation_id = $1", [id])).toEqual([
      { sequence: 2 },
    ]);
  } finally {
    one.release(true);
    two.release(true);
  }
});

test("while a snapshot keeps versions of a chain head, a commit of an executor or a worker reads no more of them", async () => {
  const { id } = await makeOrganisation(db);
  await db.sql("create schema test");
  await db.sql("grant usage on schema test to owner");
  await db.sql(
    `create function test.commit() returns void
     language plpgsql
     as $$
     begin
       insert into app.audit_pending_entries select (${entry(id)}).*;
       set constraints all immediate;
     end
     $$`,
  );
  await beneathSnapshot(async (client) => {
    for (const setting of ["plan_cache_mode", "enable_seqscan", "enable_bitmapscan", "enable_sort"])
      await client.query(`reset ${setting}`);
    await repeat(client, "test.commit()", 100);
    const few = await buffersOf(client, "select test.commit()");
    await repeat(client, "test.commit()", 5_000);
    await db.sql("analyze app.audit_chain_heads"); // a bitmap then seems as good as the index alone
    expect(await buffersOf(client, "select test.commit()")).toBeLessThanOrEqual(few + 10);
  });
});
