/** Statistics of a deletion: PostgreSQL keeps frequent values also of expressions in indexes, and of tables that are empty now. */
import { makeMember } from "../support/database.ts";
import { customer, ownOfficeOfFile } from "../support/post-office.ts";
import { deletionsOf } from "./fixture.ts";

const office = ownOfficeOfFile({ worker: false });

/** Relations whose statistics have the text. */
const statisticsWith = async (text: string): Promise<string[]> =>
  (
    await office.db.sql<{ relation: string }>(
      `select distinct statistics.starelid::regclass::text as relation
       from pg_statistic statistics where strpos(statistics::text, $1) > 0 order by 1`,
      [text],
    )
  ).map(({ relation }) => relation);

test("after the deletion of the only organisation no statistics of a table or an index have an address", async () => {
  const deletions = await deletionsOf(office.db);
  const { organisation } = await customer(office);
  const { id, ownerId } = organisation;
  for (let count = 0; count < 3; count += 1) await makeMember(office.db, id, "member");
  await office.db.sql("update app.people set email = 'canary-' || id || '@example.test'");
  await office.db.sql(
    `insert into app.invitations (organisation_id, email, role, invited_by, token_digest)
     select $1, 'canary-' || number || '@example.test', 'member', $2, sha256(number::text::bytea) from generate_series(1, 5) number`,
    [id, ownerId],
  );
  await office.db.sql("analyze");
  expect(await statisticsWith("canary-")).toEqual(
    expect.arrayContaining(["app.invitations", "app.people", "app.people_by_address"]),
  );
  await deletions.schedule(id);
  await deletions.passWait(id);
  await deletions.end(id);
  expect(await statisticsWith("canary-")).toEqual([]);
});
