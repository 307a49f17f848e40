/**
 * Row-level security as a matrix: every table, command and kind of caller. matrix.ts has the expected verdicts. Each
 * attempt runs as in api.handle: a credential fills the settings, and the statement runs as tenant.
 */
import { type DatabaseError, escapeLiteral, type Pool } from "pg";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { asTenant } from "../support/transactions.ts";
import { type Caller, type Command, callers, commands, matrix, type Verdict, verdicts } from "./matrix.ts";
import { type Row, rows } from "./rows.ts";
import { invalidateKeys, type Seeded, seedOrganisation, seedService } from "./seed.ts";

let db: TestDatabase;
let pool: Pool;
let ours: Seeded;
let theirs: Seeded;

const lines = Object.keys(matrix);
const tableOf = (line: string) => line.split(":")[0] as string;
const invalidated: Caller[] = ["demoted", "revoked", "expired"];
/** Their verdicts while their keys were valid. */
const before: Record<string, Verdict> = {};

beforeAll(async () => {
  db = await testDatabase();
  pool = db.adminPool({ max: 2 });
  await seedService(db);
  ours = await seedOrganisation(db);
  theirs = await seedOrganisation(db);
  for (const caller of invalidated)
    before[caller] = await attempt(caller, statementFor(caller, "events: a test", "select"));
  await invalidateKeys(db, ours);
});

afterAll(async () => {
  await pool.end();
  await db.drop();
});

function personOf(caller: Caller): string {
  if (caller === "another") return theirs.owner;
  return caller === "demoted" ? ours.demoted : ours.owner;
}

function credentialOf(caller: Caller): Buffer {
  return (caller === "another" ? theirs.keys.admin : ours.keys[caller]).digest;
}

/** Replaces the names in a statement by the ids of the fixture. */
function withIds(text: string, person: string): string {
  return text.replace(/:([a-z_]+)/g, (_, name: string) => {
    const value = name === "person" ? person : ours.ids[name];
    if (!value) throw new Error(`the fixture has no row ${name}`);
    return escapeLiteral(value);
  });
}

function statementFor(caller: Caller, line: string, command: Command): string {
  return withIds(statement(line, command), personOf(caller));
}

function statement(line: string, command: Command): string {
  const table = `app.${tableOf(line)}`;
  const { where, insert, set } = rows[line] as Row;
  switch (command) {
    case "select":
      return `select from ${table} where ${where}`;
    case "insert":
      return insert
        ? `insert into ${table} (${insert[0]}) values (${insert[1]}) ${insert[2] ?? ""}`
        : `insert into ${table} default values`;
    case "update":
      return `update ${table} set ${set} where ${where}`;
    case "delete":
      return `delete from ${table} where ${where}`;
  }
}

async function attempt(caller: Caller, text: string): Promise<Verdict> {
  try {
    const { rowCount } = await asTenant(pool, credentialOf(caller), (client) => client.query(text));
    return rowCount === 0 ? "hidden" : "yes";
  } catch (error) {
    const { code, message } = error as DatabaseError;
    if (code === "OA001" && message === "not_found") return "not found";
    if (code !== "42501") throw error;
    if (message.startsWith("permission denied for")) return "denied";
    if (message.startsWith("new row violates row-level security policy")) return "refused";
    throw error;
  }
}

test("the matrix has a line for every table, and a row for every line", async () => {
  const tables = await db.sql<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'app'::regnamespace and relkind in ('r', 'p')",
  );
  expect([...new Set(lines.map(tableOf))].sort()).toEqual(tables.map(({ name }) => name).sort());
  expect(Object.keys(rows).sort()).toEqual([...lines].sort());
});

test("the fixture has a row for every line", async () => {
  for (const line of lines) {
    const { where } = rows[line] as Row;
    const found = await db.sql(withIds(`select from app.${tableOf(line)} where ${where}`, ours.owner));
    expect([line, found.length > 0]).toEqual([line, true]);
  }
});

test("the demoted, revoked and expired keys were valid before, and still exist", async () => {
  expect(before).toEqual({ demoted: "yes", revoked: "yes", expired: "yes" });
  for (const caller of invalidated) {
    expect(await db.sql("select from app.api_keys where digest = $1", [credentialOf(caller)])).toHaveLength(1);
  }
});

describe.each(lines)("%s", (line) => {
  test.each(commands)("%s", async (command) => {
    const letters = (matrix[line] as string).split(" ")[commands.indexOf(command)] as string;
    expect(letters).toMatch(/^[yhrn-]{7}$/);
    const came: Record<string, Verdict> = {};
    for (const caller of callers) {
      came[caller] = await attempt(caller, statementFor(caller, line, command));
    }
    expect(came).toEqual(
      Object.fromEntries(callers.map((caller, index) => [caller, verdicts[letters[index] as keyof typeof verdicts]])),
    );
  });
});

test("a caller reads rows of its own organisation only, in every table of tenants", async () => {
  const tables = await db.sql<{ name: string }>(
    `select relname as name
     from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'organisation_id'
     where relnamespace = 'app'::regnamespace and relkind in ('r', 'p')
       and has_column_privilege('tenant', attrelid, attnum, 'select')`,
  );
  expect(tables.length).toBeGreaterThan(14);
  for (const { name } of tables) {
    const query = `select distinct organisation_id as id from app.${name}`;
    const all = await db.sql<{ id: string }>(query);
    expect([name, all.map(({ id }) => id)]).toEqual([
      name,
      expect.arrayContaining([ours.ids.organisation, theirs.ids.organisation]),
    ]);
    const read = await asTenant(pool, credentialOf("admin"), (client) => client.query<{ id: string }>(query));
    expect([name, read.rows.map(({ id }) => id)]).toEqual([name, [ours.ids.organisation]]);
  }
});

test("an admin cannot make another member's bot personal", async () => {
  const make = (bot: string | undefined) => `update app.bots set visibility = 'personal' where id = '${bot}'`;
  await db.sql("update app.bots set owner_id = $1 where id = $2", [ours.ids.colleague, ours.ids.silent_bot]);
  expect(await attempt("admin", make(ours.ids.bot))).toBe("yes");
  expect(await attempt("admin", make(ours.ids.silent_bot))).toBe("refused");
});

/** PostgreSQL applies select policies only to statements that read a column: the other policies must be enough. */
test("a write without a condition reaches only rows that its writer sees", async () => {
  const reached: Record<string, number | null> = {};
  for (const [line, { set }] of Object.entries(rows)) {
    const table = tableOf(line);
    for (const command of ["update", "delete"] as const) {
      const text = command === "update" ? `update app.${table} set ${set}` : `delete from app.${table}`;
      const write = withIds(text, ours.owner);
      if ((command === "update" && !set) || (await attempt("admin", `${write} where false`)) === "denied") continue;
      const count = async (condition: string) => {
        try {
          return (await asTenant(pool, credentialOf("admin"), (client) => client.query(`${write} where ${condition}`)))
            .rowCount;
        } catch (error) {
          return (error as DatabaseError).message; // from a trigger or a constraint on a row that both reach
        }
      };
      const reads = table === "organisations" ? "id is not null" : "organisation_id is not null";
      const blind = await count("true");
      expect([write, blind]).toEqual([write, await count(reads)]);
      reached[`${command} ${table}`] = blind as number;
    }
  }
  expect(reached).toMatchObject({ "update memories": 8, "delete memories": 8, "update hooks": 2 });
});
