/** Operator actions called in SQL as the console's login: settings of the session do not replace a token. */
import { makeCredential } from "../../src/secrets/credentials.ts";
import { mintToken } from "../support/console.ts";
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await testDatabase();
});

afterAll(() => db.drop());

/** Functions of operator actions, each with a call that passes nulls. */
async function actionCalls(): Promise<{ name: string; call: string }[]> {
  return db.sql(
    `select proname as name, format('select operator.%I(%s)', proname, repeat('null, ', pronargs - 1) || 'null') as call
     from pg_proc
     where pronamespace = 'operator'::regnamespace and prosrc like '%operator.begin_action(%'
       and has_function_privilege('operator', oid, 'execute')`,
  );
}

test.each([
  ["no credential", ""],
  ["a forged name and scope", ""],
  ["the digest of an unknown token", makeCredential("bso").digest.toString("hex")],
])("every action is refused in a transaction with %s", async (what, credential) => {
  const calls = await actionCalls();
  expect(calls).toHaveLength(21);
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

test("no login can call the internal functions of operator actions, and only operator and the command line can use the schema", async () => {
  const { digest } = await mintToken(db, "act");
  const { id } = await makeOrganisation(db);
  const inner = [
    "select operator.perform('list_keys', '{}')",
    `select operator.begin_action('x', '${id}', null, null, 'x')`,
    "select operator.token_of(sha256(''))",
    `select operator.insert_key('${id}', null, 'x', 'admin', 1, '', '')`,
    "select from app.operator_actions",
    "set role tenant",
  ];
  const operator = db.poolAs("operator", 1);
  for (const statement of inner) {
    await expect(operator.query(statement).then(() => `${statement} succeeded`)).rejects.toMatchObject({
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
      await expect(pool.query(statement).then(() => `${role} succeeded`)).rejects.toMatchObject({ code: "42501" });
    }
  }
  const roles = await db.sql(
    `select role from unnest(array['server', 'tenant', 'authenticator', 'searcher', 'worker', 'runner', 'auditor', 'public']) role
     where has_schema_privilege(role, 'operator', 'usage')`,
  );
  expect(roles).toEqual([]);
});

test("the console's login cannot mint or revoke credentials", async () => {
  const { id, email } = await makeOrganisation(db);
  const operator = db.poolAs("operator", 1);
  const { digest, prefix } = makeCredential("bso");
  const digestSql = `decode('${digest.toString("hex")}', 'hex')`;
  const statements = [
    `select operator.mint_token('Mallory', 'act', 1, ${digestSql})`,
    `select operator.mint_platform_key('Mallory', 1, '${prefix}', ${digestSql})`,
    `select operator.mint_key('${id}', '${email}', 'Mallory', 'admin', 1, '${prefix}', ${digestSql})`,
    "select operator.revoke_token('Mallory')",
    "select operator.revoke_platform_key('Mallory')",
    "select operator.set_model_price('heron', 0, 0, 'Free')",
    "select operator.withdraw_model('heron', 'Gone')",
    "select operator.note_executor('mint_executor', 'gpu')",
    "select operator.accept_finding(repeat('0', 16), 'difference', 'role mallory', 'It was added.', 'Mallory', 'Mine')",
    "select operator.revoke_finding(repeat('0', 16))",
    "select operator.note_command('mint_token', null, '{}')",
    "set role cli",
  ];
  for (const statement of statements) {
    await expect(operator.query(statement).then(() => `${statement} succeeded`)).rejects.toMatchObject({
      code: "42501",
    });
  }
  await operator.query("select set_config('caller.operator_credential', $1, false)", [digest.toString("hex")]);
  const mintKey = `select operator.mint_organisation_key('${id}', '${id}', 'Mallory', 'admin', 1, '${prefix}', ${digestSql}, 'x')`;
  await expect(operator.query(mintKey)).rejects.toMatchObject({ code: "OA001", message: "unauthenticated" });
  const { rows } = await operator.query(`select operator.open_session(${digestSql}, ${digestSql}) as opened`);
  expect(rows).toEqual([{ opened: false }]);
});

test("the operator log cannot be changed or deleted, not even by owner", async () => {
  const { digest } = await mintToken(db, "act");
  const { id } = await makeOrganisation(db);
  const operator = await db.poolAs("operator", 1).connect();
  await operator.query("select set_config('caller.operator_credential', $1, false)", [digest.toString("hex")]);
  await operator.query("select operator.suspend_organisation($1, 'Because')", [id]);
  operator.release(true);
  const owner = db.poolAs("owner", 1);
  expect((await owner.query("select from app.operator_actions where organisation_id = $1", [id])).rowCount).toBe(1);
  expect((await owner.query("update app.operator_actions set reason = 'Other'")).rowCount).toBe(0);
  expect((await owner.query("delete from app.operator_actions")).rowCount).toBe(0);
  expect(await db.sql("select reason from app.operator_actions where organisation_id = $1", [id])).toEqual([
    { reason: "Because" },
  ]);
});
