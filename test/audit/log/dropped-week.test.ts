/** Retention drops a week of the audit log while the log is read. */
import type { PoolClient } from "pg";
import { verifyDatabase } from "../../../src/cli/audit-log.ts";
import { beginReading, databaseRows } from "../../../src/cli/audit-log-rows.ts";
import { verifyLog } from "../../../src/transparency/verification/verify.ts";
import { faultsOf, logSigner, testCheckpoints, writeOldWeek } from "../../support/checkpoints.ts";
import { makeOrganisation, setLimits, type TestDatabase, testDatabase } from "../../support/database.ts";

let db: TestDatabase;
let clients: PoolClient[] = [];

/** A week of 2020 whose truncation is an entry in a checkpoint, so that it can be dropped. */
beforeEach(async () => {
  db = await testDatabase();
  const { id } = await makeOrganisation(db);
  await writeOldWeek(db, id);
  await setLimits(db, id, { seats: 7 });
  while (await drop()); // weeks of other tables
  const job = testCheckpoints(db);
  expect(faultsOf(await job.run())).toEqual([]);
  await db.poolAs("worker", 1).query("select jobs.record_truncations()");
  expect(faultsOf(await job.run())).toEqual([]);
});

afterEach(async () => {
  for (const client of clients) client.release(true);
  clients = [];
  await db.drop();
});

async function clientOf(role: "auditor" | "owner" | "worker"): Promise<PoolClient> {
  const client = await db.poolAs(role, 1).connect();
  clients.push(client);
  return client;
}

const drop = async () => (await db.poolAs("worker", 1).query("select jobs.drop_partition() as name")).rows[0].name;

test.each([
  ["auditor", false],
  ["owner", true],
] as const)("a log that %s reads keeps its oldest week until the end of the reading", async (role, withContent) => {
  const reader = await clientOf(role);
  await beginReading(reader, withContent);
  async function* rows() {
    for await (const row of databaseRows(reader, withContent)) {
      if (row.kind === "checkpoint") expect(await drop()).toBeNull();
      yield row;
    }
  }
  expect((await verifyLog(rows(), [logSigner], [])).faults).toEqual([]);
  await reader.query("commit");
  expect(await drop()).toBe("audit_log_20200106");
  expect((await verifyDatabase(await clientOf("auditor"), [logSigner], [])).faults).toEqual([]);
});

test("a week is not dropped during a run of the checkpoint job", async () => {
  const job = await clientOf("worker");
  await job.query("begin isolation level repeatable read");
  expect((await job.query("select * from jobs.begin_checkpoint('0')")).rows).toHaveLength(1);
  expect(await drop()).toBeNull();
  await job.query("rollback");
  expect(await drop()).toBe("audit_log_20200106");
});

test("a run of the checkpoint job whose snapshot is from before a drop ends without a fault", async () => {
  const job = await clientOf("worker");
  await job.query("begin isolation level repeatable read");
  await job.query("select jobs.newest_checkpoint()");
  expect(await drop()).toBe("audit_log_20200106");
  await expect(job.query("select * from jobs.begin_checkpoint('0')")).rejects.toMatchObject({ code: "40001" });
  await job.query("rollback");
  expect(faultsOf(await testCheckpoints(db).run())).toEqual([]);
});
