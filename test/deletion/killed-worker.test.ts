/** Workers that are killed in the middle of a deletion. Another worker continues it, and every row is deleted once. */
import { verifyDatabase } from "../../src/cli/audit-log.ts";
import { asAuditor } from "../../src/cli/audit-session.ts";
import { readConfig } from "../../src/config.ts";
import { signerFrom } from "../../src/secrets/note-key.ts";
import { faultsOf, testCheckpoints, writeEntries } from "../support/checkpoints.ts";
import { customer, ownOfficeOfFile } from "../support/post-office.ts";
import { killPrograms } from "../support/program.ts";
import { begun, lockWaits } from "../support/transactions.ts";
import { eventually, workerProcess } from "../support/worker.ts";
import { deletionsOf, receiptOf, rowsOf } from "./fixture.ts";

const office = ownOfficeOfFile({ worker: false });
afterAll(killPrograms);

/** Kills a worker as soon as this holds. */
async function killOnce(holds: () => Promise<boolean>): Promise<void> {
  const worker = workerProcess(office);
  await eventually(holds);
  expect((await worker.kill("SIGKILL")).signal).toBe("SIGKILL");
}

/** Kills a worker while its transaction waits for a row: inside a part of the deletion. */
async function killInside(rows: string, organisation: string): Promise<void> {
  const holder = await begun(office.db);
  expect((await holder.query(`${rows} for update`, [organisation])).rowCount).toBeGreaterThan(0);
  await killOnce(async () => (await lockWaits(office.db, "application_name = 'botstead worker'")) > 0);
  expect(await receiptOf(office.db, organisation)).toMatchObject({ ended_at: null });
  await holder.query("rollback");
}

test("a deletion whose workers are killed between its parts and inside them ends with nothing left, once", async () => {
  const { db } = office;
  const deletions = await deletionsOf(db);
  const signer = signerFrom(readConfig().audit.origin, 1, db.key.checkpoints); // the workers sign too
  const checkpoints = testCheckpoints(db, { signer });
  const sign = async () => expect(faultsOf(await checkpoints.run()) ?? []).toEqual([]);
  const other = await customer(office);
  const { organisation } = await customer(office);
  const id = organisation.id;
  await writeEntries(db, id, 5_000); // more than two parts
  await deletions.schedule(id);
  await deletions.passWait(id);
  await sign();
  const state = async () => {
    const columns = 'older_transactions is not null as waits, log_entry_id is not null as "isLogNext", deleted';
    const [row] = await db.sql<{ waits: boolean; isLogNext: boolean; deleted: Record<string, number> }>(
      `select ${columns} from app.organisation_deletions where organisation_id = $1`,
      [id],
    );
    return row;
  };

  const older = await begun(db);
  await older.query("select pg_current_xact_id()");
  await killOnce(async () => (await state())?.waits === true); // between the begin and the rows
  expect(await rowsOf(db, id)).toContain("memories");
  await older.query("rollback");

  await killInside("select from app.memories where organisation_id = $1 order by id limit 1", id);
  await killInside("select from app.organisations where id = $1", id);
  expect((await state())?.deleted.memories).toBeGreaterThan(0);
  await killOnce(async () => (await state())?.isLogNext === true); // between the record of the removal and its checkpoint
  expect(await rowsOf(db, id)).toEqual([]);
  await sign();
  const oldest = "select from app.audit_log where organisation_id = $1 and sequence <= 10";
  await killInside(oldest, id);
  const before = (await state())?.deleted.audit_log ?? 0;
  await killOnce(async () => ((await state())?.deleted.audit_log ?? 0) > before);
  await sign();

  const last = workerProcess(office);
  await eventually(async () => {
    await sign();
    return (await receiptOf(db, id))?.ended_at != null;
  });
  expect((await last.kill("SIGTERM")).code).toBe(0);

  expect(await rowsOf(db, id)).toEqual([]);
  const receipt = await receiptOf(db, id);
  expect(receipt).toMatchObject({
    places_left: {},
    deleted: { memories: 5_000, memberships: 1, organisations: 1, people: 1 },
  });
  const [removed] = await db.sql<{ entries: number }>(
    "select (before ->> 'entries')::integer as entries from app.audit_log where organisation_id = $1 and resource = 'audit_log'",
    [id],
  );
  expect(receipt?.deleted.audit_log).toBe(removed?.entries);
  const entries = await db.sql("select resource from app.audit_log where organisation_id = $1 order by id", [id]);
  expect(entries).toEqual([{ resource: "audit_log" }, { resource: "organisation" }]);
  const ends = "select from app.operator_commands where action = 'organisation_deleted' and subject_id = $1";
  expect(await db.sql(ends, [id])).toHaveLength(1);
  await eventually(async () => !(await deletions.step())); // the policies that hid its rows are dropped
  expect((await other.ask("GET", "/me")).status).toBe(200);
  await sign();
  const { adminUrl, key } = db;
  const verify = () =>
    asAuditor((auditor) => verifyDatabase(auditor, [signer], []), { config: readConfig(), key, adminUrl });
  expect((await verify()).faults).toEqual([]);
});
