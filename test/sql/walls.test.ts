/**
 * The walls stand; and each would tell if it did not: a fault is built in, seen, and taken back.
 */
import { Pool } from "pg";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { walls } from "../support/walls.ts";
import { faults } from "./faults.ts";

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
    "select jobs.sweep()",
    "select graphile_worker.add_job('deliver_webhook')",
    "set role tenant",
    "create table public.own ()",
  ]) {
    await expect(server.query(statement).then(() => `${statement} was done`)).rejects.toMatchObject({ code: "42501" });
  }
  const { rows } = await server.query(
    "select refusal from api.handle(sha256(''), 'get_me', '{}', null, null, null, null, null)",
  );
  expect(rows).toEqual([{ refusal: "unauthenticated" }]);
});
