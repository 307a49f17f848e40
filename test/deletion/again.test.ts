/** An organisation that an administrator has brought back beside the receipt of its deletion. (docs/leaving.md#the-receipt) */
import { verifyLog } from "../support/checkpoints.ts";
import { customer, ownOfficeOfFile } from "../support/post-office.ts";
import { deletionsOf, receiptOf, rowsOf } from "./fixture.ts";

const office = ownOfficeOfFile({ worker: false });

test("an organisation that was brought back by hand is deleted again, with a new receipt, and holds up no other deletion", async () => {
  const { db } = office;
  const deletions = await deletionsOf(db);
  const { id } = (await customer(office)).organisation;
  const other = (await customer(office)).organisation.id;
  await db.sql("create table public.kept as select name, kind from app.organisations where id = $1", [id]);
  await deletions.schedule(id);
  await deletions.passWait(id);
  const first = await deletions.end(id);

  await db.sql("insert into app.organisations (id, name, kind) select $1, name, kind from public.kept", [id]);
  const known = "select service.deleted_organisations()::jsonb ? $1 as is_known_as_deleted";
  expect(await db.sql(known, [id])).toEqual([{ is_known_as_deleted: false }]);
  for (const each of [id, other]) {
    await deletions.schedule(each);
    await deletions.passWait(each);
  }
  await deletions.end(other);
  const second = await deletions.end(id);
  expect(second.deleted).toMatchObject({ organisations: 1 });
  expect(second.hash).not.toEqual(first.hash);
  expect(await db.sql(known, [id])).toEqual([{ is_known_as_deleted: true }]);
  expect(await rowsOf(db, id)).toEqual([]);
  expect(await receiptOf(db, id)).toMatchObject({ places_left: {} });
  const noted = await db.sql(
    "select arguments ->> 'receiptHash' as hash from app.operator_commands where action = 'organisation_deleted' and subject_id = $1 order by id",
    [id],
  );
  expect(noted).toEqual([first, second].map(({ hash }) => ({ hash: hash?.toString("hex") })));
  expect(await verifyLog(db)).toMatchObject({ faults: [] });
});
