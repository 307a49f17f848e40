/** audit verify while other sessions write, erase, sign, truncate and rebuild, and while sessions end. */
import { setTimeout as sleep } from "node:timers/promises";
import { migrate } from "../../../src/database/migrate.ts";
import { testCheckpoints, verifyLog, writeEntries } from "../../support/checkpoints.ts";
import { makeKey, makeOrganisation, type TestDatabase, testDatabase } from "../../support/database.ts";
import { begun, lockWaits } from "../../support/transactions.ts";
import { eventually } from "../../support/worker.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

const verified = () => verifyLog(db);

/** Repeats all of these at once, with a pause after each, until each was done twice. */
async function repeatAll(work: Record<string, () => Promise<unknown>>, pauseMs = 20): Promise<void> {
  let isRunning = true;
  const done = new Map(Object.keys(work).map((name) => [name, 0]));
  const loops = Object.entries(work).map(async ([name, once]) => {
    while (isRunning) {
      await once();
      done.set(name, (done.get(name) ?? 0) + 1);
      await sleep(pauseMs); // a steady rate
    }
  });
  const all = Promise.all(loops);
  const enough = eventually(async () => [...done.values()].every((times) => times > 1));
  await Promise.race([enough, all]).finally(() => {
    isRunning = false;
  });
  await all;
}

const verify = async () => expect((await verified()).faults).toEqual([]);

test("audit verify neither fails nor finds a fault while the log grows, memories are erased, it is signed, and weeks are made and dropped", async () => {
  const { id, ownerId } = await makeOrganisation(db);
  const [owner, worker] = [db.poolAs("owner", 1), db.poolAs("worker", 1)];
  const jobs = [testCheckpoints(db), testCheckpoints(db)] as const;
  let week = 0;
  await repeatAll({
    verify,
    "verify again": verify,
    sign: () => jobs[0].run(),
    "sign again": () => jobs[1].run(),
    write: () => writeEntries(db, id, 3),
    erase: () =>
      db.sql(`begin; set local caller.organisation_id = '${id}'; set local caller.person_id = '${ownerId}';
        set local caller.scope = 'admin'; select erasure.erase('organisation', 'we'); commit`),
    create: () => makeOrganisation(db),
    revoke: async () => {
      const key = await makeKey(db, id, ownerId);
      await db.sql("update app.api_keys set revoked_at = now() where id = $1", [key.id]);
    },
    make: () => {
      week = (week + 1) % 4;
      return owner.query(`select jobs.make_week('2019-01-07Z'::timestamptz + interval '7 days' * ${week})`);
    },
    drop: () => worker.query("select jobs.record_truncations(), jobs.drop_partition()"),
  });
});

test("audit verify neither fails nor finds a fault while definitions are rebuilt", async () => {
  const job = testCheckpoints(db);
  const work = {
    verify,
    sign: () => job.run(),
    rebuild: () => migrate({ adminUrl: db.adminUrl, key: db.key, repair: true, isNew: true }),
  };
  await repeatAll(work, 300); // a rebuild locks every table and view between two verifications
});

test("audit verify begins again if its session is ended, and fails if that happens five times", async () => {
  const auditors = "usename = 'auditor' and datname = current_database()";
  const holder = await begun(db);
  const block = () => holder.query("lock table app.audit_log in access exclusive mode");
  const endSession = async () => {
    await eventually(async () => (await lockWaits(db, auditors)) === 1);
    const ended = `select pg_terminate_backend(pid, 60000) as ended from pg_stat_activity where ${auditors}`; // waits for the end
    expect(await db.sql(ended)).toEqual([{ ended: true }]);
  };
  await block();
  const found = verified();
  await endSession();
  await holder.query("rollback");
  expect((await found).faults).toEqual([]);

  await holder.query("begin");
  await block();
  const outcome = verified().catch((error: { code?: string }) => error.code);
  for (let attempt = 1; attempt <= 5; attempt += 1) await endSession();
  expect(await outcome).toBe("57P01");
});
