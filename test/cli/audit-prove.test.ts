/** botstead audit prove: output, exit codes, examples that PostgreSQL confirms, and the comparison with a saved file. */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { inProject } from "../support/doc-blocks.ts";
import { command, killPrograms } from "../support/program.ts";

let db: TestDatabase;
let cwd: string;

beforeAll(async () => {
  db = await testDatabase();
  cwd = mkdtempSync(join(tmpdir(), "botstead-cli-"));
});

afterAll(async () => {
  await killPrograms();
  await db.drop();
  rmSync(cwd, { recursive: true });
});

const prove = (...args: string[]) =>
  command(["audit", "prove", ...args], { cwd, env: { DATABASE_URL: db.adminUrl, MASTER_KEY: db.masterKey } });

const readable = "organisation_id = (select caller.organisation_id()) and";
const fault = "alter policy select_own on app.conversations using (person_id = (select caller.private_person_id()))";
const repair = `alter policy select_own on app.conversations using (${readable} person_id = (select caller.private_person_id()))`;

test("audit prove --diff finds nothing in an unchanged database, and exits with 0", async () => {
  const { code, stdout, stderr } = await prove("--save", "before.json", "--diff", "before.json");
  expect([code, stderr, stdout.split("\n").slice(1)]).toEqual([
    ...[0, "", ["", "Visible or writable now, and not before: nothing", ""]],
  ]);
});

describe("after a policy was weakened", () => {
  beforeAll(() => db.sql(fault));
  afterAll(() => db.sql(repair));

  test("audit prove --check prints a summary and an example that PostgreSQL confirms, and exits with 1", async () => {
    const { code, stdout } = await prove("--check");
    expect(code).toBe(1);
    expect(stdout).toMatch(
      new RegExp(
        [
          "^Proof of database test_\\w+, \\d{4}-\\d\\d-\\d\\dT\\S+",
          "",
          "Summary",
          "  Statements: \\d{4} about \\d{2,3} tables and \\d+ roles",
          "  Proven:     \\d{3} by policies, \\d{3,4} since no policy admits a row",
          "  Excepted:   \\d+ without a statement, \\d+ proven in a weaker form; each has a reason",
          "  Open:       1 refuted, 0 not proven, 0 ways around policies",
          "  Functions:  \\d{3} that run as another role than the caller. Of \\d{3} reads and writes \\d{3} are proven,",
          " {14}\\d+ places are not, 0 of them new",
          "  Not bound:  postgres: no policy applies to superusers",
          "  --full prints each exception and place\\.",
          "",
          "Refuted: tenant, select on app.conversations: no row of another organisation",
          "  Policies:   select_own",
          "  PostgreSQL: real",
          "",
        ].join("\n"),
      ),
    );
    const script = /^ {2}begin;\n(?: {2}.*\n)+? {2}rollback;$/m.exec(stdout)?.[0] ?? "";
    const admin = new Client({ connectionString: db.adminUrl });
    await admin.connect();
    const answers = (await admin.query(script)) as unknown as { rows: object[] }[];
    await admin.end();
    expect(answers.flatMap(({ rows }) => rows)).toContainEqual({ admitted: true });
  });

  test("audit prove --diff says who reads what was not visible, and exits with 1", async () => {
    const { code, stdout } = await prove("--diff", "before.json");
    expect(code).toBe(1);
    expect(stdout.match(/^ {2}tenant, .*$/gm)).toEqual([
      "  tenant, select on app.conversations",
      // Their policies ask for a visible conversation.
      "  tenant, select on app.messages",
      "  tenant, insert on app.messages",
      "  tenant, select on app.run_events",
      "  tenant, insert on app.runs",
    ]);
    expect(stdout).toContain("policy select_own: using");
    expect(stdout).toMatch(/Such as: organisation_id = '/);
  });
});

test("audit prove --diff refuses a file that it did not write, and exits with 3", async () => {
  const { code, stderr } = await prove("--diff", inProject("package.json"));
  expect(code).toBe(3);
  expect(stderr).toContain("was not written by botstead audit prove --save");
});

test("without its packages the command says what to install", async () => {
  const folder = join(cwd, "app/src/prove");
  mkdirSync(folder, { recursive: true });
  cpSync(inProject("src/prove/packages.ts"), join(folder, "packages.ts"));
  const { requirePackages } = (await import(join(folder, "packages.ts"))) as { requirePackages: () => void };
  expect(requirePackages).toThrow(`Install it: npm ci --ignore-scripts --prefix ${join(cwd, "app/tools/prove")}/`);
});
