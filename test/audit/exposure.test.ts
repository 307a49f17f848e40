/** audit.exposure matches what the API returns for each key, and which rows the key can lock for an update. */
import type { Pool } from "pg";
import { invalidateKeys, type Seeded, seedOrganisation, seedService } from "../sql/seed.ts";
import { type TestApi, testApi } from "../support/api.ts";
import { auditedDatabase } from "../support/audited.ts";
import { makeKey, makeMember, makeOrganisation, type TestDatabase, type TestKey } from "../support/database.ts";
import { asTenant } from "../support/transactions.ts";

type Exposure = {
  organisation_id: string;
  person_id: string;
  key_id: string | null;
  key_state: string;
  table_name: string | null;
  command: string;
  rows: string | null;
  policies: string[];
  refused_by: string[];
};

let db: TestDatabase;
let api: TestApi;
let auditor: Pool;
let admin: Pool;
let ours: Seeded;

beforeAll(async () => {
  db = await auditedDatabase();
  api = await testApi(db);
  auditor = db.poolAs("auditor", 2);
  admin = db.adminPool({ max: 1 });
  await seedService(db);
  ours = await seedOrganisation(db);
  await seedOrganisation(db);
  await invalidateKeys(db, ours);
});

afterAll(async () => {
  await api.stop();
  await admin.end();
  await db.drop();
});

async function exposure(person: string): Promise<Exposure[]> {
  return (await auditor.query<Exposure>("select * from audit.exposure(person => $1)", [person])).rows;
}

/** Lists of the API, by the table whose rows they are. */
const lists: Record<string, string> = {
  "app.bots": "/bots",
  "app.memories": "/memories",
  "app.memberships": "/members",
  "app.invitations": "/invitations",
  "app.runs": "/runs",
  "app.routines": "/routines",
  "app.approvals": "/approvals",
  "app.hooks": "/hooks",
  "app.webhook_endpoints": "/webhooks",
  "app.events": "/events",
  "app.api_keys": "/keys",
};

/** By list: the number of rows that the API returns for the key, or the error code. */
async function answered(key: TestKey): Promise<Record<string, number | string>> {
  const came = await Promise.all(
    Object.entries(lists).map(async ([table, path]) => {
      const { status, body } = await api.call("GET", `${path}?limit=100`, { key: key.text });
      return [table, status === 200 ? body.data.length : body.error.code];
    }),
  );
  return Object.fromEntries(came);
}

/** The same according to audit.exposure: without a policy, the API refuses the key's scope. */
function exposed(rows: Exposure[], key: TestKey): Record<string, number | string> {
  return Object.fromEntries(
    Object.keys(lists).map((table) => {
      const row = rows.find(
        ({ key_id, table_name, command }) => key_id === key.id && table_name === table && command === "select",
      );
      const scopeRefuses = row?.policies.length === 0 || (table === "app.api_keys" && row?.refused_by.length);
      return [table, scopeRefuses ? "unauthenticated" : Number(row?.rows)];
    }),
  );
}

test.each(["read", "write", "admin"] as const)(
  "audit.exposure matches what an owner's key of scope %s reads",
  async (scope) => {
    const came = await answered(ours.keys[scope]);
    expect(came["app.memories"]).toBeGreaterThan(2);
    expect(exposed(await exposure(ours.owner), ours.keys[scope])).toEqual(came);
  },
);

test("only an admin's own key reads their personal bot, besides the team's", async () => {
  const colleague = ours.ids.colleague ?? "";
  const key = await makeKey(db, ours.ids.organisation ?? "", colleague, "admin");
  const came = await answered(key);
  expect(exposed(await exposure(colleague), key)).toEqual(came);
  expect(came["app.bots"]).toBe(3);
  expect((await answered(ours.keys.admin))["app.bots"]).toBe(2);
});

test("audit.exposure covers a personal organisation", async () => {
  const alone = await makeOrganisation(db, { kind: "personal" });
  const key = await makeKey(db, alone.id, alone.ownerId, "admin");
  await api.call("POST", "/bots", { key: key.text, body: { name: "Mine", visibility: "personal" } });
  const came = await answered(key);
  expect(came).toMatchObject({ "app.bots": 1, "app.api_keys": 1, "app.memberships": "forbidden" });
  // The operations refuse members and invitations of personal organisations; the policies do not.
  expect(exposed(await exposure(alone.ownerId), key)).toEqual({ ...came, "app.memberships": 1, "app.invitations": 0 });
});

