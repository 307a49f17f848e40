/** Deletion in a cluster that an administrator without superuser has set up, as on a managed PostgreSQL. */
import { startManagedCluster, stopCluster } from "../support/cluster.ts";
import { customer, openPostOffice, type PostOffice } from "../support/post-office.ts";
import { deletionsOf, rowsOf } from "./fixture.ts";

let office: PostOffice;
beforeAll(async () => {
  await startManagedCluster();
  office = await openPostOffice({ worker: false });
});
afterAll(async () => {
  await office?.close();
  await stopCluster();
});

test("an organisation is deleted where no superuser has granted anything", async () => {
  const { db } = office;
  const roles = await db.sql(
    `select rolname from pg_roles where rolsuper and rolname <> 'postgres'
     union all
     select parname from pg_parameter_acl`,
  );
  expect(roles).toEqual([]);
  const other = await customer(office);
  const { organisation } = await customer(office);
  const deletions = await deletionsOf(db);
  await deletions.schedule(organisation.id);
  await deletions.passWait(organisation.id);
  expect(await deletions.end(organisation.id)).toMatchObject({
    places_left: {},
    deleted: { memberships: 1, people: 1 },
  });
  expect(await rowsOf(db, organisation.id)).toEqual([]);
  expect((await other.ask("GET", "/me")).status).toBe(200);
});
