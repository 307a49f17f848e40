/**
 * audit.findings is empty if all invariants hold. Each rule finds its fault: the test plants it, expects the finding with the
 * object's name, applies the remedy, and expects no finding.
 */
import type { Pool, PoolClient } from "pg";
import { auditedDatabase } from "../support/audited.ts";
import type { TestDatabase } from "../support/database.ts";
import { faultsOfDatabase } from "./faults/database.ts";
import type { Fault, Faults } from "./faults/fault.ts";
import { faultsOfFunctions } from "./faults/functions.ts";
import { faultsOfLogins } from "./faults/logins.ts";
import { faultsOfOwnership } from "./faults/ownership.ts";
import { faultsOfPolicies } from "./faults/policies.ts";
import { faultsOfPrivileges } from "./faults/privileges.ts";
import { faultsOfRoles } from "./faults/roles.ts";
import { faultsOfSettings } from "./faults/settings.ts";
import { faultsOfTables } from "./faults/tables.ts";

/** By view: audit.violations_of_<name>. */
const faults: Record<string, Faults> = {
  tables: faultsOfTables,
  policies: faultsOfPolicies,
  functions: faultsOfFunctions,
  ownership: faultsOfOwnership,
  logins: faultsOfLogins,
  privileges: faultsOfPrivileges,
  roles: faultsOfRoles,
  settings: faultsOfSettings,
  database: faultsOfDatabase,
};

type Finding = { severity: string; rule: string; object: string; what: string; why: string; remedy: string };

let db: TestDatabase;
let pool: Pool;
let client: PoolClient;
let database: string;

beforeAll(async () => {
  db = await auditedDatabase();
  pool = db.adminPool({ max: 1, options: "-c jit=off" });
  database = new URL(db.adminUrl).pathname.slice(1);
});

afterAll(async () => {
  await pool.end();
  await db.drop();
});

beforeEach(async () => {
  client = await pool.connect();
  await client.query("begin");
});

afterEach(async () => {
  await client.query("rollback");
  client.release();
});

async function findings(rule: string): Promise<Finding[]> {
  return (await client.query<Finding>(`select * from audit.findings where rule = '${rule}'`)).rows;
}

/** What a rule finds. Reads only the rule's own view, which is several times faster than audit.findings. */
async function found(group: string, rule: string): Promise<Finding[]> {
  const { rows } = await client.query<Finding>(
    `select distinct on (object) found.object, format(rules.what, name, detail, kind) as what, rules.why,
       coalesce(to_jsonb(found) ->> 'remedy', format(rules.remedy, name, detail, kind)) as remedy
     from (select *, kind || ' ' || name as object from audit.violations_of_${group} where rule = $1) found
     join audit.rules on rules.rule = $1
     where not exists (
       select from audit.exceptions excepted
       where excepted.rule = $1 and excepted.object = found.object and excepted.detail is not distinct from found.detail
     )`,
    [rule],
  );
  return rows;
}

const objectsOf = (found: Finding[]) => found.map(({ object }) => object);

test("every rule has a fault", async () => {
  const { rows } = await client.query<{ rule: string }>("select rule from audit.rules");
  const elsewhere = [
    "stale_exception",
    "difference", // findings-catalogues.test.ts
    ...["row_not_recorded", "reference_broken", "sequence_moved", "migration_differs"], // forged-rows.test.ts
    ...["server_setting", "replication_slot", "prepared_transaction", "not_compared"], // findings-server.test.ts
  ];
  expect([...Object.values(faults).flatMap(Object.keys), ...elsewhere].sort()).toEqual(
    rows.map(({ rule }) => rule).sort(),
  );
});

test("every rule has one place in the order of findings", async () => {
  const { rows } = await client.query(
    "select rule from audit.rules full join audit.rule_places using (rule) group by rule having count(what) <> 1 or count(place) <> 1",
  );
  expect(rows).toEqual([]);
});

test("every rule has severity, what, why and remedy", async () => {
  const { rows } = await client.query<Finding>("select * from audit.rules");
  for (const { severity, what, why, remedy } of rows) {
    expect(["critical", "serious", "notice"]).toContain(severity);
    expect(what).toMatch(/\.$/);
    expect(why).toMatch(/^[A-Z].*\.$/);
    expect(remedy).not.toBe("");
  }
});

const planted = Object.entries(faults).flatMap(([group, ofGroup]) =>
  Object.entries(ofGroup).flatMap(([rule, stories]) =>
    Object.entries(stories).map(([story, fault]): [string, string, string, Fault] => [rule, story, group, fault]),
  ),
);

test("a migrated database has no findings", async () => {
  expect((await client.query("select * from audit.findings")).rows).toEqual([]);
});

test.each(planted)("%s: %s", async (rule, _story, group, { plant, object, others = [], cure }) => {
  await client.query(plant);
  const named = object.replace(":database", database);
  const findings = await found(group, rule);
  // A membership also reaches the members of its member.
  const expected = [...others, named];
  expect(objectsOf(findings).sort()).toEqual(
    rule === "membership" ? expect.arrayContaining(expected) : expected.sort(),
  );
  const { what = "", why = "", remedy = "" } = findings.find((finding) => finding.object === named) ?? {};
  for (const text of [what, why, remedy]) expect(text).not.toMatch(/%\d|^$/);
  if (cure === undefined) expect(remedy).toMatch(/;$/); // the remedy is a statement
  await client.query(cure ?? remedy);
  expect(objectsOf(await found(group, rule))).not.toContain(named);
});

test.each([
  ["a role", "role outsider", "create role outsider superuser", "alter role outsider login"],
  [
    "a role's limits",
    "role outsider",
    "create role outsider superuser",
    "alter role outsider valid until '2099-01-01'",
  ],
  ["a membership", "role outsider", "create role outsider; grant tenant to outsider", "alter role outsider login"],
  [
    "a foreign server",
    "server far",
    "create foreign data wrapper spy; create server far foreign data wrapper spy options (host 'a')",
    "alter server far options (set host 'b')",
  ],
])("an acceptance of %s does not cover its next state", async (_what, object, plant, change) => {
  const ids = async () =>
    (
      await client.query("select finding from audit.findings where object = $1 and rule <> 'stale_exception'", [object])
    ).rows.map(({ finding }) => finding);
  await client.query(plant);
  const before = await ids();
  expect(before).toHaveLength(1);
  await client.query("select operator.accept_finding($1, 'rule', $2, 'what', 'Ada', 'Tests')", [before[0], object]);
  expect(await ids()).toEqual([]);
  await client.query(change);
  expect(await ids()).toHaveLength(1);
});

test("an exception without a violation is a finding", async () => {
  await client.query("revoke update on app.idempotency_records from tenant");
  const stale = (await findings("stale_exception")).map(({ object }) => object);
  expect(stale.sort()).toEqual([
    "column app.idempotency_records.digest",
    "column app.idempotency_records.organisation_id",
  ]);
  await client.query("grant update on app.idempotency_records to tenant");
  expect(await findings("stale_exception")).toEqual([]);
});
