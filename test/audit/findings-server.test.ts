/** Settings of the server, and what cannot be planted in a transaction: in a cluster of its own. */
import { urlAs } from "../../src/database/urls.ts";
import { auditedDatabase } from "../support/audited.ts";
import { clusterVariable, startCluster, stopCluster } from "../support/cluster.ts";
import type { TestDatabase } from "../support/database.ts";
import { command, killPrograms } from "../support/program.ts";
import { query } from "../support/query.ts";
import { eventually } from "../support/worker.ts";

type Violation = { rule: string; kind: string; name: string; detail: string; remedy: string };

const shared = process.env[clusterVariable];
let db: TestDatabase;

beforeAll(async () => {
  await startCluster({ wal_level: "logical", max_prepared_transactions: "2" });
  db = await auditedDatabase();
});

afterAll(async () => {
  await killPrograms();
  await db.drop();
  await stopCluster();
  process.env[clusterVariable] = shared;
});

/** Each in a session of its own, which starts with the settings of that moment. */
const asAuditor = <Row extends object>(text: string) => query<Row>(urlAs("auditor", db.adminUrl, db.key), text);
const settings = (url = urlAs("auditor", db.adminUrl, db.key)) =>
  query<Violation>(url, "select * from audit.violations_of_settings where rule = 'server_setting'");

/** New sessions have the setting when this resolves: the server loads its files some time after the call. */
async function reload(statement: string): Promise<void> {
  const loaded = async () =>
    (await query<{ at: string }>(db.adminUrl, "select pg_conf_load_time()::text as at"))[0]?.at ?? "";
  const before = await loaded();
  await query(db.adminUrl, statement);
  await query(db.adminUrl, "select pg_reload_conf()");
  await eventually(async () => (await loaded()) !== before);
}

test.each([
  ["session_replication_role", "replica"],
  ["archive_command", "cp %p /tmp/%f"],
  ["ssl_passphrase_command", "cp %p /tmp"],
  ["allow_system_table_mods", "on"],
  ["log_min_duration_statement", "0"],
  ["track_counts", "off"],
  ["caller.role", "owner"],
  ["plpgsql.variable_conflict", "use_column"],
])("alter system set %s is a finding until its remedy", async (name, value) => {
  await reload(`alter system set ${name} = '${value}'`);
  const found = async () => (await settings()).find((violation) => violation.name === name);
  try {
    await eventually(async () => (await found()) !== undefined);
    const shown = (await found())?.detail.replace(/with digest \w{16},/, "with its digest,");
    const expected = name === "ssl_passphrase_command" ? "a value with its digest" : value;
    const usual = name.startsWith("plpgsql") ? "error" : await defaultOf(name); // pg_settings has it after the first use
    expect(shown).toBe(`It is ${expected}, and not ${usual || "empty"}`);
    await reload((await found())?.remedy ?? "");
    await eventually(async () => (await found()) === undefined);
  } finally {
    await reload(`alter system reset ${name}`);
  }
});

const defaultOf = async (name: string) =>
  (await db.sql<{ boot_val: string }>("select boot_val from pg_settings where name = $1", [name]))[0]?.boot_val;

test("changed settings of memory, plans and addresses are no findings", async () => {
  await reload("alter system set work_mem = '64MB'");
  await reload("alter system set random_page_cost = 1.1");
  expect(await asAuditor("show work_mem")).toEqual([{ work_mem: "64MB" }]);
  expect((await settings()).map(({ name }) => name).sort()).toEqual(["fsync", "synchronous_commit"]);
});

test("columns of recorded tables whose values no entry contains are texts and names, and are named as unseen", async () => {
  const rows = await asAuditor<{ what: string }>(
    "select what from audit.unseen where what ~ '^values of app' order by what",
  );
  expect(rows.map(({ what }) => what.replace(" that no entry of the audit log contains", ""))).toEqual([
    "values of app.api_keys: name",
    "values of app.approvals: comment, proposal, question, reason",
    "values of app.bots: instructions, model, name",
    "values of app.hooks: name",
    "values of app.organisations: name",
    "values of app.routines: message, name",
    "values of app.webhook_endpoints: description",
  ]);
});

