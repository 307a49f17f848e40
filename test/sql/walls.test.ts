/**
 * The walls stand; and each would tell if it did not: a fault is built in, seen, and taken back.
 */
import { Pool } from "pg";
import { makeKey, makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { distributionWalls } from "../support/distribution.ts";
import { walls as ownWalls } from "../support/walls.ts";
import { faults } from "./faults.ts";

const walls = [...ownWalls, ...distributionWalls];
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

/** What breaches a wall once `fault` has been built in. */
async function breachesOf(wall: string, fault = ""): Promise<string[]> {
  const query = walls.find(({ name }) => name === wall)?.breaches ?? "";
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query(fault);
    const { rows } = await client.query<string[]>({ text: query, rowMode: "array" });
    return rows.map(([breach]) => breach ?? "");
  } finally {
    await client.query("rollback");
    client.release();
  }
}

describe.each(walls.map(({ name }) => name))("%s", (wall) => {
  test("in the database as it is migrated", async () => {
    expect(await breachesOf(wall)).toEqual([]);
  });

  test.each(Object.entries(faults[wall] ?? {}))("and %s is noticed", async (_, { fault, breach }) => {
    expect(await breachesOf(wall, fault)).toEqual([breach]);
  });
});

test("there is a fault for every wall", () => {
  expect(Object.keys(faults).sort()).toEqual(walls.map(({ name }) => name).sort());
});

test("PUBLIC can't connect to the database that was migrated, nor make anything in it", async () => {
  const rows = await db.sql(
    `select has_database_privilege('public', 'botstead_template', 'connect, create, temporary') as public,
       has_database_privilege('server', 'botstead_template', 'create, temporary') as server,
       has_database_privilege('server', 'botstead_template', 'connect') as enters`,
  );
  expect(rows).toEqual([{ public: false, server: false, enters: true }]);
});

test("server is stopped at everything but api.handle", async () => {
  const server = db.poolAs("server", 1);
  for (const statement of [
    "select from app.runs",
    "select from rows.runs",
    "select from api.operations",
    "select caller.authenticate(sha256(''), 'get_me')",
    "select api.dispatch('get_me', '{}')",
    "select caller.spend(uuidv7(), uuidv7(), 1, '{300,1000}', now())",
    "select from app.request_counts",
    "select jobs.sweep()",
    "select graphile_worker.add_job('visit_endpoint')",
    "set role tenant",
    "create table public.own ()",
  ]) {
    await expect(server.query(statement).then(() => `${statement} was done`)).rejects.toMatchObject({ code: "42501" });
  }
  const { rows } = await server.query(
    "select api.handle(sha256(''), 'get_me', '{}', null, null, null, null, null) as answer",
  );
  expect(rows).toEqual([{ answer: '{"refusal":"unauthenticated"}' }]);
  const { rows: counted } = await server.query(
    "call api.handle_counted(sha256(''), 'get_me', '{}', null, null, null, null, null, 1, '{300,1000}', null)",
  );
  expect(counted).toEqual([{ answer: 'null\n{"refusal":"unauthenticated"}' }]);
  expect(await db.sql("select from app.request_counts")).toEqual([]);
});

test("settings that server forges for its session open nothing", async () => {
  const [ours, theirs] = [await makeOrganisation(db), await makeOrganisation(db)];
  const key = await makeKey(db, ours.id, ours.ownerId, "read");
  const server = db.poolAs("server", 1);
  const forged = { organisation_id: theirs.id, person_id: theirs.ownerId, scope: "admin", role: "owner" };
  for (const [name, value] of Object.entries(forged)) {
    await server.query("select set_config($1, $2, false)", [`caller.${name}`, value]);
  }
  const ask = async (credential: Buffer, operation: string) =>
    (
      await server.query<{ answer: string }>(
        "select api.handle($1, $2, '{\"limit\": 50}', null, uuidv7(), null, null, null) as answer",
        [credential, operation],
      )
    ).rows[0]?.answer;
  for (const credential of [key.digest, Buffer.alloc(32)]) {
    for (const operation of ["list_keys", "list_webhooks", "list_organisations"]) {
      expect(await ask(credential, operation)).toBe('{"refusal":"unauthenticated"}');
    }
  }
  // What a key does admit to is its own organisation's; where the forged one is another, it isn't even found.
  await server.query("select set_config('caller.organisation_id', '', false)");
  expect(JSON.parse((await ask(key.digest, "get_me"))?.split("\n")[1] ?? "{}")).toMatchObject({
    key: { id: key.id, scope: "read" },
    person: { userId: ours.ownerId },
    organisation: { id: ours.id },
  });
  expect(await ask(key.digest, "list_keys")).toBe('{"refusal":"unauthenticated"}');
});
