/** botstead audit: output and exit codes. Has its own cluster: it lists all roles, and changes one. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nilId } from "../../src/transparency/fault.ts";
import { auditedDatabase } from "../support/audited.ts";
import { tamper, testCheckpoints } from "../support/checkpoints.ts";
import { startCluster, stopCluster } from "../support/cluster.ts";
import { makeKey, makeOrganisation, type Organisation, type TestDatabase } from "../support/database.ts";
import { command, killPrograms } from "../support/program.ts";

let db: TestDatabase;
let cwd: string;
let organisation: Organisation;

beforeAll(async () => {
  await startCluster();
  db = await auditedDatabase();
  cwd = mkdtempSync(join(tmpdir(), "botstead-cli-"));
  organisation = await makeOrganisation(db);
  await makeKey(db, organisation.id, organisation.ownerId, "read");
});

afterAll(async () => {
  await killPrograms();
  await db.drop();
  await stopCluster();
  rmSync(cwd, { recursive: true });
});

const audit = (...args: string[]) =>
  command(["audit", ...args], { cwd, env: { DATABASE_URL: db.adminUrl, MASTER_KEY: db.masterKey } });

test("audit prints a summary and the findings, and exits with 0 if there are none", async () => {
  const { code, stdout, stderr } = await audit();
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(
    new RegExp(
      [
        "^Audit of database test_\\w+, \\d{4}-\\d\\d-\\d\\dT\\S+",
        "",
        "Summary",
        "  Findings:   none",
        "  Examined:   11 roles, \\d{3} policies, \\d{2,3} functions with their owner's rights, \\d{4,} privileges",
        "  Exceptions: \\d{2,} of Botstead, each with its reason; 2 accepted by you",
        "  Not seen:   IntervalStyle, array_nulls, (?:.*\n {14}.*)+",
        "  Elsewhere:  \\d+ databases? and \\d+ roles? of this cluster, which do not reach this database",
        "  --full prints everything examined\\.",
        "",
        "Findings: none, all invariants hold",
        "",
        "Audit log: not checked, since no worker has signed a checkpoint",
        "  botstead audit verify reads the whole log\\.",
        "",
        "Accepted: 2",
        "(?:.*\n)*  setting synchronous_commit \\[[0-9a-f]{16}\\]",
        "      It is off, and not on",
        "      Accepted by Tests on \\d{4}-\\d\\d-\\d\\d: Test data may be lost\\.",
        "$",
      ].join("\n"),
    ),
  );
});

test("audit --full lists everything examined after the findings, with --person also what the person reads", async () => {
  const { code, stdout, stderr } = await audit("--full", "--person", organisation.ownerId);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout.split("\n").filter((line) => /^[A-Z]/.test(line))).toEqual([
    expect.stringMatching(/^Audit of database test_\w+, \d{4}-\d\d-\d\dT/),
    "Summary",
    "Findings: none, all invariants hold",
    "Audit log: not checked, since no worker has signed a checkpoint",
    "Accepted: 2",
    "What the person reads and writes through each credential",
    "Roles",
    "Policies, table by table",
    "Functions with their owner's rights, and the check that replaces row-level security",
    "Privileges, direct and inherited",
    "Exceptions: findings of a rule that were reviewed and accepted",
  ]);
  expect(stdout).toMatch(
    /organisation [0-9a-f-]+, owner, credential bsk_\w+ of scope read, live\n( {4}.*\n)* {4}app\.organisations +select 1 \(select_own\)\n/,
  );
  expect(stdout).toMatch(/\n {2}app\.bots\n( {4}.*\n)* {4}tenant {9}select {2}The team bots of the organisation/);
  expect(stdout).toMatch(/\n {2}api\.handle\(.*\n {6}as tenant, by server: runs as tenant/);
  expect(stdout).toMatch(
    /\n {2}server, as itself\n {4}connect on database: \w+\n {4}execute on function: api\.count_key_days, [^:]+,\s+api\.signing_keys\n/,
  );
  expect(stdout.split("\n").filter((line) => line.length > 140)).toEqual([]);
  expect(readdirSync(cwd)).toEqual([]);
});

test("audit names a fault with its reason and remedy and exits with 1 until it is repaired", async () => {
  await db.sql("grant select on app.people to worker");
  try {
    const { code, stdout, stderr } = await audit();
    expect([code, stderr]).toEqual([1, ""]);
    expect(stdout).toMatch(
      /\nFindings: 3\n {2}critical {2}table app\.people \[[0-9a-f]{16}\]\n {12}select to worker, which audit\.intended does not list\./,
    );
    expect(stdout).toContain("Remedy: botstead migrate");
    expect(stdout).toMatch(/\nSummary\n {2}Findings: {3}1 critical, 1 serious, 1 notice\n/);
    const json = await audit("--findings", "--json");
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toEqual({
      database: new URL(db.adminUrl).pathname.slice(1),
      at: expect.stringMatching(/Z$/),
      findings: [
        expect.objectContaining({ severity: "critical", rule: "unintended_privilege", object: "table app.people" }),
        expect.objectContaining({ severity: "serious", rule: "difference", object: "table app.people" }),
        expect.objectContaining({ severity: "notice", rule: "privilege_without_policy", object: "table app.people" }),
      ],
      log: { faults: [], signed_at: null },
    });
  } finally {
    await db.sql("revoke select on app.people from worker");
  }
  expect((await audit("--findings")).stdout).toMatch(/\nFindings: none, all invariants hold\n\nAudit log: /);
});

test("audit names an open fault of the audit log and exits with 1 until the log is repaired", async () => {
  const [entry] = await db.sql<{ id: string; action: string }>(
    "select id, action::text from app.audit_log where organisation_id = $1 and sequence = 1",
    [organisation.id],
  );
  const change = (action = "deleted") =>
    tamper(db, `update app.audit_log set action = '${action}' where id = '${entry?.id}'`);
  const job = testCheckpoints(db);
  await job.run();
  expect(await audit("--findings")).toMatchObject({
    ...{ code: 0, stdout: expect.stringMatching(/\nAudit log: no open fault\n {2}The newest checkpoint is of \S+Z\./) },
  });
  await change();
  await job.run();
  const sentence = `organisation ${organisation.id}: entry 1 is altered`;
  const [{ week } = { week: "" }] = await db.sql<{ week: string }>(
    "select sequence::text as week from audit.log_faults where fault = 'rewritten'",
  );
  const rewritten = `rows of entries of the week of ${week} were updated or deleted`;
  expect(await audit("--findings")).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(
      `\nAudit log: 2 open faults, no checkpoint is signed\n  ${rewritten}, 1 times\n  ${sentence}\n  Remedy: docs/run`,
    ),
  });
  expect(JSON.parse((await audit("--json")).stdout)).toMatchObject({
    findings: [{ rule: "row_not_recorded", object: `row app.organisations ${organisation.id}` }], // the entry of its creation
    log: { faults: [`${rewritten}, 1 times`, sentence] },
  });
  await change(entry?.action);
  await job.run();
  expect(await audit("--findings")).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`  ${rewritten}, 2 times\n`),
  });
  const ofWeek = ["--organisation", nilId, "--fault", "rewritten", "--sequence", week];
  expect(await audit("accept-fault", ...ofWeek, "--by", "Ada", "--reason", "Tests")).toMatchObject({ code: 0 });
  await job.run();
  expect(await audit()).toMatchObject({ code: 0, stdout: expect.stringContaining("\nAudit log: no open fault\n") });
});

test("audit accept hides a finding until the acceptance is revoked or the object changes again", async () => {
  await db.sql(
    "create table public.notes (text text); alter table public.notes enable row level security, force row level security",
  );
  try {
    const idIn = (text: string) => /table public\.notes \[([0-9a-f]{16})\]/.exec(text)?.[1] ?? "";
    const id = async () => idIn((await audit("--findings")).stdout);
    const found = await id();
    const ada = ["--by", "Ada", "--reason", "Notes of the support team"];
    expect(await audit("accept", "0123456789abcdef", ...ada)).toMatchObject({
      code: 1,
      stderr: "The audit has no finding with that id, or it is accepted already: see botstead audit list.\n",
    });
    const accepted = await audit("accept", found, ...ada, "--json");
    expect([accepted.code, JSON.parse(accepted.stdout)]).toEqual([0, { finding: found, state: "accepted" }]);
    expect(await audit()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\nAccepted: 3\n(.*\n)*.*Accepted by Ada on \S+: Notes of the support team\n/),
    });
    expect((await audit("list")).stdout).toContain(`${found}\ttable public.notes\tAda, `);
    expect(JSON.parse((await audit("list", "--json")).stdout)).toContainEqual(
      expect.objectContaining({ finding: found, object: "table public.notes", accepted_by: "Ada" }),
    );
    await db.sql("grant select on public.notes to worker");
    const { stdout } = await audit("--findings");
    expect(idIn(stdout)).not.toBe(found);
    expect(stdout).toContain("It is an exception that no longer applies");
    await db.sql("revoke select on public.notes from worker");
    expect(await audit("revoke", found, "--by", "Tess", "--reason", "Gone")).toMatchObject({
      ...{ code: 0, stdout: `The finding ${found} is no longer accepted.\n` },
    });
    expect(await audit("revoke", found, "--by", "Tess", "--reason", "Gone")).toMatchObject({ code: 1 });
    expect(await id()).toBe(found);
    expect(
      await db.sql(
        "select action, arguments ->> 'object' as object, reason from app.operator_commands order by id desc limit 2",
      ),
    ).toEqual([
      { action: "revoke_finding", object: "table public.notes", reason: "Gone" },
      { action: "accept_finding", object: "table public.notes", reason: "Notes of the support team" },
    ]);
  } finally {
    await db.sql("drop table public.notes");
  }
});

test("audit --json prints the full report, and --person accepts an e-mail address", async () => {
  const { code, stdout } = await audit("--json", "--person", organisation.email);
  expect(code).toBe(0);
  const report = JSON.parse(stdout);
  expect(report.findings).toEqual([]);
  expect(report.roles.map(({ name }: { name: string }) => name)).toContain("auditor");
  expect(report.policies).toContainEqual(
    expect.objectContaining({ table_name: "app.bots", role: "tenant", comment: expect.stringContaining("bots") }),
  );
  expect(report.definer_functions.length).toBeGreaterThan(50);
  expect(report.grants).toContainEqual(
    expect.objectContaining({ role: "server", kind: "schema", object: "api", privilege: "USAGE", through: "itself" }),
  );
  expect(report.exposure).toContainEqual(
    expect.objectContaining({ organisation_id: organisation.id, table_name: "app.organisations", rows: "1" }),
  );
});

test("audit --person exits with 3 for an address that no person has", async () => {
  expect(await audit("--person", "nobody@example.test")).toMatchObject({
    code: 3,
    stdout: "",
    stderr: "No person has that e-mail address.\n",
  });
});

test.each([
  [{ DATABASE_URL: "postgres://nobody@localhost:1/x", MASTER_KEY: "" }, /^The database can't be reached: /],
  [{ DATABASE_URL: "", MASTER_KEY: "" }, /^No database runs on /],
])("audit exits with 3 if it cannot run", async (env, words) => {
  const { code, stdout, stderr } = await command(["audit"], {
    cwd,
    env: { ...env, MASTER_KEY: env.DATABASE_URL ? db.masterKey : "" },
  });
  expect([code, stdout]).toEqual([3, ""]);
  expect(stderr).toMatch(words);
});

test.each([
  [
    "its own function was changed",
    "alter function audit.examine set row_security = off",
    "alter function audit.examine set row_security = on",
    "query would be affected by row-level security policy for table",
  ],
  [
    "a catalogue is closed to it",
    "revoke select on pg_policy from public",
    "grant select on pg_policy to public",
    "permission denied for table pg_policy",
  ],
  [
    "its login loads a missing library",
    "alter role auditor set session_preload_libraries = 'missing'",
    "alter role auditor reset session_preload_libraries",
    'could not access file "missing"',
  ],
])("audit exits with 3 and names migrate --check if %s", async (_story, plant, cure, message) => {
  await db.sql(plant);
  try {
    const { code, stdout, stderr } = await audit();
    expect([code, stdout]).toEqual([3, ""]);
    expect(stderr).toMatch(/^The audit failed: .*\. Something .*: botstead migrate --check\n$/);
    expect(stderr).toContain(message);
    const { code: differs, stderr: differences } = await command(["migrate", "--check"], {
      env: { DATABASE_URL: db.adminUrl, MASTER_KEY: db.masterKey },
    });
    expect(differs).toBe(1);
    expect(differences).toMatch(/audit\.examine|policy .*: removed|role auditor/);
  } finally {
    await db.sql(cure);
  }
});
