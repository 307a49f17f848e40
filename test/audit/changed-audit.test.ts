/** A superuser who changes the audit itself: the commands compare its definitions with their own files. */
import { changedAuditDefinitions } from "../../src/database/audit-definitions.ts";
import { asOwner } from "../../src/database/sessions.ts";
import { urlAs } from "../../src/database/urls.ts";
import { auditedDatabase } from "../support/audited.ts";
import type { TestDatabase } from "../support/database.ts";
import { command, killPrograms } from "../support/program.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await auditedDatabase();
});

afterAll(async () => {
  await killPrograms();
  await db.drop();
});

const run = (...args: string[]) => command(args, { env: { DATABASE_URL: db.adminUrl, MASTER_KEY: db.masterKey } });

type Finding = { severity: string; rule: string; object: string; remedy: string };

const audit = async () => {
  const { code, stdout, stderr } = await run("audit", "--json", "--findings");
  expect(stderr).toBe("");
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  return { code, changed: findings.filter(({ rule }) => rule === "audit_changed"), findings };
};

/** The record of a new database is changed as well, so the comparison in SQL finds nothing. */
const forgeRecord = `
  delete from app.built_catalogues;
  insert into app.built_catalogues (catalogue, objects) select catalogue, objects from audit.catalogues_to_record`;

/** With a part of the view's text that is replaced. */
const replaceView = (view: string, part: string, by: string) => `
  do $$ begin
    execute 'create or replace view ' || '${view}' || ' as ' || replace(pg_get_viewdef('${view}'::regclass), $x$${part}$x$, $x$${by}$x$);
  end $$`;

const faults = {
  "a view that finds nothing": [
    ["create or replace view audit.findings as select * from audit.examine() where false"],
    "view audit.findings",
  ],
  "a view that the audit reads": [
    [replaceView("audit.accepted", "revoked_at IS NULL", "false")],
    "view audit.accepted",
  ],
  "a rule that is gone": [
    [replaceView("audit.rules", "'unintended_privilege'::text", "'none'::text")],
    "view audit.rules",
  ],
  "exceptions that are a table": [
    [
      "create table public.copied as table audit.exceptions",
      "alter view audit.exceptions rename to former",
      "alter table public.copied set schema audit",
      "alter table audit.copied rename to exceptions",
    ],
    "view audit.exceptions",
  ],
  "a function that the audit calls": [
    [
      "create or replace function audit.is_ours(name text) returns boolean language sql stable set search_path = '' as 'select false'",
    ],
    "function audit.is_ours(name text)",
  ],
  "the function behind the view": [
    ["alter function audit.examine() set search_path = app"],
    "function audit.examine()",
  ],
} satisfies Record<string, [string[], string]>;

const changedObjects = async () =>
  (await asOwner(urlAs("owner", db.adminUrl, db.key), changedAuditDefinitions)).map(({ object }) => object);

test("audit, doctor and migrate --check name changed parts of the audit, and migrate --repair puts them back", async () => {
  expect(await audit()).toMatchObject({ code: 0, findings: [] });
  for (const [plant, object] of Object.values(faults)) {
    for (const statement of plant) await db.sql(statement);
    expect(await changedObjects()).toContain(object);
  }
  await db.sql(forgeRecord);
  const objects = Object.values(faults).map(([, object]) => object);
  const { code, changed } = await audit();
  expect([code, changed.map(({ object }) => object)]).toEqual([1, expect.arrayContaining(objects)]);
  expect(changed[0]).toMatchObject({ severity: "critical", remedy: "botstead migrate --repair" });
  const check = await run("migrate", "--check");
  expect(check.code).toBe(1);
  for (const object of objects) expect(check.stderr).toContain(`\n  ${object}: changed\n`);
  expect(await run("doctor")).toMatchObject({ code: 1, stdout: expect.stringMatching(/invariants\s+failed/) });
  expect(await run("migrate", "--repair")).toMatchObject({ code: 0 });
  expect(await audit()).toMatchObject({ code: 0, findings: [] });
});

test("definitions of another version are named, since they cannot be compared", async () => {
  await db.sql("update app.definition_builds set digest = 'other'");
  expect(await changedObjects()).toEqual(["schema audit"]);
});
