/** Versions of chain heads that a snapshot keeps. (bench/notes/pressure.md) */
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

/** Appends entries, each in a transaction of its own. */
const append = (client: PoolClient, organisation: string, count: number) =>
  client.query(`do $$ begin
    for number in 1..${count} loop perform triggers.append_entry(${entry(organisation)}); commit; end loop;
  end $$`);

/** Buffers that a statement reads once its plans are made, which read some themselves. */
async function buffersOf(client: PoolClient, statement: string): Promise<number> {
  for (let time = 0; time < 3; time += 1) await client.query(statement);
  const { rows } = await client.query(`explain (analyze, buffers, timing off, summary off, format json) ${statement}`);
  const { Plan } = rows[0]["QUERY PLAN"][0];
  return Plan["Shared Hit Blocks"] + Plan["Shared Read Blocks"];
}

test("while a snapshot keeps versions of a chain head, an entry and an event read no more of them", async () => {
  const { id } = await makeOrganisation(db);
  const statements = [
    `select triggers.append_entry(${entry(id)})`,
    `select triggers.append_entries('${id}', array[${entry(id)}], '{}')`,
    `select triggers.append_entries('${id}', '{}', array[uuidv7()])`,
    `select max(event_position) from app.audit_chain_heads where organisation_id = '${id}'`,
  ];
  const counts = async () => {
    const buffers: number[] = [];
    for (const statement of statements) buffers.push(await buffersOf(client, statement));
    return buffers;
  };
  const [holder, client] = [await db.poolAs("owner", 2).connect(), await db.poolAs("owner", 2).connect()];
  try {
    for (const setting of ["plan_cache_mode", "enable_seqscan", "enable_bitmapscan", "enable_sort"]) {
      await client.query(`set ${setting} = ${roleSettings.server[setting]}`);
    }
    await holder.query("begin isolation level repeatable read; select 1");
    await append(client, id, 100);
    const few = await counts();
    await append(client, id, 5_000);
    const many = await counts();
    // A buffer more for each level of an index that grew.
    for (const [place, count] of many.entries()) expect(count).toBeLessThanOrEqual((few[place] ?? 0) + 10);
  } finally {
    holder.release(true);
    client.release(true);
  }
});

test("of two transactions that find no chain head, the second waits for the first and continues its chain", async () => {
  const { id } = await makeOrganisation(db);
  await db.sql("delete from app.audit_chain_heads where organisation_id = $1", [id]);
  const [one, two] = [await db.poolAs("owner", 2).connect(), await db.poolAs("owner", 2).connect()];
  try {
    const { rows } = await one.query("select pg_backend_pid() as pid");
    await one.query(`begin; select triggers.append_entry(${entry(id)})`);
    const second = two.query(`select triggers.append_entry(${entry(id)})`);
    await eventually(
      async () =>
        (await db.sql("select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))", [rows[0].pid])).length > 0,
    );
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