test("audit.exposure lists a person's organisations separately", async () => {
  const [one, other] = [await makeOrganisation(db), await makeOrganisation(db)];
  await db.sql("insert into app.memberships (organisation_id, person_id, role) values ($1, $2, 'admin')", [
    other.id,
    one.ownerId,
  ]);
  const keys = [await makeKey(db, one.id, one.ownerId), await makeKey(db, other.id, one.ownerId)] as const;
  const rows = await exposure(one.ownerId);
  for (const key of keys) expect(exposed(rows, key)).toEqual(await answered(key));
  const { rows: inOne } = await auditor.query<Exposure>(
    "select * from audit.exposure(person => $1, organisation => $2)",
    [one.ownerId, other.id],
  );
  expect(new Set(inOne.map(({ organisation_id }) => organisation_id))).toEqual(new Set([other.id]));
});

test("audit.exposure shows keys that reach nothing, with the reason", async () => {
  const [demoted] = await exposure(ours.demoted);
  expect(demoted).toMatchObject({ key_state: "its person is no admin", table_name: null, rows: null });
  const states = (await exposure(ours.owner)).filter(({ table_name }) => table_name === null);
  expect(states.map(({ key_id, key_state }) => [key_id, key_state]).sort()).toEqual(
    [
      [ours.keys.revoked.id, "revoked"],
      [ours.keys.expired.id, "expired"],
    ].sort(),
  );
  for (const key of [ours.keys.demoted, ours.keys.revoked, ours.keys.expired]) {
    expect(new Set(Object.values(await answered(key)))).toEqual(new Set(["unauthenticated"]));
  }
});

test("audit.exposure shows keys of a suspended organisation as suspended, and a revoked one as revoked", async () => {
  const organisation = await makeOrganisation(db);
  const key = await makeKey(db, organisation.id, organisation.ownerId, "admin");
  const ended = await makeKey(db, organisation.id, organisation.ownerId, "admin");
  await db.sql("update app.api_keys set revoked_at = now() where id = $1", [ended.id]);
  const suspend = (since: string) =>
    db.sql(`update app.organisations set suspended_at = ${since} where id = $1`, [organisation.id]);
  await suspend("now()");
  const states = (await exposure(organisation.ownerId)).map(({ key_id, key_state, table_name, rows }) => [
    key_id,
    [key_state, table_name, rows],
  ]);
  expect(states).toHaveLength(2);
  expect(Object.fromEntries(states)).toEqual({
    [key.id]: ["suspended", null, null],
    [ended.id]: ["revoked", null, null],
  });
  expect(new Set(Object.values(await answered(key)))).toEqual(new Set(["forbidden"]));
  expect(new Set(Object.values(await answered(ended)))).toEqual(new Set(["unauthenticated"]));
  await suspend("null");
  expect(exposed(await exposure(organisation.ownerId), key)).toEqual(await answered(key));
});

test("audit.exposure shows members without a key, and keys of persons who left", async () => {
  const organisation = ours.ids.organisation ?? "";
  const member = await makeMember(db, organisation, "member");
  expect(await exposure(member)).toMatchObject([{ key_state: "none", table_name: null }]);
  const leaver = await makeMember(db, organisation, "admin");
  await makeKey(db, organisation, leaver);
  await db.sql("delete from app.memberships where person_id = $1", [leaver]);
  expect(await exposure(leaver)).toMatchObject([{ member_role: null, key_state: "its person has left" }]);
});

test("audit.exposure of an organisation lists all its persons, and without arguments refuses", async () => {
  const organisation = ours.ids.organisation;
  const { rows } = await auditor.query<Exposure>("select * from audit.exposure(organisation => $1)", [organisation]);
  const people = await db.sql<{ id: string }>(
    `select person_id as id from app.memberships where organisation_id = $1
     union select created_by from app.api_keys where organisation_id = $1`,
    [organisation],
  );
  expect(new Set(rows.map(({ person_id }) => person_id))).toEqual(new Set(people.map(({ id }) => id)));
  await expect(auditor.query("select * from audit.exposure()")).rejects.toThrow("Name a person or an organisation.");
});

