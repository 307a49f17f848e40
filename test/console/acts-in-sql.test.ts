/** Acts, asked for in SQL: what the console says about whom it serves opens nothing. */
import { makeCredential } from "../../src/secrets/credentials.ts";
import { mintToken } from "../support/console.ts";
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await testDatabase();
});

afterAll(() => db.drop());

/** Functions that ask for a token of their own, and a call of each without arguments. */
async function actsAsCalls(): Promise<{ name: string; call: string }[]> {
  return db.sql(
    `select proname as name, format('select operator.%I(%s)', proname, repeat('null, ', pronargs - 1) || 'null') as call
     from pg_proc
     where pronamespace = 'operator'::regnamespace and prosrc like '%operator.begin_act(%' and proname <> 'begin_act'`,
  );
}

test.each([
  ["nothing", ""],
  ["a name and a scope that are forged", ""],
  ["a digest of no token", makeCredential("bso").digest.toString("hex")],
])("none is done for a transaction that presents %s", async (what, credential) => {
  const calls = await actsAsCalls();
  expect(calls).toHaveLength(17);
  const operator = await db.poolAs("operator", 1).connect();
  try {
    if (what.includes("forged")) {
      for (const name of ["operator", "operator_scope", "scope", "role", "person_id"]) {
        await operator.query("select set_config($1, 'act', false)", [`caller.${name}`]);
      }
    }
    for (const { call } of calls) {
      await operator.query("begin");
      await operator.query("select set_config('caller.operator_credential', $1, true)", [credential]);
      const refused = await operator.query(call).catch((error: { code: string; message: string }) => error);
      expect(refused).toMatchObject({ code: "OA001", message: "unauthenticated" });
      await operator.query("rollback");
    }
  } finally {
    operator.release(true);
  }
});

test("what the acts stand on is out of the console's reach, and of everybody else's", async () => {
  const { digest } = await mintToken(db, "act");
  const { id } = await makeOrganisation(db);
  const inner = [
    "select operator.perform('list_keys', '{}')",
    "select operator.look('list_keys', '{}')",
    `select operator.begin_act('x', '${id}', null, null, 'x')`,
    "select operator.token_of(sha256(''))",
    `select operator.insert_key('${id}', null, 'x', 'admin', 1, '', '')`,
    "select from app.operator_acts",
    "set role tenant",
  ];
  const operator = db.poolAs("operator", 1);
  for (const statement of inner) {
    await expect(operator.query(statement).then(() => `${statement} was done`)).rejects.toMatchObject({
      code: "42501",
    });
  }
  for (const role of ["server", "worker", "runner"] as const) {
    const pool = db.poolAs(role, 1);
    await pool.query("select set_config('caller.operator_credential', $1, false)", [digest.toString("hex")]);
    for (const statement of [
      `select operator.suspend_organisation('${id}', 'x')`,
      "select from operator.organisations",
    ]) {
      await expect(pool.query(statement).then(() => `${role} did it`)).rejects.toMatchObject({ code: "42501" });
    }
  }
  const reached = await db.sql(
    `select role from unnest(array['server', 'tenant', 'authenticator', 'searcher', 'worker', 'runner', 'auditor', 'public']) role
     where has_schema_privilege(role, 'operator', 'usage')`,
  );
  expect(reached).toEqual([]);
});

test("what was written down stays: not even owner changes it or takes it away", async () => {
  const { digest } = await mintToken(db, "act");
  const { id } = await makeOrganisation(db);
  const operator = await db.poolAs("operator", 1).connect();
  await operator.query("select set_config('caller.operator_credential', $1, false)", [digest.toString("hex")]);
  await operator.query("select operator.suspend_organisation($1, 'Because')", [id]);
  operator.release(true);
  const owner = db.poolAs("owner", 1);
  expect((await owner.query("select from app.operator_acts where organisation_id = $1", [id])).rowCount).toBe(1);
  expect((await owner.query("update app.operator_acts set reason = 'Other'")).rowCount).toBe(0);
  expect((await owner.query("delete from app.operator_acts")).rowCount).toBe(0);
  expect(await db.sql("select reason from app.operator_acts where organisation_id = $1", [id])).toEqual([
    { reason: "Because" },
  ]);
});
