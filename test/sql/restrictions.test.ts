/** Which kinds may not be held about third parties, as an operator changes it. (decisions: "Third-party limits".) */
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";

let db: TestDatabase;
const operator = () => db.poolAs("operator", 1);

beforeAll(async () => {
  db = await testDatabase();
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
  const asOperator = operator();
  const ask = async (call: string, kind: string, reason: string) =>
    (await asOperator.query(`select operator.${call}($1, $2, $3) as done`, [ours.id, kind, reason])).rows[0].done;
  await hold(ours.id, "pay grade");
  expect(await ask("restrict_kind", " Pay-Grade ", "Works council, 12 May")).toBe(true);
  expect(await ask("restrict_kind", "pay grade", "again")).toBe(false);
  await expect(hold(ours.id, "PAY_GRADE")).rejects.toThrow("forbidden");
  await hold(theirs.id, "pay grade");
  expect(await ask("allow_kind", "PAY GRADE", "Agreed on 3 June")).toBe(true);
  expect(await ask("allow_kind", "pay grade", "again")).toBe(false);
  await hold(ours.id, "pay grade");
  expect(await ask("allow_kind", "trade union", "Consented")).toBe(true);
  await hold(ours.id, "trade-union");
  await expect(hold(theirs.id, "trade-union")).rejects.toThrow("forbidden");
  const { rows } = await asOperator.query(
    "select kind, change, reason from operator.third_party_restriction_changes where organisation_id = $1 order by id",
    [ours.id],
  );
  expect(rows).toEqual([
    { kind: "pay_grade", change: "restricted", reason: "Works council, 12 May" },
    { kind: "pay_grade", change: "allowed", reason: "Agreed on 3 June" },
    { kind: "trade_union", change: "allowed", reason: "Consented" },
  ]);
  const { rows: restricted } = await asOperator.query(
    "select count(*)::int as count from operator.third_party_restrictions where organisation_id = any ($1) group by organisation_id order by 1",
    [[ours.id, theirs.id]],
  );
  expect(restricted).toEqual([{ count: 8 }, { count: 9 }]);
});

test("no reason is no reason, and an organisation that is not there has no kinds", async () => {
  const { id } = await makeOrganisation(db);
  const asOperator = operator();
  for (const call of ["restrict_kind", "allow_kind"]) {
    const kind = call === "allow_kind" ? "health" : "salary";
    for (const reason of ["", null, "x".repeat(501)]) {
      await expect(asOperator.query(`select operator.${call}($1, $2, $3)`, [id, kind, reason])).rejects.toThrow();
    }
  }
  await expect(
    asOperator.query("select operator.restrict_kind(gen_random_uuid(), 'salary', 'because')"),
  ).rejects.toThrow("foreign key");
  const held = await db.sql("select kind from app.third_party_restrictions where organisation_id = $1", [id]);
  expect(held).toHaveLength(9);
});
