/** Several checkpoint jobs at once, and writers during a run. */
import { setTimeout as sleep } from "node:timers/promises";
import { readCheckpoint } from "../../../src/transparency/checkpoint.ts";
import { faultsOf, testCheckpoints, writeEntries } from "../../support/checkpoints.ts";
import { makeOrganisation, type TestDatabase, testDatabase } from "../../support/database.ts";
import { eventually } from "../../support/worker.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

test("concurrent checkpoint jobs give each entry one leaf, while writers continue and organisations are created", async () => {
  const organisations = await Promise.all(Array.from({ length: 4 }, () => makeOrganisation(db)));
  const jobs = Array.from({ length: 4 }, () => testCheckpoints(db));
  let isWriting = true;
  const writers = organisations.map(async ({ id }) => {
    while (isWriting) await writeEntries(db, id, 3);
  });
  const adding = (async () => {
    while (isWriting) {
      await makeOrganisation(db);
      await sleep(20); // a steady rate of new organisations
    }
  })();
  let runs = 0;
  const running = jobs.map(async (job) => {
    while (isWriting) {
      const outcome = await job.run();
      if (outcome) runs += 1;
      expect(faultsOf(outcome) ?? []).toEqual([]);
    }
  });
  await eventually(async () => runs > 3);
  isWriting = false;
  await Promise.all([...writers, adding, ...running]);
  expect(faultsOf(await jobs[0]?.run())).toEqual([]);
  const [counts] = await db.sql(
    `select (select count(*)::int from app.audit_log) as entries,
       (select sum(last_sequence - first_sequence + 1)::int from app.audit_leaves) as leaves,
       (select sum(octet_length(hashes) / 32)::int from app.audit_tiles where level = 0) as hashes`,
  );
  expect(counts).toEqual({ entries: counts?.entries, leaves: counts?.entries, hashes: counts?.entries });
  const notes = await db.sql<{ note: string }>("select note from audit.checkpoints order by number");
  const sizes = notes.map(({ note }) => readCheckpoint(note).size);
  expect(sizes).toEqual([...new Set(sizes)].sort((a, b) => a - b));
  expect(await db.sql("select * from audit.verify_chain()")).toEqual([]);
});

test("a second checkpoint job does not wait for the first, and does nothing", async () => {
  const client = await db.adminPool({ max: 1 }).connect();
  await client.query("begin");
  await client.query("select * from jobs.begin_checkpoint('0')");
  expect(await testCheckpoints(db).run()).toBeUndefined();
  await client.query("rollback");
  client.release();
  expect(await testCheckpoints(db).run()).toBeDefined();
});

test("only worker and owner can run the checkpoint job or take its lock", async () => {
  for (const role of ["server", "runner", "operator", "cli", "auditor"] as const) {
    const pool = db.poolAs(role, 1);
    await expect(pool.query("select jobs.begin_checkpoint('0')")).rejects.toMatchObject({ code: "42501" });
    await expect(pool.query("select from app.audit_tree for update")).rejects.toMatchObject({ code: "42501" });
  }
});
