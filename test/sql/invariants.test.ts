/**
 * Checks each invariant of the database, and that the check reports a planted fault.
 */
import { Pool } from "pg";
import { makeKey, makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { distributionInvariants } from "../support/distribution.ts";
import { invariants as definitionInvariants } from "../support/invariants.ts";
import { faults } from "./faults.ts";

const invariants = [...definitionInvariants, ...distributionInvariants];
let db: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  db = await testDatabase();
  pool = new Pool({ connectionString: db.adminUrl, max: 1 });
});

afterAll(async () => {
  await pool.end();
  await db.drop();
});

/** The violations that the check of an invariant reports after `fault` was planted; the fault is rolled back. */
async function violationsOf(invariant: string, fault = ""): Promise<string[]> {
  const query = invariants.find(({ name }) => name === invariant)?.violations ?? "";
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query(fault);
    const { rows } = await client.query<string[]>({ text: query, rowMode: "array" });
    return rows.map(([violation]) => violation ?? "");
  } finally {
    await client.query("rollback");
    client.release();
  }
}

describe.each(invariants.map(({ name }) => name))("%s", (invariant) => {
  test("a migrated database has no violation", async () => {
    expect(await violationsOf(invariant)).toEqual([]);
  });

  test.each(Object.entries(faults[invariant] ?? {}))("the check reports %s", async (_, { fault, violation }) => {
    expect(await violationsOf(invariant, fault)).toEqual([violation]);
  });
});

test("every invariant has a planted fault", () => {
  expect(Object.keys(faults).sort()).toEqual(invariants.map(({ name }) => name).sort());
});

test("PUBLIC cannot connect to a migrated database or create anything in it", async () => {
  const rows = await db.sql(
    `select has_database_privilege('public', 'botstead_template', 'connect, create, temporary') as public,
       has_database_privilege('server', 'botstead_template', 'create, temporary') as server,
       has_database_privilege('server', 'botstead_template', 'connect') as server_connects`,
  );
  expect(rows).toEqual([{ public: false, server: false, server_connects: true }]);
});

test("server may execute api.handle, the functions that count requests and no other statement", async () => {
  const server = db.poolAs("server", 1);
  for (const statement of [
    "select from app.runs",
    "select from rows.runs",
    "select from api.operations",
    "select caller.authenticate(sha256(''), 'get_me')",
    "select api_private.dispatch('get_me', '{}')",
    "select limits.consume(uuidv7(), uuidv7(), 1, '{300,1000}', now())",
    "select limits.consume_all(array[uuidv7()], array[uuidv7()], '{1}', '{300,1000}', now())",
    "select from app.request_counts",
    "select jobs.run_maintenance()",
    "select graphile_worker.add_job('deliver_to_endpoint')",
    "set role tenant",
    "create table public.own ()",
  ]) {
    await expect(server.query(statement).then(() => `${statement} succeeded`)).rejects.toMatchObject({ code: "42501" });
  }
  const { rows } = await server.query(
    "select api.handle(sha256(''), 'get_me', '{}', null, null, null, null, null) as answer",
  );
  expect(rows).toEqual([{ answer: '{"refusal":"unauthenticated"}' }]);
  const { rows: counted } = await server.query(
    `select api.count_request(sha256(''), 'get_me', 1, '{300,1000}') as one,
       api.count_requests(array[sha256('')], '{get_me}', '{1}', '{300,1000}') -> 'keys' as many`,
  );
  expect(counted).toEqual([{ one: null, many: [null] }]);
  expect(await db.sql("select from app.request_counts")).toEqual([]);
});

test("forged caller.* settings give server no access", async () => {
  const [ours, theirs] = [await makeOrganisation(db), await makeOrganisation(db)];
  const key = await makeKey(db, ours.id, ours.ownerId, "read");
  const server = db.poolAs("server", 1);
  const forged = { organisation_id: theirs.id, person_id: theirs.ownerId, scope: "admin", role: "owner" };
  for (const [name, value] of Object.entries(forged)) {
    await server.query("select set_config($1, $2, false)", [`caller.${name}`, value]);
  }
  const handle = async (credential: Buffer, operation: string) =>
    (
      await server.query<{ answer: string }>(
        "select api.handle($1, $2, '{\"limit\": 50}', null, uuidv7(), null, null, null) as answer",
        [credential, operation],
      )
    ).rows[0]?.answer;
  for (const credential of [key.digest, Buffer.alloc(32)]) {
    for (const operation of ["list_keys", "list_webhooks", "list_organisations"]) {
      expect(await handle(credential, operation)).toBe('{"refusal":"unauthenticated"}');
    }
  }
  // With a valid key, a call reaches the key's own organisation; under a forged organisation the key is not found.
  await server.query("select set_config('caller.organisation_id', '', false)");
  expect(JSON.parse((await handle(key.digest, "get_me"))?.split("\n")[1] ?? "{}")).toMatchObject({
    key: { id: key.id, scope: "read" },
    person: { userId: ours.ownerId },
    organisation: { id: ours.id },
  });
  expect(await handle(key.digest, "list_keys")).toBe('{"refusal":"unauthenticated"}');
});
