/** Questions about one person: where their data lie, what was done to them, and who could act at a past time. */
import { readFileSync } from "node:fs";
import type { Pool } from "pg";
import { seedOrganisation } from "../sql/seed.ts";
import { auditedDatabase } from "../support/audited.ts";
import { makeKey, makeMember, makeOrganisation, type Organisation, type TestDatabase } from "../support/database.ts";

type Row = Record<string, unknown>;

let db: TestDatabase;
let auditor: Pool;
let ours: Organisation;

beforeAll(async () => {
  db = await auditedDatabase();
  auditor = db.poolAs("auditor", 2);
  ours = await makeOrganisation(db);
});

afterAll(() => db.drop());

const rows = async (text: string, values: unknown[] = []) => (await auditor.query<Row>(text, values)).rows;
const now = async () => String((await db.sql<Row>("select clock_timestamp()::text as now"))[0]?.now);

test("the map follows the catalogue: each id of a person, and a new column", async () => {
  const holds = async (table: string, column: string) =>
    (
      await rows("select holds from audit.person_columns where table_name = $1 and column_name = $2", [table, column])
    )[0]?.holds;
  expect(await holds("app.people", "email")).toBe("identity");
  expect(await holds("app.memberships", "person_id")).toBe("person");
  expect(await holds("app.api_keys", "created_by")).toBe("person");
  expect(await holds("app.bots", "owner_id")).toBe("person");
  expect(await holds("app.audit_log", "person_id")).toBe("person");
  expect(await holds("app.invitations", "email")).toBe("address");
  expect(await holds("app.memories", "value")).toBe("text");
  expect(await holds("app.api_keys", "digest")).toBe("secret");
  expect(await holds("app.bots", "nickname")).toBeUndefined();
  await db.sql("alter table app.bots add nickname text");
  expect(await holds("app.bots", "nickname")).toBe("text");
  await db.sql("alter table app.bots drop nickname");
});

test("data_of_person counts the rows that name a person, in each table, and refuses an unknown person", async () => {
  await makeKey(db, ours.id, ours.ownerId, "read");
  await makeKey(db, ours.id, ours.ownerId, "admin");
  const found = await rows("select table_name, column_name, rows::int, organisation_id from audit.data_of_person($1)", [
    ours.ownerId,
  ]);
  const of = (table: string, column: string) =>
    found.find(({ table_name, column_name }) => table_name === table && column_name === column)?.rows;
  expect(of("app.people", "id")).toBe(1);
  expect(of("app.memberships", "person_id")).toBe(1);
  expect(of("app.api_keys", "created_by")).toBe(2);
  expect(
    found.filter(({ table_name }) => table_name !== "app.people").map(({ organisation_id }) => organisation_id),
  ).toEqual(expect.arrayContaining([ours.id]));
  await expect(rows("select * from audit.data_of_person(uuidv7())")).rejects.toThrow("There is no person");
  await expect(rows("select * from audit.data_of_person(null)")).rejects.toThrow("Name a person");
});

describe("queries_of_person prints queries", () => {
  test("that return each row with the person's id or address, and what belongs to the person's runs", async () => {
    const { owner } = await seedOrganisation(db);
    const printed = await rows("select table_name, query from audit.queries_of_person($1)", [owner]);
    const found: Record<string, number> = {};
    for (const { table_name, query } of printed) found[String(table_name)] = (await db.sql(String(query))).length;
    expect(found["app.messages"]).toBeGreaterThan(0);
    const [person] = await db.sql<Row>("select email from app.people where id = $1", [owner]);
    for (const { name } of await db.sql<Row>("select name from audit.tables where schema = 'app'")) {
      const [named] = await db.sql<{ rows: number }>(
        `select count(*)::integer as rows from ${name} row where position($1 in row::text) > 0 or position($2 in row::text) > 0`,
        [owner, person?.email],
      );
      expect([name, (found[String(name)] ?? 0) >= Number(named?.rows)]).toEqual([name, true]);
    }
    const counts = await rows("select table_name, max(rows)::int as rows from audit.data_of_person($1) group by 1", [
      owner,
    ]);
    for (const { table_name, rows: counted } of counts)
      expect(found[String(table_name)]).toBeGreaterThanOrEqual(Number(counted));
  });

  test("that auditor may not run, and that contain the person's id alone", async () => {
    const printed = await rows("select query from audit.queries_of_person($1)", [ours.ownerId]);
    for (const { query } of printed) await expect(rows(String(query))).rejects.toMatchObject({ code: "42501" });
    expect(JSON.stringify(printed)).not.toContain("@");
    await expect(rows("select * from audit.queries_of_person(uuidv7())")).rejects.toThrow("There is no person");
  });
});

