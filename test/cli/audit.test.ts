/** botstead audit: what it prints, and the exit codes that a script goes by. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auditedDatabase } from "../support/audited.ts";
import { makeKey, makeOrganisation, type Organisation, type TestDatabase } from "../support/database.ts";
import { command, killPrograms } from "../support/program.ts";

let db: TestDatabase;
let cwd: string;
let organisation: Organisation;

beforeAll(async () => {
  db = await auditedDatabase();
  cwd = mkdtempSync(join(tmpdir(), "botstead-cli-"));
  organisation = await makeOrganisation(db);
  await makeKey(db, organisation.id, organisation.ownerId, "read");
});

afterAll(async () => {
  await killPrograms();
  await db.drop();
  rmSync(cwd, { recursive: true });
});

const audit = (...args: string[]) =>
  command(["audit", ...args], { cwd, env: { DATABASE_URL: db.adminUrl, MASTER_KEY: db.masterKey } });

test("where all walls stand it says so last, after all that it examined: 0", async () => {
  const { code, stdout, stderr } = await audit();
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout.split("\n").filter((line) => /^[A-Z]/.test(line))).toEqual([
    expect.stringMatching(/^Audit of database test_\w+, \d{4}-\d\d-\d\dT/),
    "Roles",
    "Policies, table by table",
    "Functions with their owner's rights, and what stands in place of row-level security",
    "Privileges, whichever way they were come by",
    "Exceptions: found by a rule, looked at and left",
    "Findings: none, all walls stand",
  ]);
  expect(stdout).toMatch(/\n {2}app\.bots\n( {4}.*\n)* {4}tenant {9}select {2}The organisation's bots of the team/);
  expect(stdout).toMatch(/\n {2}api\.handle\(.*\n {6}as tenant, by server: nothing, since it belongs to tenant/);
  expect(stdout).toMatch(
    /\n {2}server, as itself\n {4}connect on database: \w+\n {4}execute on function: api\.count_request, api\.handle\n {4}execute on procedure: api\.handle_counted\n/,
  );
  expect(stdout.split("\n").filter((line) => line.length > 140)).toEqual([]);
  expect(readdirSync(cwd)).toEqual([]);
});

test("a fault is named with why it matters and what puts it right: 1, until it was put right", async () => {
  await db.sql("grant select on app.people to worker");
  try {
    const { code, stdout, stderr } = await audit("--findings");
    expect([code, stderr]).toEqual([1, ""]);
    expect(stdout).toMatch(
      /\nFindings: 3\n {2}critical {2}table app\.people\n {12}select to worker, who does not live on it/,
    );
    expect(stdout).toContain("Remedy: botstead migrate");
    const json = await audit("--findings", "--json");
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toEqual({
      database: new URL(db.adminUrl).pathname.slice(1),
      at: expect.stringMatching(/Z$/),
      findings: [
        expect.objectContaining({ severity: "critical", rule: "unintended_privilege", object: "table app.people" }),
        expect.objectContaining({ severity: "serious", rule: "definition_changed", object: "relation app.people" }),
        expect.objectContaining({ severity: "notice", rule: "privilege_without_policy", object: "table app.people" }),
      ],
    });
  } finally {
    await db.sql("revoke select on app.people from worker");
  }
  expect((await audit("--findings")).stdout).toMatch(/\nFindings: none, all walls stand\n$/);
});

test("for programs all of it is there", async () => {
  const { code, stdout } = await audit("--json", "--person", organisation.email);
  expect(code).toBe(0);
  const told = JSON.parse(stdout);
  expect(told.findings).toEqual([]);
  expect(told.roles.map(({ name }: { name: string }) => name)).toContain("auditor");
  expect(told.policies).toContainEqual(
    expect.objectContaining({ table_name: "app.bots", role: "tenant", words: expect.stringContaining("bots") }),
  );
  expect(told.definer_functions.length).toBeGreaterThan(50);
  expect(told.grants).toContainEqual(
    expect.objectContaining({ role: "server", kind: "schema", object: "api", privilege: "USAGE", through: "itself" }),
  );
  expect(told.exposure).toContainEqual(
    expect.objectContaining({ organisation_id: organisation.id, table_name: "app.organisations", rows: "1" }),
  );
});

test("what a person reads and writes is told by their id or their address", async () => {
  const byId = await audit("--findings", "--person", organisation.ownerId);
  const byAddress = await audit("--findings", "--person", organisation.email);
  const told = (text: string) => text.split("\n").slice(1);
  expect(told(byId.stdout)).toEqual(told(byAddress.stdout));
  expect(byId.stdout).toMatch(
    /organisation [0-9a-f-]+, owner, key bsk_\w+ of scope read, live\n( {4}.*\n)* {4}app\.organisations +select 1 \(select_own\)\n/,
  );
  expect(await audit("--person", "nobody@example.test")).toMatchObject({
    code: 3,
    stdout: "",
    stderr: "Nobody has that e-mail address.\n",
  });
});

test.each([
  [{ DATABASE_URL: "postgres://nobody@localhost:1/x", MASTER_KEY: "" }, /^The database can't be reached: /],
  [{ DATABASE_URL: "", MASTER_KEY: "" }, /^No database runs on /],
])("what could not be told is not taken for a finding: 3", async (env, words) => {
  const { code, stdout, stderr } = await command(["audit"], {
    cwd,
    env: { ...env, MASTER_KEY: env.DATABASE_URL ? db.masterKey : "" },
  });
  expect([code, stdout]).toEqual([3, ""]);
  expect(stderr).toMatch(words);
});