describe("audit.exposure of writes", () => {
  test.each(["read", "write", "admin"] as const)("counts the rows that a key of scope %s can lock", async (scope) => {
    const key = ours.keys[scope];
    const rows = (await exposure(ours.owner)).filter(
      ({ key_id, command }) => key_id === key.id && command === "update",
    );
    expect(rows.length).toBeGreaterThan(8);
    await asTenant(admin, key.digest, async (client) => {
      for (const { table_name, rows: counted } of rows) {
        const { rowCount } = await client.query(`select from ${table_name} for update`);
        expect([table_name, Number(counted)]).toEqual([table_name, rowCount]);
      }
    });
  });

  test.each([
    ["read", 0],
    ["admin", 8],
  ] as const)("a key of scope %s can delete %d memories", async (scope, expected) => {
    const row = (await exposure(ours.owner)).find(
      ({ key_id, table_name, command }) =>
        key_id === ours.keys[scope].id && table_name === "app.memories" && command === "delete",
    );
    const named = "delete from app.memories where id is not null"; // the condition reads id, so that both policies apply
    const { rowCount } = await asTenant(admin, ours.keys[scope].digest, (client) => client.query(named));
    expect([Number(row?.rows), rowCount]).toEqual([expected, expected]);
  });

  test("a key of scope read can insert idempotency records only", async () => {
    const inserts = (await exposure(ours.owner)).filter(({ command }) => command === "insert");
    const possible = (key: TestKey) =>
      inserts.filter((row) => row.key_id === key.id && row.policies.length > 0).map((row) => row.table_name);
    expect(possible(ours.keys.read)).toEqual(["app.idempotency_records"]);
    expect(possible(ours.keys.write)).toEqual(expect.arrayContaining(["app.bots", "app.memories", "app.runs"]));
    expect(possible(ours.keys.write)).not.toContain("app.webhook_endpoints");
    const refused = inserts.find((row) => row.key_id === ours.keys.read.id && row.table_name === "app.bots");
    expect(refused?.refused_by).toEqual([expect.stringContaining("caller.scope()")]);
  });
});

test("audit.as_person cannot write, and restores the caller's settings", async () => {
  const owner = db.poolAs("owner", 1);
  const run = (query: string) =>
    owner.query("select audit.as_person($1, $2, null, 'admin', 'owner', array[$3]) as answers", [
      ours.ids.organisation,
      ours.owner,
      query,
    ]);
  await expect(run("delete from app.memories")).rejects.toMatchObject({ code: "0A000" });
  await owner.query("select set_config('caller.organisation_id', '', false)");
  expect((await run("select count(*) from app.organisations")).rows).toEqual([{ answers: ["1"] }]);
  expect((await owner.query("select caller.organisation_id() as organisation, caller.scope() as scope")).rows).toEqual([
    { organisation: null, scope: null },
  ]);
  // Only owner may call it; an auditor gets counts.
  await expect(auditor.query("select audit.as_person(null, null, null::text, null, null, '{}')")).rejects.toMatchObject(
    {
      code: "42501",
    },
  );
});

test.each([
  ["(a = 1)", ["a = 1"]],
  ["((a = 1) AND (b = 2))", ["a = 1", "b = 2"]],
  ["((a = 1) OR (b = 2))", ["(a = 1) OR (b = 2)"]],
  ["((a = 1) AND ((b = 2) OR (c = 3)) AND (NOT d))", ["a = 1", "(b = 2) OR (c = 3)", "NOT d"]],
  ["((a = ') AND ('::text) AND (b = 'it''s (AND)'::text))", ["a = ') AND ('::text", "b = 'it''s (AND)'::text"]],
  [
    "(a IN ( SELECT b.a FROM b WHERE ((b.c = 1) AND (b.d = 2))))",
    ["a IN ( SELECT b.a FROM b WHERE ((b.c = 1) AND (b.d = 2)))"],
  ],
  ["true", ["true"]],
])("audit.conjuncts splits %s into %j", async (condition, conjuncts) => {
  const { rows } = await auditor.query<{ part: string }>("select part from audit.conjuncts($1) part", [condition]);
  expect(rows.map(({ part }) => part)).toEqual(conjuncts);
});

test("audit.person finds a person by their address, and refuses an unknown one", async () => {
  const [{ email } = { email: "" }] = await db.sql<{ email: string }>("select email from app.people where id = $1", [
    ours.owner,
  ]);
  const found = async (address: string) =>
    (await auditor.query<{ id: string | null }>("select audit.person($1) as id", [address])).rows[0]?.id;
  expect(await found(email.toUpperCase())).toBe(ours.owner);
  await expect(found("nobody@example.test")).rejects.toThrow("No person has that e-mail address.");
  // Without a person it would report everybody in the organisation.
  const exposure = "select from audit.exposure(audit.person('nobody@example.test'), $1)";
  await expect(auditor.query(exposure, [ours.ids.organisation])).rejects.toThrow("No person has that e-mail address.");
});

/** Without the acceptance of test/sql/seed.ts, which covers nothing. */
const findingsNow = "select * from audit.findings where rule <> 'stale_exception'";

test("a database with new and dropped partitions has no findings", async () => {
  await db.sql("update app.service_settings set delivery_retention = '1 day'");
  await db.poolAs("owner", 1).query("select jobs.make_week('2020-01-06Z')");
  expect(await db.sql(findingsNow)).toEqual([]);
  const worker = db.poolAs("worker", 1);
  const { rows } = await worker.query("select jobs.drop_partition() as partition");
  expect(rows).toEqual([{ partition: "delivery_attempts_20200106, deliveries_20200106, endpoint_counts_20200106" }]);
  expect((await auditor.query(findingsNow)).rows).toEqual([]);
});
