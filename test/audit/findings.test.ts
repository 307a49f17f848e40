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

/** Asked of one rule, the others cost nothing but their planning. */
async function findings(rule: string): Promise<Finding[]> {
  return (await client.query<Finding>(`select * from audit.findings where rule = '${rule}'`)).rows;
}

/** Whether a rule finds what it found still: asked of its own view alone, which is several times as quick. */
async function isFound(group: string, rule: string, object: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from audit.breaches_of_${group} breach
     where rule = $1 and kind || ' ' || name = $2 and not exists (
       select from audit.exceptions excepted
       where excepted.rule = $1 and excepted.object = $2 and excepted.detail is not distinct from breach.detail
     )`,
    [rule, object],
  );
  return rowCount !== 0;
}

test("there is a fault for every rule", async () => {
  const { rows } = await client.query<{ rule: string }>("select rule from audit.rules");
  expect(Object.values(faults).flatMap(Object.keys).sort()).toEqual(rows.map(({ rule }) => rule).sort());
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
  const found = await findings(rule);
  const named = object.replace(":database", database);
  expect(found.map((finding) => finding.object)).toContain(named);
  if (rule !== "definition_changed") expect(new Set(found.map((finding) => finding.object))).toEqual(new Set([named]));
  const [finding] = found;
  expect(finding?.what).not.toMatch(/%/);
  const isHeld = rule !== "stale_exception"; // which no view of breaches holds, being about the list of them
  if (isHeld) expect(await isFound(group, rule, named)).toBe(true);
  if (cure === undefined) {
    expect(finding?.remedy).toMatch(/;$/); // a statement, which is tried
    await client.query(finding?.remedy ?? "");
  } else if (cure === null) {
    await client.query("rollback to savepoint sound");
  } else {
    await client.query(cure);
  }
  if (isHeld) expect(await isFound(group, rule, named)).toBe(false);
  else expect(await findings(rule)).toEqual([]);
});