test("settings that only superusers read are found through pg_monitor of owner, and are named as unseen without it", async () => {
  await reload("alter system set dynamic_library_path = '/tmp'");
  const isFound = async () => (await settings()).some(({ name }) => name === "dynamic_library_path");
  const unseen = () => asAuditor("select from audit.unseen where what like 'settings that only members%'");
  await eventually(isFound);
  expect(await unseen()).toEqual([]);
  await db.sql("revoke pg_monitor from owner");
  expect(await isFound()).toBe(false);
  expect(await unseen()).toHaveLength(1);
  await db.sql("grant pg_monitor to owner with inherit true, set false");
  await reload("alter system reset dynamic_library_path");
});

test("a setting in a file is a finding before the server loads it, unless it is usual, intended or overruled", async () => {
  const found = async () => (await settings()).filter(({ detail }) => detail.startsWith("The configuration"));
  await db.sql("alter system set log_min_duration_statement = 0");
  await db.sql("alter system set zero_damaged_pages = 'true'");
  await db.sql("alter system set wal_sync_method = 'fdatasync'");
  await db.sql("alter system set work_mem = '64MB'");
  await db.sql("alter system set fsync = on"); // the command line has another value
  expect((await found()).map(({ name, detail }) => [name, detail]).sort()).toEqual([
    ["log_min_duration_statement", "The configuration has 0, and not -1"],
    ["zero_damaged_pages", "The configuration has on, and not off"],
  ]);
  await db.sql("revoke execute on function pg_show_all_file_settings() from owner");
  const unseen = await asAuditor<{ what: string; how: string }>(
    "select * from audit.unseen where what ~ 'last loaded'",
  );
  expect([await found(), unseen]).toEqual([
    [],
    [{ what: expect.any(String), how: expect.stringMatching(/^grant execute .*, as a superuser$/) }],
  ]);
  await db.sql(unseen[0]?.how.replace(", as a superuser", "") ?? "");
  for (const { remedy } of await found()) await db.sql(remedy);
  expect(await found()).toEqual([]);
  await db.sql("alter system reset all");
});

test("another pg_hba.conf from the next start is a finding", async () => {
  const found = async () => (await settings()).filter(({ name }) => name === "hba_file");
  expect(await found()).toEqual([]);
  const [present] = await db.sql<{ file: string }>("select current_setting('hba_file') as file");
  await reload("alter system set hba_file = '/tmp/pg_hba.conf'");
  await eventually(async () => (await found()).length > 0);
  expect(await found()).toMatchObject([{ detail: expect.stringMatching(/pg_hba.conf, and the next restart can/) }]);
  await reload(`alter system set hba_file = '${present?.file}'`); // clears the mark, as a restart does
  await eventually(async () => (await found()).length === 0);
  await reload("alter system reset hba_file");
});

test("all addresses of the machine, logged statements, and writes that a crash loses are not intended", async () => {
  const intends = async (name: string, value: string) =>
    (
      await asAuditor<{ is_intended: boolean }>(
        `select audit.is_intended(category, name, '${value}') from audit.server_settings() where name = '${name}'`,
      )
    )[0]?.is_intended;
  for (const name of ["fsync", "full_page_writes", "synchronous_commit"])
    expect(await intends(name, "off")).toBe(false);
  for (const value of ["ddl", "all"]) expect(await intends("log_statement", value)).toBe(false);
  for (const value of ["*", "0.0.0.0", "::", "localhost, ::", "127.0.0.1,*"])
    expect(await intends("listen_addresses", value)).toBe(false);
  for (const value of ["", "localhost", "10.0.0.1, 127.0.0.1", "::1,db"])
    expect(await intends("listen_addresses", value)).toBe(true);
});

