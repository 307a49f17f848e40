/**
 * audit.findings is empty where all walls stand; and each rule would tell if one did not: a fault is built in, found by
 * the name of the very object, and gone from the findings once it was put right.
 */
import type { PoolClient } from "pg";
import { Pool } from "pg";
import { auditedDatabase } from "../support/audited.ts";
import type { TestDatabase } from "../support/database.ts";
import { faultsOfDefinitions } from "./faults/definitions.ts";
import type { Fault, Faults } from "./faults/fault.ts";
import { faultsOfFunctions } from "./faults/functions.ts";
import { faultsOfOwnership } from "./faults/ownership.ts";
import { faultsOfPolicies } from "./faults/policies.ts";
import { faultsOfPrivileges } from "./faults/privileges.ts";
import { faultsOfRoles } from "./faults/roles.ts";
import { faultsOfTables } from "./faults/tables.ts";

/** By the view of the breaches, audit.breaches_of_ these. */
const faults: Record<string, Faults> = {
  tables: faultsOfTables,
  policies: faultsOfPolicies,
  functions: faultsOfFunctions,
  ownership: faultsOfOwnership,
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
  pool = new Pool({ connectionString: db.adminUrl, max: 1, options: "-c jit=off" });
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

/** The objects that a rule finds: asked of its own view alone, which is several times as quick. */
async function found(group: string, rule: string): Promise<string[]> {
  const { rows } = await client.query<{ object: string }>(
    `select distinct kind || ' ' || name as object
     from audit.breaches_of_${group} breach
     where rule = $1 and not exists (
       select from audit.exceptions excepted
       where excepted.rule = $1 and excepted.object = breach.kind || ' ' || breach.name
         and excepted.detail is not distinct from breach.detail
     )`,
    [rule],
  );
  return rows.map(({ object }) => object);
}

test("there is a fault for every rule", async () => {
  const { rows } = await client.query<{ rule: string }>("select rule from audit.rules");
  const planted = [...Object.values(faults).flatMap(Object.keys), "stale_exception"];
  expect(planted.sort()).toEqual(rows.map(({ rule }) => rule).sort());
});

test("every rule says how grave it is, what is wrong, why it matters and what puts it right", async () => {
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

test("there is none in a database as it is migrated", async () => {
  expect((await client.query("select * from audit.findings")).rows).toEqual([]);
});

test.each(planted)("%s: %s", async (rule, _story, group, { plant, object, cure }) => {
  await client.query("savepoint sound");
  await client.query(plant);
  const named = object.replace(":database", database);
  const objects = await found(group, rule);
  // A definition that changed changes others with it: those of the columns, the keys.
  expect(objects).toEqual(rule === "definition_changed" ? expect.arrayContaining([named]) : [named]);
  if (cure === undefined) {
    const [finding] = await findings(rule);
    expect(finding).toMatchObject({ rule, object: named, remedy: expect.stringMatching(/;$/) });
    await client.query(finding?.remedy ?? ""); // a statement, which is tried
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

test.each(firsts)("%s is told in sentences", async (rule, { plant, object }) => {
  await client.query(plant);
  const told = await findings(rule);
  expect(told).not.toEqual([]);
  for (const { what, why, remedy, object: named } of told) {
    if (rule !== "definition_changed") expect(named).toBe(object.replace(":database", database));
    for (const text of [what, why, remedy]) expect(text).not.toMatch(/%\d|^$/);
  }
});

test("an exception that nothing needs any more is found", async () => {
  await client.query("revoke execute on function jobs.readiness from tenant");
  expect(await findings("stale_exception")).toMatchObject([{ object: "function jobs.readiness()" }]);
  await client.query("grant execute on function jobs.readiness to tenant");
  expect(await findings("stale_exception")).toEqual([]);
});
