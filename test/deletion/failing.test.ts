/** A deletion whose step fails, beside another. */
import { customer, ownOfficeOfFile } from "../support/post-office.ts";
import { deletionsOf, receiptOf } from "./fixture.ts";

const office = ownOfficeOfFile({ worker: false });

test("a deletion that a foreign key of the operator's own table stops holds up no other, and ends when the row is gone", async () => {
  const { db } = office;
  const deletions = await deletionsOf(db);
  const [stopped, other] = [(await customer(office)).organisation.id, (await customer(office)).organisation.id];
  await db.sql("create table public.contracts (organisation uuid references app.organisations)");
  await db.sql("insert into public.contracts values ($1)", [stopped]);
  await deletions.schedule(stopped);
  await deletions.passWait(stopped);
  await deletions.begin(stopped);
  await deletions.schedule(other);
  await deletions.passWait(other);
  await deletions.end(other);
  expect(await receiptOf(db, stopped)).toMatchObject({ ended_at: null });
  await db.sql("delete from public.contracts");
  await db.sql("update app.organisation_deletions set next_step_at = now() where ended_at is null"); // a minute later
  await deletions.end(stopped);
});

test("a deletion whose entries of the audit log another table refers to waits a minute, and holds up no other", async () => {
  const { db } = office;
  const deletions = await deletionsOf(db);
  const [stopped, other] = [(await customer(office)).organisation.id, (await customer(office)).organisation.id];
  await db.sql(
    "create table public.notes (organisation uuid, entry uuid, foreign key (organisation, entry) references app.audit_log (organisation_id, id))",
  );
  await db.sql(
    "insert into public.notes select organisation_id, id from app.audit_log where organisation_id = $1 order by id limit 1",
    [stopped],
  );
  await deletions.schedule(stopped);
  await deletions.passWait(stopped);
  await deletions.begin(stopped);
  await deletions.schedule(other);
  await deletions.passWait(other);
  await deletions.end(other);
  const waits = () =>
    db.sql<{ seconds: number; failure: string | null }>(
      "select extract(epoch from next_step_at - now())::integer as seconds, failure from app.organisation_deletions where organisation_id = $1",
      [stopped],
    );
  const [waiting] = await waits();
  expect(waiting?.seconds).toBeGreaterThan(1);
  expect(waiting?.failure).toMatch(/foreign key constraint "notes_/);
  await db.sql(`select jobs.put_deletion_off($1, '22P02', 'invalid input: "Harbour"')`, [stopped]);
  expect(await waits()).toMatchObject([{ failure: "SQLSTATE 22P02" }]); // such a message may quote a row
  await db.sql("delete from public.notes");
  await db.sql("update app.organisation_deletions set next_step_at = now() where ended_at is null"); // a minute later
  await deletions.end(stopped);
  expect(await waits()).toMatchObject([{ failure: null }]);
});

test("a deletion continues after an upgrade has dropped a table with rows that it had deleted", async () => {
  const { db } = office;
  const deletions = await deletionsOf(db);
  const { id } = (await customer(office)).organisation;
  await deletions.hide(id);
  await deletions.begin(id);
  const dropped = { 'Dropped "table"': 1 };
  await db.sql("update app.organisation_deletions set deleted = $2 where organisation_id = $1", [id, dropped]);
  expect((await deletions.end(id)).deleted).toMatchObject({ ...dropped, organisations: 1 });
});
