/**
 * What docs/auditing.md invites to run, run as printed and as whom it says: whoever follows the page finds what it says.
 */
import { readFileSync } from "node:fs";
import { Client } from "pg";
import { urlAs } from "../../src/database/urls.ts";
import { auditedDatabase } from "../support/audited.ts";
import { makeKey, makeOrganisation, type TestDatabase } from "../support/database.ts";

const page = readFileSync(new URL("../../docs/auditing.md", import.meta.url), "utf8");
/** From here on the page speaks to the administrator. */
const administrators = page.indexOf("## Being somebody");
const blocks = [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map(({ index: at, 1: text = "" }, index) => ({
  index,
  text,
  role: at < administrators ? "auditor" : "admin",
}));

let db: TestDatabase;
let clients: Record<string, Client>;

beforeAll(async () => {
  db = await auditedDatabase();
  const demo = await makeOrganisation(db);
  await makeKey(db, demo.id, demo.ownerId, "read");
  await db.sql("update app.people set email = 'owner@demo.example' where id = $1", [demo.ownerId]);
  await makeOrganisation(db);
  clients = {
    admin: new Client({ connectionString: db.adminUrl }),
    auditor: new Client({ connectionString: urlAs("auditor", db.adminUrl, db.key) }),
  };
  for (const client of Object.values(clients)) await client.connect();
});

afterAll(async () => {
  for (const client of Object.values(clients)) await client.end();
  await db.drop();
});

/** The rows of each statement of a block. */
async function run(text: string, role: string): Promise<Record<string, unknown>[][]> {
  const results = await clients[role]?.query(text);
  return [results ?? []].flat().map(({ rows }) => rows);
}

/** The rows of the first block after these words. */
async function after(words: string, role = "auditor"): Promise<Record<string, unknown>[]> {
  const at = page.indexOf(words);
  if (at < 0) throw new Error(`The page does not say "${words}".`);
  const [rows = []] = await run(/```sql\n([\s\S]*?)```/.exec(page.slice(at))?.[1] ?? "", role);
  return rows;
}

const column = (rows: Record<string, unknown>[], name: string) => rows.map((row) => row[name]);

test.each(blocks)("block $index runs as printed, as $role", async ({ text, role }) => {
  await expect(run(text, role)).resolves.toBeDefined();
});

test("all walls stand; and one that does not is found by psql alone", async () => {
  expect(await after("## Whether the walls stand")).toEqual([]);
  await db.sql("create table app.unwalled (organisation_id uuid)");
  expect(await after("## Whether the walls stand")).toContainEqual({
    severity: "critical",
    object: "table app.unwalled",
    what: "Row-level security is not enabled and forced.",
    why: "Whoever has a privilege on it reads the rows of every organisation.",
    remedy: "alter table app.unwalled enable row level security, force row level security;",
  });
  await db.sql("drop table app.unwalled");
});

test("what is looked for and what was left is told", async () => {
  expect((await after("What is looked for:")).length).toBeGreaterThan(40);
  const exceptions = await after("Each such exception was looked at");
  expect(column(exceptions, "object")).toContain("policy search_words on app.memories");
  expect((await after("What each object is like now:")).length).toBeGreaterThan(70);
});

test("the roles are nine, into three of which nobody logs in, and none can step over a wall", async () => {
  const roles = await after("## The roles");
  const names = ["auditor", "authenticator", "operator", "owner", "runner", "searcher", "server", "tenant", "worker"];
  expect(column(roles, "name")).toEqual(names);
  expect(
    column(
      roles.filter(({ logs_in }) => !logs_in),
      "name",
    ),
  ).toEqual(["authenticator", "searcher", "tenant"]);
  expect(await db.sql("select from pg_roles where rolname = any ($1) and (rolsuper or rolbypassrls)", [names])).toEqual(
    [],
  );
  expect(await after("What each lives on.")).toContainEqual(
    expect.objectContaining({ role: "auditor", schema: "audit", privileges: ["SELECT"] }),
  );
});

test("each policy is told in words and in SQL", async () => {
  const policies = await after("## Policies");
  expect(policies).toContainEqual({
    table_name: "app.organisations",
    command: "select",
    words: "The caller's organisation.",
    rows_it_shows: "(id = ( SELECT caller.organisation_id() AS organisation_id))",
    rows_it_takes: null,
  });
  expect(policies.filter(({ words }) => !words)).toEqual([]);
});

test("the weeks of each table are shown", async () => {
  const weeks = await after("## Weeks");
  for (const table of ["app.events", "app.deliveries", "app.delivery_attempts"]) {
    expect(weeks.filter(({ of_table }) => of_table === table).length).toBeGreaterThan(5);
  }
});

test("privileges are told by column, and nobody else has one on a table", async () => {
  expect(await after("## Privileges")).toContainEqual({
    object: "app.bots",
    privilege: "UPDATE",
    columns: expect.arrayContaining(["name", "visibility"]),
  });
  expect(column(await after("No other role of ours but"), "role")).toEqual(["authenticator", "searcher", "tenant"]);
});

test("every function with its owner's rights says what stands in place of row-level security", async () => {
  const functions = await after("## The functions that step over a wall");
  expect(functions.length).toBeGreaterThan(50);
  expect(functions.filter(({ instead }) => !instead)).toEqual([]);
});

test("the API's login executes api.handle, and what counts before it, and nothing else", async () => {
  const functions = await after("The login of the API");
  expect(functions.map((row) => String(row.function).split("(")[0])).toEqual([
    "api.count_request",
    "api.handle",
    "api.handle_counted",
  ]);
});

test("what a person reaches is told in counts", async () => {
  const reached = await after("## What a person reaches");
  expect(reached).toContainEqual(
    expect.objectContaining({ member_role: "owner", scope: "read", table_name: "app.organisations", rows: "1" }),
  );
});

test("being somebody shows one organisation of two, being nobody shows none", async () => {
  expect(await db.sql("select from app.organisations")).toHaveLength(2);
  const [somebody = "", nobody = ""] = blocks.filter(({ role }) => role === "admin").map(({ text }) => text);
  expect((await run(somebody, "admin"))[3]).toHaveLength(1);
  expect((await run(nobody, "admin"))[2]).toEqual([{ organisations: "0" }]);
});
