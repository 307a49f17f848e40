/** Operators change the restricted kinds of memories about third parties. (docs/specification/memories.md#restricted-kinds) */
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { type OperatorLogin, operatorLogin } from "../support/operator-login.ts";

let db: TestDatabase;
let operator: OperatorLogin;

beforeAll(async () => {
  db = await testDatabase();
  operator = await operatorLogin(db);
});
afterAll(() => db.drop());

const hold = (organisation: string, kind: string) =>
  db.sql(
    `insert into app.memories (organisation_id, scope, kind, subject, subject_kind, value, provenance, source)
     values ($1, 'organisation', $2, 'Nils', 'third_party', 'v', 'member', 'test')`,
    [organisation, kind],
  );

test("an operator restricts a kind of one organisation and allows it again, with a reason each time", async () => {
  const [ours, theirs] = [await makeOrganisation(db), await makeOrganisation(db)];
  const ask = (call: string, kind: string, reason: string) =>
    operator.perform(`${call}($1, $2, $3)`, [ours.id, kind, reason]);
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
  const { rows: actions } = await asOperator.query(
    "select action, arguments, reason from operator.actions where organisation_id = $1 order by id limit 2",
    [ours.id],
  );
  expect(actions).toEqual([
    { action: "restrict_kind", arguments: { kind: "pay_grade" }, reason: "Works council, 12 May" },
    { action: "restrict_kind", arguments: { kind: "pay_grade" }, reason: "again" },
  ]);
  const { rows: restricted } = await asOperator.query(
    "select count(*)::int as count from operator.third_party_restrictions where organisation_id = any ($1) group by organisation_id order by 1",
    [[ours.id, theirs.id]],
  );
  expect(restricted).toEqual([{ count: 8 }, { count: 9 }]);
});

test.each(["restrict_kind", "allow_kind"])("%s refuses a call without a kind", async (call) => {
  const { id } = await makeOrganisation(db);
  for (const kind of [null, "", " - ", "x".repeat(61)]) {
    await expect(operator.perform(`${call}($1, $2, 'because')`, [id, kind])).rejects.toMatchObject({
      ...{ code: "OA001", message: "invalid_request" },
    });
  }
  expect(await db.sql("select from app.third_party_restrictions where organisation_id = $1", [id])).toHaveLength(9);
  expect(await db.sql("select from app.operator_actions where organisation_id = $1", [id])).toEqual([]);
});

test.each([
  "hea\u200blth",
  "health.",
  "h\u0435alth",
  "НЕАLТН",
  "heaIth",
  "hea1th",
  "ｈｅａｌｔｈ",
  "𝐡𝐞𝐚𝐥𝐭𝐡",
  "ʜᴇᴀʟᴛʜ",
  "нealth",
  "h e-a_l/t·h",
  "health\u00ad",
  "health\u3164",
  "he\u0336alth",
  "hеаlth🩺",
  "tradе\u00a0Uniοn",
  "crirninal rec0rd",
])("a restricted kind written as %s is refused", async (kind) => {
  const { id } = await makeOrganisation(db);
  await expect(hold(id, kind)).rejects.toThrow("forbidden");
});

test("a kind that is only similar to a restricted one is accepted, and so is a kind of symbols", async () => {
  const { id } = await makeOrganisation(db);
  for (const kind of ["healthy habits", "wealth", "heath", "policy", "здоровье", "健康", "🩺", "..."])
    await hold(id, kind);
});

test("a restriction applies to all spellings of a kind, and so does its removal", async () => {
  const { id } = await makeOrganisation(db);
  const ask = (call: string, kind: string) => operator.perform(`${call}($1, $2, 'because')`, [id, kind]);
  await ask("restrict_kind", "p\u0430y.grade");
  await ask("restrict_kind", "pay grade");
  await expect(hold(id, "Pay Grade")).rejects.toThrow("forbidden");
  await ask("allow_kind", "PAY-GRADE");
  await hold(id, "pay.grade");
  expect(await db.sql("select from app.third_party_restrictions where organisation_id = $1", [id])).toHaveLength(9);
});
