/** Which kinds may not be held about third parties, as an operator changes it. (decisions: "Third-party limits".) */
import { type Acting, acting } from "../support/acting.ts";
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";

let db: TestDatabase;
let operator: Acting;

beforeAll(async () => {
  db = await testDatabase();
  operator = await acting(db);
});
afterAll(() => db.drop());

const hold = (organisation: string, kind: string) =>
  db.sql(
    `insert into app.memories (organisation_id, scope, kind, subject, subject_kind, value, provenance, source)
     values ($1, 'organisation', $2, 'Nils', 'third_party', 'v', 'member', 'test')`,
    [organisation, kind],
  );

test("an operator restricts a kind and allows it again, for one organisation, and each time says why", async () => {
  const [ours, theirs] = [await makeOrganisation(db), await makeOrganisation(db)];
  const ask = (call: string, kind: string, reason: string) =>
    operator.act(`${call}($1, $2, $3)`, [ours.id, kind, reason]);
  await hold(ours.id, "pay grade");
  expect(await ask("restrict_kind", " Pay-Grade ", " Works council, 12 May ")).toEqual({
    ...{ id: ours.id, kind: "pay_grade", restricted: true },
  });
  await ask("restrict_kind", "pay grade", "again");
  await expect(hold(ours.id, "PAY_GRADE")).rejects.toThrow("forbidden");
  await hold(theirs.id, "pay grade");
  expect(await ask("allow_kind", "PAY GRADE", "Agreed on 3 June")).toMatchObject({ restricted: false });
  await ask("allow_kind", "pay grade", "again");
  await hold(ours.id, "pay grade");
  await ask("allow_kind", "trade union", "Consented");
  await hold(ours.id, "trade-union");
  await expect(hold(theirs.id, "trade-union")).rejects.toThrow("forbidden");
  const asOperator = db.poolAs("operator", 1);
  const { rows } = await asOperator.query(
    "select kind, change, reason from operator.third_party_restriction_changes where organisation_id = $1 order by id",
    [ours.id],
  );
  expect(rows).toEqual([
    { kind: "pay_grade", change: "restricted", reason: "Works council, 12 May" },
    { kind: "pay_grade", change: "allowed", reason: "Agreed on 3 June" },
    { kind: "trade_union", change: "allowed", reason: "Consented" },
  ]);
  const { rows: acts } = await asOperator.query(
    "select action, arguments, reason from operator.acts where organisation_id = $1 order by id limit 2",
    [ours.id],
  );
  expect(acts).toEqual([
    { action: "restrict_kind", arguments: { kind: "pay_grade" }, reason: "Works council, 12 May" },
    { action: "restrict_kind", arguments: { kind: "pay_grade" }, reason: "again" },
  ]);
  const { rows: restricted } = await asOperator.query(
    "select count(*)::int as count from operator.third_party_restrictions where organisation_id = any ($1) group by organisation_id order by 1",
    [[ours.id, theirs.id]],
  );
  expect(restricted).toEqual([{ count: 8 }, { count: 9 }]);
});

test.each(["restrict_kind", "allow_kind"])("%s asks for a kind", async (call) => {
  const { id } = await makeOrganisation(db);
  for (const kind of [null, "", " - ", "x".repeat(61)]) {
    await expect(operator.act(`${call}($1, $2, 'because')`, [id, kind])).rejects.toMatchObject({
      ...{ code: "OA001", message: "invalid_request" },
    });
  }
  expect(await db.sql("select from app.third_party_restrictions where organisation_id = $1", [id])).toHaveLength(9);
  expect(await db.sql("select from app.operator_acts where organisation_id = $1", [id])).toEqual([]);
});
