/** Which chains a run of the checkpoint job reads: changed chains, and a few others in turn. */

import { usualBudget } from "../../../src/transparency/checkpoints/run.ts";
import { faultsOf, tamper, testCheckpoints, writeEntries } from "../../support/checkpoints.ts";
import type { Organisation } from "../../support/database.ts";
import { makeOrganisation, type TestDatabase, testDatabase } from "../../support/database.ts";

let db: TestDatabase;
/** In the order of their ids. */
let organisations: Organisation[];
/** One unchanged chain in each run, besides the chain of the service. */
const budget = { ...usualBudget, organisations: 1 };
const nilId = "00000000-0000-0000-0000-000000000000";

beforeEach(async () => {
  db = await testDatabase();
  organisations = [];
  for (let number = 0; number < 6; number += 1) organisations.push(await makeOrganisation(db));
});
afterEach(() => db.drop());

const at = (index: number) => organisations[index]?.id as string;
const isLogged = async (organisation: string) =>
  (
    await db.sql(
      `select from app.audit_leaves leaves join app.audit_chain_heads head using (organisation_id)
       where leaves.organisation_id = $1 and leaves.last_sequence = head.sequence`,
      [organisation],
    )
  ).length === 1;

test("the checkpoint job logs an entry of a savepoint in a transaction that was open during its last run", async () => {
  const job = testCheckpoints(db, { budget });
  const writer = await db.adminPool({ max: 1 }).connect();
  await writer.query("begin; select pg_current_xact_id(); savepoint inner_one");
  await writer.query(
    `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source)
     values ($1, 'organisation', 'fact', 'We', 'We are late', 'member', 'test')`,
    [at(4)],
  );
  await writer.query("set constraints all immediate; release inner_one");
  expect(faultsOf(await job.run())).toEqual([]);
  await writeEntries(db, at(0), 1);
  await writer.query("commit");
  writer.release();
  expect(await isLogged(at(4))).toBe(false);
  expect(faultsOf(await job.run())).toEqual([]);
  expect(await isLogged(at(4))).toBe(true);
});

test("the checkpoint job finds a fault of a changed head in every run, also after a restart, until it is repaired", async () => {
  const job = testCheckpoints(db, { budget });
  expect(faultsOf(await job.run())).toEqual([]);
  const swap = `update app.audit_chain_heads head set (sequence, entry_id, hash) = (
    select sequence, entry_id, hash from app.audit_chain_heads other
    where other.organisation_id in ('${at(3)}', '${at(4)}') and other.organisation_id <> head.organisation_id)
    where head.organisation_id in ('${at(3)}', '${at(4)}')`;
  await tamper(db, "set local track_counts = off", swap);
  const found = faultsOf(await job.run());
  expect(found).toEqual(["head 3", "head 3"]);
  expect(faultsOf(await job.run())).toEqual(found);
  const restarted = testCheckpoints(db, { budget });
  for (let run = 0; run < 3; run += 1) expect(faultsOf(await restarted.run())).toEqual(found);
  await tamper(db, swap);
  expect(faultsOf(await restarted.run())).toEqual([]);
});

test("the checkpoint job finds faults of unchanged chains in turn, without the counters of PostgreSQL", async () => {
  const job = testCheckpoints(db, { budget });
  expect(faultsOf(await job.run())).toEqual([]);
  await tamper(
    db,
    "set local track_counts = off",
    `delete from app.audit_log where organisation_id = '${at(5)}' and sequence = 3`,
  );
  const runs: (string[] | undefined)[] = [];
  do runs.push(faultsOf(await job.run()));
  while (runs.at(-1)?.length === 0 && runs.length < 10);
  expect(runs.at(-1)).toEqual(["removed 3"]);
  expect(runs.length).toBeLessThanOrEqual(organisations.length + 1);
});

test("a transaction that this server has not reached yet means that all chains are checked", async () => {
  const job = testCheckpoints(db);
  await job.run();
  await writeEntries(db, at(2), 1);
  const [row] = await db.sql("select * from jobs.chains_to_check((2::numeric ^ 60)::text::xid8, $1, 0)", [nilId]);
  expect(row).toEqual({ organisations: expect.arrayContaining([nilId, at(2)]), next: expect.any(String) });
  expect(row?.organisations).toHaveLength(2);
});

test("the checkpoint job reads the new entries of a chain, however long it is", async () => {
  const job = testCheckpoints(db);
  await writeEntries(db, at(1), 400);
  await job.run();
  await writeEntries(db, at(1), 5);
  const client = db.adminPool({ max: 1 });
  const count = async () => {
    const { rows } = await client.query<{ fetched: number }>(
      `select sum(pg_stat_get_xact_tuples_fetched(indexrelid))::integer as fetched
       from pg_index join pg_inherits on inhrelid = indrelid where inhparent = 'app.audit_log'::regclass`,
    );
    return Number(rows[0]?.fetched);
  };
  const fetched = async (statement: string) => {
    await client.query("begin; set local role owner");
    const before = await count();
    await client.query(statement, [[at(1)]]);
    const after = await count();
    await client.query("rollback");
    return after - before;
  };
  expect(await fetched("select * from jobs.unlogged_entries($1, 1000)")).toBe(5);
  expect(await fetched("select * from jobs.check_chains($1)")).toBe(4);
  const verified =
    "select * from jobs.logged_entries((select max(first_index) from app.audit_leaves), 1) where $1::uuid[] is not null";
  await job.run();
  expect(await fetched(verified)).toBe(5);
});
