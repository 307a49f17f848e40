/** An organisation without a chain head: its rows were inserted without triggers, as when only some tables are restored. */
import { makeKey, makeOrganisation, type Organisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { eventually } from "../support/worker.ts";

let db: TestDatabase;
let organisation: Organisation;

beforeEach(async () => {
  db = await testDatabase();
  organisation = await makeOrganisation(db);
});
afterEach(() => db.drop());

const unnoticed = (statement: string) =>
  db.sql(`begin; set local session_replication_role = replica; ${statement}; commit`);
const insertMemory = (value: string) =>
  `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source)
   values ('${organisation.id}', 'organisation', 'fact', 'We', '${value}', 'member', 'test')`;
const entries = () =>
  db.sql("select sequence::int, actor, resource from app.audit_log where organisation_id = $1 order by id", [
    organisation.id,
  ]);

test("the first API call begins the chain, and later writes continue it", async () => {
  const key = await makeKey(db, organisation.id, organisation.ownerId, "admin");
  await unnoticed("truncate app.audit_log, app.audit_chain_heads");
  expect(await db.sql("select from app.audit_chain_heads")).toEqual([]);

  const { rows } = await db
    .poolAs("server", 1)
    .query("select api.handle($1, 'rename_organisation', $2, null, uuidv7(), null, null, null) as answer", [
      key.digest,
      JSON.stringify({ name: "Restored" }),
    ]);
  expect(rows[0].answer).toMatch(/^{"status":200/);
  await db.sql("update app.organisations set name = 'Renamed' where id = $1", [organisation.id]);

  expect(await entries()).toEqual([
    { sequence: 1, actor: "key", resource: "organisation" },
    { sequence: 2, actor: "system", resource: "organisation" },
  ]);
  expect(
    await db.sql("select * from audit.verify_chain() where organisation_id <> '00000000-0000-0000-0000-000000000000'"),
  ).toEqual([]);
});

test("two concurrent writes begin one chain: the second waits for the first", async () => {
  await unnoticed("truncate app.audit_log, app.audit_chain_heads");
  const pool = db.adminPool({ max: 2 });
  const [one, another] = await Promise.all([pool.connect(), pool.connect()]);
  try {
    const [{ first }] = (await one.query("select pg_backend_pid() as first")).rows;
    await one.query("begin");
    await one.query(insertMemory("One"));
    await one.query("set constraints all immediate");
    const written = another.query(insertMemory("Another"));
    await eventually(
      async () =>
        (await db.sql("select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))", [first])).length > 0,
    );
    await one.query("commit");
    await written;
  } finally {
    one.release();
    another.release();
    await pool.end();
  }
  expect(await entries()).toEqual([1, 2].map((sequence) => ({ sequence, actor: "system", resource: "memory" })));
  expect(
    await db.sql("select * from audit.verify_chain() where organisation_id <> '00000000-0000-0000-0000-000000000000'"),
  ).toEqual([]);
});

test("with existing entries and a lost chain head, writes continue and verify_chain finds a fault", async () => {
  await unnoticed("delete from app.audit_chain_heads");
  await db.sql("update app.organisations set name = 'Restored' where id = $1", [organisation.id]);
  const faults = await db.sql<{ fault: string }>("select fault from audit.verify_chain($1)", [organisation.id]);
  expect(faults.map(({ fault }) => fault)).toContain("inserted");
});
