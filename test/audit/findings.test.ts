/**
 * audit.findings is empty if all invariants hold. Each rule finds its fault: the test plants it, expects the finding with the
 * object's name, applies the remedy, and expects no finding.
 */
import type { Pool, PoolClient } from "pg";
import { auditedDatabase } from "../support/audited.ts";
import type { TestDatabase } from "../support/database.ts";
import { faultsOfDefinitions } from "./faults/definitions.ts";
import type { Fault, Faults } from "./faults/fault.ts";
import { faultsOfFunctions } from "./faults/functions.ts";
import { faultsOfLogins } from "./faults/logins.ts";
import { faultsOfOwnership } from "./faults/ownership.ts";
import { faultsOfPolicies } from "./faults/policies.ts";
import { faultsOfPrivileges } from "./faults/privileges.ts";
import { faultsOfRoles } from "./faults/roles.ts";
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
  definitions: faultsOfDefinitions,
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

/** The objects that a rule finds. Reads only the rule's own view, which is several times faster. */
async function found(group: string, rule: string): Promise<string[]> {
  const { rows } = await client.query<{ object: string }>(
    `select distinct kind || ' ' || name as object
     from audit.violations_of_${group} violation
     where rule = $1 and not exists (
       select from audit.exceptions excepted
       where excepted.rule = $1 and excepted.object = violation.kind || ' ' || violation.name
         and excepted.detail is not distinct from violation.detail
     )`,
    [rule],
  );
  return rows.map(({ object }) => object);
}

test("every rule has a fault", async () => {
  const { rows } = await client.query<{ rule: string }>("select rule from audit.rules");
  const planted = [...Object.values(faults).flatMap(Object.keys), "stale_exception"];
  expect(planted.sort()).toEqual(rows.map(({ rule }) => rule).sort());
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

test.each(planted)("%s: %s", async (rule, _story, group, { plant, object, cure }) => {
  await client.query("savepoint sound");
  await client.query(plant);
  const named = object.replace(":database", database);
  const objects = await found(group, rule);
  // A changed definition changes others too, such as those of columns and keys.
  expect(objects).toEqual(rule === "definition_changed" ? expect.arrayContaining([named]) : [named]);
  if (cure === undefined) {
    const [finding] = await findings(rule);
    expect(finding).toMatchObject({ rule, object: named, remedy: expect.stringMatching(/;$/) });
    await client.query(finding?.remedy ?? ""); // the remedy is a statement
  } else if (cure === null) {
    await client.query("rollback to savepoint sound");
  } else {
    await client.query(cure);
  }
  expect(await found(group, rule)).not.toContain(named);
});

const firsts = Object.values(faults).flatMap((ofGroup) =>
  Object.entries(ofGroup).map(([rule, stories]): [string, Fault] => [rule, Object.values(stories)[0] as Fault]),
);

test.each(firsts)("%s has complete texts", async (rule, { plant, object }) => {
  await client.query(plant);
  const rows = await findings(rule);
  expect(rows).not.toEqual([]);
  for (const { what, why, remedy, object: named } of rows) {
    if (rule !== "definition_changed") expect(named).toBe(object.replace(":database", database));
    for (const text of [what, why, remedy]) expect(text).not.toMatch(/%\d|^$/);
  }
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
