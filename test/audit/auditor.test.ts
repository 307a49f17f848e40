/** The login auditor: its privileges, and which roles may use schema audit. */
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

test("auditor may use schema audit only", async () => {
  const auditor = db.poolAs("auditor", 1);
  const { rows } = await auditor.query(
    `select nspname from pg_namespace
     where nspname !~ '^(pg_|information_schema$)' and has_schema_privilege(oid, 'usage, create')`,
  );
  expect(rows).toEqual([{ nspname: "audit" }]);
  for (const statement of [
    "select from app.runs",
    "select from partitions.events",
    "select from rows.runs",
    "select from operator.organisations",
    "select from api.operations",
    "select from graphile_worker.jobs",
    "select api.handle(null, null, null, null, null, null, null, null)",
    "select caller.authenticate(sha256(''), 'get_me')",
    "select jobs.run_maintenance()",
    "select from pg_catalog.pg_authid",
    "set role tenant",
    "set role owner",
    "create temporary table own ()",
    "create schema own",
    "create table audit.own ()",
  ]) {
    // The role is read-only by a setting that a session can change, so privileges must stop it.
    await auditor.query("set default_transaction_read_only = off");
    const refused = await auditor.query(statement).then(
      () => "done",
      (error: { code: string }) => error.code,
    );
    expect([statement, refused]).toEqual([statement, "42501"]);
  }
});

test.each(["server", "worker", "runner", "operator", "cli"] as const)("%s may not use schema audit", async (role) => {
  const pool = db.poolAs(role, 1);
  await expect(pool.query("select from audit.findings")).rejects.toMatchObject({ code: "42501" });
});

test("tenant, searcher and authenticator may not use schema audit", async () => {
  expect(
    await db.sql(
      `select rolname from pg_roles
       where rolname in ('tenant', 'searcher', 'authenticator') and has_schema_privilege(oid, 'audit', 'usage, create')`,
    ),
  ).toEqual([]);
});

test("database-url prints the URL of the auditor, and with --role the URL of another login", async () => {
  const env = { DATABASE_URL: db.adminUrl, MASTER_KEY: db.masterKey };
  const { code, stdout, stderr } = await command(["database-url"], { env });
  expect([code, stderr]).toEqual([0, ""]);
  expect(new URL(stdout.trim()).username).toBe("auditor");
  expect(new URL(stdout.trim()).password).toBe(db.key.password("auditor"));
  const of = async (role: string) => (await command(["database-url", "--role", role], { env })).stdout.trim();
  expect(new URL(await of("operator")).username).toBe("operator");
  expect(await of("administrator")).toBe(db.adminUrl);
});
