/**
 * The SQL of docs/auditing.md, run as printed and with the role that the page names.
 */
import { readFileSync } from "node:fs";
import { Client } from "pg";
import { urlAs } from "../../src/database/urls.ts";
import { auditedDatabase } from "../support/audited.ts";
import { makeKey, makeOrganisation, type TestDatabase } from "../support/database.ts";

const page = readFileSync(new URL("../../docs/auditing.md", import.meta.url), "utf8");
const blocks = [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map(({ 1: text = "" }, index) => ({
  index,
  text,
  role: text.startsWith("-- As administrator.") ? "admin" : "auditor",
}));
const statements = blocks.filter(({ role }) => role === "auditor").flatMap(({ text }) => text.trim().split(/;\n?/));

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

/** The rows of the first statement that selects from this. */
async function from(source: string, where = ""): Promise<Record<string, unknown>[]> {
  const text = statements.find((each) => each.includes(`from audit.${source}`) && each.includes(where));
  if (!text) throw new Error(`The page selects nothing from ${source}.`);
  const [rows = []] = await run(text, "auditor");
  return rows;
}

const column = (rows: Record<string, unknown>[], name: string) => rows.map((row) => row[name]);

test.each(blocks)("block $index runs as printed, as $role", async ({ text, role }) => {
  await expect(run(text, role)).resolves.toBeDefined();
});

test("the audit finds nothing, and psql alone finds a table without row-level security", async () => {
  expect(await from("findings")).toEqual([]);
  await db.sql("create table app.unprotected (organisation_id uuid)");
  expect(await from("findings")).toContainEqual({
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
  expect((await from("rules")).length).toBeGreaterThan(35);
  const exceptions = await from("exceptions");
  expect(column(exceptions, "object")).toContain("policy search_words on app.memories");
  expect((await from("inventory()")).length).toBeGreaterThan(70);
});

test("there are eleven roles, four without login, and none bypasses row-level security", async () => {
  const roles = await from("roles");
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
  expect(await from("intended")).toContainEqual(
    expect.objectContaining({ role: "auditor", schema: "audit", privileges: ["SELECT"] }),
  );
});

test("each policy has a description and its SQL", async () => {
  const policies = await from("policies");
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
  const text = statements.find((each) => each.includes("from pg_inherits")) ?? "";
  const [weeks = []] = await run(text, "auditor");
  for (const table of ["app.events", "app.deliveries", "app.delivery_attempts"]) {
    expect(weeks.filter(({ of_table }) => of_table === table).length).toBeGreaterThan(5);
  }
});

test("privileges are listed by column, and no other role has one on a table", async () => {
  expect(await from("grants")).toContainEqual({
    object: "app.bots",
    privilege: "UPDATE",
    columns: expect.arrayContaining(["name", "visibility"]),
    through: "itself",
  });
  expect(column(await from("grants", "select distinct role"), "role")).toEqual(["authenticator", "searcher", "tenant"]);
});

test("every security definer function names the check that replaces row-level security", async () => {
  const functions = await from("definer_functions");
  expect(functions.length).toBeGreaterThan(50);
  expect(functions.filter(({ instead }) => !instead)).toEqual([]);
});

test("the API's login executes only api.handle, functions that count requests, and what a process asks for itself", async () => {
  const functions = await from("grants", "'server'");
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
  const reached = await from("exposure(");
  expect(reached).toContainEqual(
    expect.objectContaining({ member_role: "owner", scope: "read", table_name: "app.organisations", rows: "1" }),
  );
});

test("the reader of a row, a credential's mint and a person's changes are listed", async () => {
  const readers = await from("who_reads(");
  expect(readers).toContainEqual({
    reader: "key",
    name: variables.prefix,
    member_role: "owner",
    scope: "read",
    columns: null,
    policies: ["select_own"],
  });
  expect(readers).toContainEqual(expect.objectContaining({ reader: "role", name: "authenticator" }));
  expect(await from("credentials()")).toContainEqual(
    expect.objectContaining({ kind: "key", scope: "read", live: "1" }),
  );
  expect(await from("credentials()", "prefix =")).toMatchObject([{ prefix: variables.prefix, state: "live" }]);
  expect(await from("activity(")).toEqual([]);
});

test("impersonating a caller shows one organisation of two, and without one none", async () => {
  expect(await db.sql("select from app.organisations")).toHaveLength(2);
  const [block] = blocks.filter(({ role }) => role === "admin");
  expect((await run(block?.text ?? "", "admin"))[3]).toHaveLength(1);
  const [, , rows] = await run("begin; set local role tenant; select from app.organisations; rollback", "admin");
  expect(rows).toEqual([]);
});
