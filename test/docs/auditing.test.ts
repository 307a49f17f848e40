/**
 * The SQL of docs/auditing.md, run as printed and with the role that the page names.
 */
import { readFileSync } from "node:fs";
import { Client } from "pg";
import { urlAs } from "../../src/database/urls.ts";
import { auditedDatabase } from "../support/audited.ts";
import { makeKey, makeOrganisation, type TestDatabase } from "../support/database.ts";

const page = readFileSync(new URL("../../docs/auditing.md", import.meta.url), "utf8");
/** From here on the page is for the administrator. */
const administrators = page.indexOf("## What does a caller see?");
const blocks = [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map(({ index: at, 1: text = "" }, index) => ({
  index,
  text,
  role: at < administrators ? "auditor" : "admin",
}));

/** Values of the page's psql variables, such as :'organisation'. */
const variables: Record<string, string> = {};
let db: TestDatabase;
let clients: Record<string, Client>;

beforeAll(async () => {
  db = await auditedDatabase();
  const demo = await makeOrganisation(db);
  const key = await makeKey(db, demo.id, demo.ownerId, "read");
  Object.assign(variables, { organisation: demo.id, person: demo.ownerId, prefix: key.text.slice(0, 12) });
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
  const results = await clients[role]?.query(text.replace(/:'(\w+)'/g, (_, name) => `'${variables[name]}'`));
  return [results ?? []].flat().map(({ rows }) => rows);
}

/** The rows of the first block after this text. */
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

test("the audit finds nothing, and psql alone finds a table without row-level security", async () => {
  expect(await after("## Do all rules hold?")).toEqual([]);
  await db.sql("create table app.unprotected (organisation_id uuid)");
  expect(await after("## Do all rules hold?")).toContainEqual({
    finding: expect.stringMatching(/^[0-9a-f]{16}$/),
    severity: "critical",
    object: "table app.unprotected",
    what: "Row-level security is not enabled and forced.",
    expected: null,
    actual: null,
    why: "A role with a privilege on it reads the rows of every organisation.",
    remedy: "drop table if exists app.unprotected;",
  });
  await db.sql("drop table app.unprotected");
});

test("the page lists the rules and the exceptions", async () => {
  expect((await after("## Which rules are there?")).length).toBeGreaterThan(35);
  const exceptions = await after("Each has an exception with a reason.");
  expect(column(exceptions, "object")).toContain("policy search_words on app.memories");
  expect((await after("To list the current definitions")).length).toBeGreaterThan(70);
});

test("there are eleven roles, four without login, and none bypasses row-level security", async () => {
  const roles = await after("## Which roles exist");
  const names = [
    "auditor",
    "authenticator",
    "cli",
    "executor",
    "operator",
    "owner",
    "runner",
    "searcher",
    "server",
    "tenant",
    "worker",
  ];
  expect(column(roles, "name")).toEqual(names);
  expect(
    column(
      roles.filter(({ logs_in }) => !logs_in),
      "name",
    ),
  ).toEqual(["authenticator", "executor", "searcher", "tenant"]);
  expect(await db.sql("select from pg_roles where rolname = any ($1) and (rolsuper or rolbypassrls)", [names])).toEqual(
    [],
  );
  expect(await after("The intended privileges follow.")).toContainEqual(
    expect.objectContaining({ role: "auditor", schema: "audit", privileges: ["SELECT"] }),
  );
});

test("each policy has a description and its SQL", async () => {
  const policies = await after("## Which policies protect a table?");
  expect(policies).toContainEqual({
    table_name: "app.organisations",
    command: "select",
    comment: "The caller's organisation.",
    rows_it_shows: "(id = ( SELECT caller.organisation_id() AS organisation_id))",
    rows_it_takes: null,
  });
  expect(policies.filter(({ comment }) => !comment)).toEqual([]);
});

test("the weekly partitions of each table are listed", async () => {
  const weeks = await after("## Where do old rows lie?");
  for (const table of ["app.events", "app.deliveries", "app.delivery_attempts"]) {
    expect(weeks.filter(({ of_table }) => of_table === table).length).toBeGreaterThan(5);
  }
});

test("privileges are listed by column, and no other role has one on a table", async () => {
  expect(await after("## Which columns may an API call")).toContainEqual({
    object: "app.bots",
    privilege: "UPDATE",
    columns: expect.arrayContaining(["name", "visibility"]),
  });
  expect(column(await after("Of the other roles only"), "role")).toEqual(["authenticator", "searcher", "tenant"]);
});

test("every security definer function names the check that replaces row-level security", async () => {
  const functions = await after("## Which functions run with their owner's rights?");
  expect(functions.length).toBeGreaterThan(50);
  expect(functions.filter(({ instead }) => !instead)).toEqual([]);
});

test("the API's login executes only api.handle, functions that count requests, and what a process asks for itself", async () => {
  const functions = await after("The API's login may execute");
  expect(functions.map((row) => String(row.function).split("(")[0])).toEqual([
    ...["api.count_key_days", "api.count_refused_credentials", "api.count_request", "api.count_request_minutes"],
    ...[
      "api.count_requests",
      "api.deleted_organisations",
      "api.handle",
      "api.organisation_of",
      "api.readiness",
      "api.run_events_channel",
    ],
    "api.signing_keys",
  ]);
});

test("a person's access is listed as counts", async () => {
  const reached = await after("## What can this person reach?");
  expect(reached).toContainEqual(
    expect.objectContaining({ member_role: "owner", scope: "read", table_name: "app.organisations", rows: "1" }),
  );
});

test("the reader of a row, a credential's mint and a person's changes are listed", async () => {
  const readers = await after("## Who can read this row");
  expect(readers).toContainEqual({
    reader: "key",
    name: variables.prefix,
    member_role: "owner",
    scope: "read",
    columns: null,
    policies: ["select_own"],
  });
  expect(readers).toContainEqual(expect.objectContaining({ reader: "role", name: "authenticator" }));
  expect(await after("## Which credentials work now?")).toContainEqual(
    expect.objectContaining({ kind: "key", scope: "read", live: "1" }),
  );
  expect(await after("## Who minted this credential?")).toMatchObject([{ prefix: variables.prefix, state: "live" }]);
  expect(await after("## What did a person change last week?")).toEqual([]);
});

test("impersonating a caller shows one organisation of two, and without one none", async () => {
  expect(await db.sql("select from app.organisations")).toHaveLength(2);
  const [somebody = "", nobody = ""] = blocks.filter(({ role }) => role === "admin").map(({ text }) => text);
  expect((await run(somebody, "admin"))[3]).toHaveLength(1);
  expect((await run(nobody, "admin"))[2]).toEqual([{ organisations: "0" }]);
});
