/** A deletion beside prepared transactions, in a cluster that allows them. */
import { startCluster, stopCluster } from "../support/cluster.ts";
import { customer, openPostOffice, type PostOffice } from "../support/post-office.ts";
import { begun } from "../support/transactions.ts";
import { eventually } from "../support/worker.ts";
import { deletionsOf, receiptOf, rowsOf } from "./fixture.ts";

let office: PostOffice;
beforeAll(async () => {
  await startCluster({ max_prepared_transactions: "3" });
  office = await openPostOffice({ worker: false });
});
afterAll(async () => {
  for (const { gid } of await office.db.sql<{ gid: string }>("select gid from pg_prepared_xacts"))
    await office.db.sql(`rollback prepared '${gid}'`);
  await office.close();
  await stopCluster();
});

/** As a statement that had begun before the deletion. */
const written =
  "insert into app.request_minutes (organisation_id, minute) values ($1, date_trunc('minute', now()) - $2 * interval '1 minute')";

test("a transaction that was prepared before or after the begin of a deletion is waited for, and its row is deleted", async () => {
  const { db } = office;
  const deletions = await deletionsOf(db);
  const { id } = (await customer(office)).organisation;
  await deletions.hide(id);
  const before = await begun(db);
  await before.query(written, [id, 60]);
  await before.query("prepare transaction 'before'");
  const open = await begun(db);
  await open.query(written, [id, 61]);
  await deletions.begin(id);
  const tables = async () => {
    for (let round = 0; round < 3; round += 1) {
      await db.sql("update app.organisation_deletions set next_step_at = now()"); // a second later
      await deletions.step();
    }
    return rowsOf(db, id);
  };

  expect(await tables()).toContain("memberships");
  await open.query("prepare transaction 'after'");
  expect(await tables()).toContain("memberships");
  const later = await begun(db);
  await later.query("prepare transaction 'later'");
  await before.query("commit prepared 'before'");
  expect(await tables()).toContain("memberships");
  await before.query("commit prepared 'after'");
  await eventually(async () => (await tables()).length === 0);
  await before.query("rollback prepared 'later'"); // no checkpoint covers what may be in it
  await deletions.end(id);
  expect((await receiptOf(db, id))?.deleted.request_minutes).toBeGreaterThanOrEqual(2); // and rows of calls
});
