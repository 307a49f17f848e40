/**
 * What docs/auditing.md invites to run, run as printed: whoever follows the page finds what it says.
 */
import { readFileSync } from "node:fs";
import { Client } from "pg";
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";

const page = readFileSync(new URL("../../docs/auditing.md", import.meta.url), "utf8");
const blocks = [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, text = ""], index) => ({ index, text }));

let db: TestDatabase;
let admin: Client;

beforeAll(async () => {
  db = await testDatabase();
  await makeOrganisation(db);
  await makeOrganisation(db);
  admin = new Client({ connectionString: db.adminUrl });
  await admin.connect();
});

afterAll(async () => {
  await admin.end();
  await db.drop();
});

/** The rows of each statement of a block. */
async function run(text: string): Promise<Record<string, unknown>[][]> {
  const results = await admin.query(text);
  return [results].flat().map(({ rows }) => rows);
}

const after = (heading: string): string => {
  const at = page.indexOf(heading);
  if (at < 0) throw new Error(`The page does not say "${heading}".`);
  return /```sql\n([\s\S]*?)```/.exec(page.slice(at))?.[1] ?? "";
};

test.each(blocks)("block $index runs as printed", async ({ text }) => {
  await expect(run(text)).resolves.toBeDefined();
});

test("the roles are nine, and none can step over a wall", async () => {
  const [roles = []] = await run(after("## The roles"));
  expect(roles.map(({ rolname }) => rolname)).toEqual([
    "auditor",
    "authenticator",
    "operator",
    "owner",
    "runner",
    "searcher",
    "server",
    "tenant",
    "worker",
  ]);
  expect(roles.filter(({ rolsuper, rolbypassrls }) => rolsuper || rolbypassrls)).toEqual([]);
  expect(roles.filter(({ rolcanlogin }) => !rolcanlogin).map(({ rolname }) => rolname)).toEqual([
    "authenticator",
    "searcher",
    "tenant",
  ]);
});

test("a table without a wall is found, and there is none", async () => {
  const query = after("## Tables without a wall");
  expect(await run(query)).toEqual([[]]);
  await admin.query("create table app.unwalled (id uuid)");
  expect(await run(query)).toEqual([[{ without_a_wall: "app.unwalled" }]]);
  await admin.query("drop table app.unwalled");
});

test("the weeks of each table are shown, and a way into them is found", async () => {
  const [weeks = []] = await run(after("## Weeks"));
  for (const table of ["app.events", "app.deliveries", "app.delivery_attempts"]) {
    expect(weeks.filter(({ of_table }) => of_table === table).length).toBeGreaterThan(5);
  }
  const query = after("That there is a way in");
  expect(await run(query)).toEqual([[]]);
  const partition = String(weeks[0]?.partition);
  const table_name = partition.split(".")[1];
  for (const [opened, closed, found] of [
    [
      `grant insert on ${partition} to tenant`,
      `revoke insert on ${partition} from tenant`,
      ["tenant", table_name, "INSERT"],
    ],
    [
      "grant usage on schema partitions to worker",
      "revoke usage on schema partitions from worker",
      ["worker", "schema partitions", "USAGE"],
    ],
    [`create policy open on ${partition}`, `drop policy open on ${partition}`, ["a policy", table_name, "open"]],
  ] as const) {
    await admin.query(opened);
    const [breaches = []] = await run(query);
    expect(breaches.map(Object.values)).toEqual([found]);
    await admin.query(closed);
  }
});

test("a grant beside tenant's is found, and there is none", async () => {
  const query = after("No other role of ours reads a table");
  expect(await run(query)).toEqual([[]]);
  await admin.query("grant select on app.people to worker");
  expect(await run(query)).toEqual([[{ grantee: "worker", table_name: "people", privilege_type: "SELECT" }]]);
  await admin.query("revoke select on app.people from worker");
});

test("every function with its owner's rights says what it checks instead, and pins its search_path", async () => {
  const [functions = []] = await run(after("## The functions that step over a wall"));
  expect(functions.length).toBeGreaterThan(20);
  for (const { instead, settings } of functions) {
    expect(instead).toMatch(/^Instead of row-level security: /);
    expect(settings).toContain('search_path=""');
  }
});

test("the API's login executes api.handle and nothing else", async () => {
  const [functions = []] = await run(after("The login of the API"));
  expect(functions.map((row) => String(row.function).split("(")[0])).toEqual(["api.handle"]);
});

test("being somebody shows one organisation of two, being nobody shows none", async () => {
  expect(await db.sql("select from app.organisations")).toHaveLength(2);
  const somebody = await run(after("## Being somebody"));
  expect(somebody[3]).toHaveLength(1);
  const [, , nobody] = await run(after("Without those settings"));
  expect(nobody).toEqual([{ organisations: "0" }]);
});