test("another database of the cluster that is open to PUBLIC is a finding with a line for pg_hba.conf", async () => {
  const found = () => asAuditor<Violation>("select name, detail, remedy from audit.violations_of_database");
  await db.sql(`create database "Shop"`);
  expect(await found()).toEqual([
    {
      name: '"Shop"',
      detail: "connect to PUBLIC",
      remedy: expect.stringContaining(
        ' host "Shop" server,worker,+executor,+operator,auditor,owner all reject; then accept this finding (docs/database.md)',
      ),
    },
  ]);
  await db.sql(`revoke connect on database "Shop" from public`);
  expect(await found()).toEqual([]);
  await db.sql(`drop database "Shop"`);
});

test("pg_stat_statements in a schema of its own is no critical finding, unless a role of Botstead may enter the schema", async () => {
  const severities = async () =>
    (
      await asAuditor<{ severity: string }>(
        "select severity from audit.violations_of_differences where name in ('monitoring', 'pg_stat_statements') order by name",
      )
    ).map(({ severity }) => severity);
  await db.sql("create schema monitoring");
  await db.sql("create extension pg_stat_statements schema monitoring");
  expect(await severities()).toEqual(["notice", "notice"]);
  await db.sql("grant usage on schema monitoring to server");
  expect(await severities()).toEqual(["critical", "critical"]);
  await db.sql("drop extension pg_stat_statements; drop schema monitoring");
  expect(await severities()).toEqual([]);
});

test("a library that the server loads from its next start is a finding", async () => {
  await reload("alter system set jit_provider = 'spy'");
  const details = async () =>
    (await settings()).filter(({ name }) => name === "jit_provider").map(({ detail }) => detail);
  await eventually(async () => (await details()).length > 0);
  expect(await details()).toEqual(["It is llvmjit, and the next restart can give it another value"]);
  // PostgreSQL clears the mark at a restart, or when the configuration names the present value.
  await reload("alter system set jit_provider = 'llvmjit'");
  await eventually(async () => (await details()).length === 0);
  await reload("alter system reset jit_provider");
});

test("a prepared transaction is a finding until its remedy", async () => {
  await db.sql("begin; create table public.waiting (); prepare transaction 'later'");
  const found = await asAuditor<Violation>("select * from audit.violations_of_database");
  expect(found).toMatchObject([{ name: "'later'", detail: expect.stringMatching(/^postgres, since 20/) }]);
  await db.sql(found[0]?.remedy ?? "");
  expect(await asAuditor("select from audit.violations_of_database")).toEqual([]);
});

test("a replication slot is a finding", async () => {
  await db.sql("select pg_create_physical_replication_slot('copy')");
  expect(await asAuditor("select name, detail from audit.violations_of_database")).toEqual([
    { name: "copy", detail: "physical" },
  ]);
  await db.sql("select pg_drop_replication_slot('copy')");
  expect(await asAuditor("select from audit.violations_of_database")).toEqual([]);
});

