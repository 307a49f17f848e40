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