test("authority lists members and keys with the role and scope of a past time", async () => {
  const before = await now();
  const person = await makeMember(db, ours.id, "admin");
  const key = await makeKey(db, ours.id, person, "write");
  const during = await now();
  await db.sql("update app.memberships set role = 'member' where organisation_id = $1 and person_id = $2", [
    ours.id,
    person,
  ]);
  await db.sql("update app.api_keys set revoked_at = now() where organisation_id = $1 and id = $2", [ours.id, key.id]);
  const demoted = await now();
  await db.sql("delete from app.memberships where organisation_id = $1 and person_id = $2", [ours.id, person]);
  const at = async (moment: string) =>
    (
      await rows("select kind, id, allows from audit.authority($1, $2) where person_id = $3 order by kind desc", [
        ...[ours.id, moment, person],
      ])
    ).map(({ kind, allows }) => `${kind} ${allows}`);
  expect(await at(before)).toEqual([]);
  expect(await at(during)).toEqual(["member admin", "key write"]);
  expect(await at(demoted)).toEqual(["member member"]);
  expect(await at(await now())).toEqual([]);
  await expect(rows("select * from audit.authority($1, now() + interval '1 day')", [ours.id])).rejects.toThrow(
    "not in the past",
  );
  await expect(rows("select * from audit.authority(uuidv7(), now())")).rejects.toThrow("There is no organisation");
});

test("changes_of_others lists what others did to a person's membership and keys, and not what the person did", async () => {
  const person = await makeMember(db, ours.id, "admin");
  const key = await makeKey(db, ours.id, person, "write");
  await db.sql("update app.memberships set role = 'member' where organisation_id = $1 and person_id = $2", [
    ours.id,
    person,
  ]);
  await db.sql("update app.api_keys set revoked_at = now() where organisation_id = $1 and id = $2", [ours.id, key.id]);
  const found = await rows("select action, resource, resource_id, changed from audit.changes_of_others($1)", [person]);
  expect(found).toContainEqual({ action: "updated", resource: "member", resource_id: person, changed: ["role"] });
  expect(found).toContainEqual({ action: "updated", resource: "key", resource_id: key.id, changed: ["revokedAt"] });
  expect(found.filter(({ resource_id }) => resource_id !== person && resource_id !== key.id)).toEqual([]);
  expect(await rows("select * from audit.changes_of_others($1, now() + interval '1 hour')", [person])).toEqual([]);
});

test("auditor reads each view of audit, except the closed views that docs/auditing.md names", async () => {
  const views = await db.sql<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'audit'::regnamespace and relkind = 'v' order by 1",
  );
  const refused: string[] = [];
  for (const { name } of views) {
    await rows(`explain select * from audit.${name}`).catch((error: { code?: string }) => {
      if (error.code !== "42501") throw error;
      refused.push(name);
    });
  }
  expect(refused).toEqual([
    ...["chain_ends", "checked_entries", "end_faults", "first_values", "held_credentials", "held_sessions"],
    ...["record_queries", "unproven_truncations"],
  ]);
  const page = readFileSync(new URL("../../docs/auditing.md", import.meta.url), "utf8");
  for (const name of refused) expect(page).toContain(`\`${name}\``);
});