test("an executor that another database minted may not connect, is no finding but unseen, until that database is dropped", async () => {
  const other = await auditedDatabase();
  const run = ({ adminUrl }: TestDatabase, ...args: string[]) =>
    command(["executor", ...args], { env: { DATABASE_URL: adminUrl, MASTER_KEY: db.masterKey } });
  const found = ({ adminUrl } = db) =>
    query<Violation>(urlAs("auditor", adminUrl, db.key), "select * from audit.violations_of_roles where name ~ 'gpu'");
  const unseen = ({ adminUrl } = db) =>
    query(urlAs("auditor", adminUrl, db.key), "select what from audit.unseen where what ~ 'executor_gpu'");
  const name = new URL(other.adminUrl).pathname.slice(1);
  const { stdout, ...minted } = await run(other, "mint", "--name", "gpu");
  expect(minted).toMatchObject({ code: 0, stderr: "" });
  const address = new URL(stdout.trim());
  expect(await query(address.href, "select runner.priced_models()")).toHaveLength(1);
  address.pathname = new URL(db.adminUrl).pathname;
  await expect(query(address.href, "select")).rejects.toMatchObject({ code: "42501" }); // permission denied for database
  expect([await found(other), await unseen(other)]).toEqual([[], []]);
  expect(await found()).toEqual([]);
  const what = `the mint of executor_gpu in the operators' log of database ${name}`;
  expect(await unseen()).toEqual([{ what }]);
  expect(await run(db, "revoke", "gpu")).toMatchObject({ code: 1 });
  await other.drop();
  expect([await found(), await unseen()]).toMatchObject([[{ rule: "executor_not_minted", name: "executor_gpu" }], []]);
  expect(await run(db, "revoke", "gpu")).toMatchObject({ code: 0, stderr: "" });
  expect(await found()).toEqual([]);
});

test("a build that compared the database with itself, or recorded nothing, is a finding", async () => {
  const details = () => asAuditor<{ detail: string }>("select detail from audit.violations_of_builds");
  expect(await details()).toEqual([]);
  await db.sql("update app.definition_builds set compared_with_itself = true");
  expect(await details()).toEqual([{ detail: expect.stringMatching(/^The last build could create no database/) }]);
  await db.sql("update app.definition_builds set compared_with_itself = false, server_version = 17");
  expect(await details()).toEqual([{ detail: expect.stringMatching(/^PostgreSQL has another major version/) }]);
  await db.sql("update app.definition_builds set server_version = 18");
  await db.sql(
    "begin; create table public.kept as table app.built_catalogues; delete from app.built_catalogues; commit",
  );
  expect(await details()).toEqual([{ detail: expect.stringMatching(/^No build has recorded/) }]);
  await db.sql("begin; insert into app.built_catalogues table public.kept; drop table public.kept; commit");
});

test("hostile settings of all roles stop neither the audit, doctor nor migrate --check, and are findings", async () => {
  const hostile = {
    row_security: "off",
    search_path: "public",
    statement_timeout: "500ms",
    transaction_timeout: "1s",
    quote_all_identifiers: "on",
    session_replication_role: "replica",
    restrict_nonsystem_relation_kind: "view",
    standard_conforming_strings: "off",
  };
  for (const [name, value] of Object.entries(hostile)) {
    await db.sql(`alter role all set ${name} = '${value}'`);
    if (name.endsWith("timeout")) await db.sql(`alter role auditor set ${name} = '${value}'`);
  }
  try {
    const env = { DATABASE_URL: db.adminUrl, MASTER_KEY: db.masterKey };
    const { code, stdout, stderr } = await command(["audit", "--json", "--findings"], { env });
    expect([code, stderr]).toEqual([1, ""]);
    const { findings } = JSON.parse(stdout) as { findings: { object: string; what: string }[] };
    const all = findings.filter(({ object }) => object === "role all").map(({ what }) => what.split(" is ")[0]);
    expect(all.sort()).toEqual(Object.keys(hostile).sort());
    const doctor = await command(["doctor", "--json"], { env });
    expect(JSON.parse(doctor.stdout).checks).toContainEqual(
      expect.objectContaining({ check: "invariants", result: "failed", found: `${findings.length} findings` }),
    );
    expect(findings.filter(({ object }) => !/^role (all|auditor)$/.test(object))).toEqual([]);
    const check = await command(["migrate", "--check"], { env });
    const listed = [...check.stderr.matchAll(/^ {2}role all: (\w+) is/gm)].map(([, name]) => name);
    expect([check.code, listed]).toEqual([1, Object.keys(hostile).sort()]);
  } finally {
    await query(db.adminUrl, "alter role all reset all");
    for (const name of ["statement_timeout", "transaction_timeout"]) {
      await query(db.adminUrl, `alter role auditor reset ${name}`);
    }
  }
});
