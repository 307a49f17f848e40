/** The search of a deletion through a table that is larger than one step of it. */
import { customer, ownOfficeOfFile } from "../support/post-office.ts";
import { eventually } from "../support/worker.ts";
import { deletionsOf, receiptOf } from "./fixture.ts";

const office = ownOfficeOfFile({ worker: false });

/** More pages than a step reads. */
const rows = 4_200;

test("a row at the end of a large table is found, the receipt counts all its rows, and the receipt names what it does not search", async () => {
  const { db } = office;
  const deletions = await deletionsOf(db);
  const { id } = (await customer(office)).organisation;
  await db.sql("create schema added; grant usage on schema added to owner");
  await db.sql("create table added.notes (text text storage plain); grant select on added.notes to owner");
  await db.sql("create table public.closed (); grant select on public.closed to public"); // owner may not enter this schema
  await db.sql("create foreign data wrapper elsewhere; create server other foreign data wrapper elsewhere");
  await db.sql('create foreign table added."Far away" (text text) server other; select lo_create(0)');
  await db.sql("insert into added.notes select repeat('x', 7000) from generate_series(1, $1::integer)", [rows]);
  await db.sql("insert into added.notes values ('about ' || $1)", [id]);
  await deletions.schedule(id);
  await deletions.passWait(id);
  await eventually(async () => {
    await deletions.step();
    await deletions.checkpoints.run();
    const receipt = await receiptOf(db, id);
    expect(receipt?.ended_at ?? null).toBeNull();
    return receipt?.places_left["added.notes"] === 1;
  }, 60_000);
  await eventually(async () => !(await deletions.step()));
  await db.sql("delete from added.notes where text like 'about %'");
  await db.sql("update app.organisation_deletions set next_step_at = now(), places_left = '{}' where ended_at is null");
  const { searched, receipt } = await deletions.end(id);
  expect(JSON.parse(receipt ?? "").notSearched).toEqual([
    'added."Far away"',
    "pg_catalog.pg_largeobject",
    "public.closed",
  ]);
  expect(searched["added.notes"]).toBe(rows);
  expect(searched).not.toHaveProperty("public.closed");
});
