/** What an auditor asks about rows, credentials and people: audit.who_reads, audit.credentials and audit.activity. */
import { createHash } from "node:crypto";
import type { Pool } from "pg";
import type { Operation } from "../../src/contract/operation.ts";
import { operations, pageOperations } from "../../src/contract/operations.ts";
import { invalidateKeys, type Seeded, seedOrganisation, seedService } from "../sql/seed.ts";
import { type TestApi, testApi } from "../support/api.ts";
import { auditedDatabase } from "../support/audited.ts";
import { makeKey, type TestDatabase } from "../support/database.ts";
import { executor } from "./faults/fault.ts";

let db: TestDatabase;
let api: TestApi;
let auditor: Pool;
let ours: Seeded;
let theirs: Seeded;

beforeAll(async () => {
  db = await auditedDatabase();
  api = await testApi(db);
  auditor = db.poolAs("auditor", 2);
  await seedService(db);
  ours = await seedOrganisation(db);
  theirs = await seedOrganisation(db);
  await invalidateKeys(db, ours);
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

type Row = Record<string, unknown>;
const rows = async (text: string, values: unknown[] = []) => (await auditor.query<Row>(text, values)).rows;
const whoReads = (table: string, id: unknown, tryAllKeys = false) =>
  rows("select * from audit.who_reads($1, $2, $3, $4)", [table, ours.ids.organisation, id, tryAllKeys]);
const keys = (readers: Row[]) =>
  readers
    .filter(({ reader }) => reader === "key")
    .map(({ name }) => name)
    .sort();
const prefix = (key: { text: string }) => key.text.slice(0, 12);

describe("audit.who_reads", () => {
  test("lists exactly the keys for which the API returns the bot", async () => {
    const colleague = await makeKey(db, ours.ids.organisation ?? "", ours.ids.colleague ?? "", "admin");
    const [personal] = await db.sql<Row>(
      "select id from app.bots where organisation_id = $1 and visibility = 'personal' and owner_id = $2",
      [ours.ids.organisation, ours.ids.colleague],
    );
    const tried = [colleague, ...Object.values(ours.keys), ...Object.values(theirs.keys)];
    const statuses = await Promise.all(
      tried.map(async (key) => [
        prefix(key),
        (await api.call("GET", `/bots/${personal?.id}`, { key: key.text })).status,
      ]),
    );
    const served = statuses.filter(([, status]) => status === 200).map(([name]) => name);
    expect(served).toContain(prefix(colleague));
    const readers = await whoReads("bots", personal?.id, true);
    expect(keys(readers)).toEqual(expect.arrayContaining(served));
    expect(keys(readers).filter((name) => tried.some((key) => prefix(key) === name))).toEqual(served.sort());
    expect(readers.find(({ name }) => name === prefix(colleague))?.policies).not.toEqual([]);
  });

  test("finds a policy that opens a row to another organisation", async () => {
    const memory = await db.sql<Row>("select id from app.memories where organisation_id = $1 limit 1", [
      ours.ids.organisation,
    ]);
    const others = Object.values(theirs.keys).map(prefix);
    const readers = () => whoReads("memories", memory[0]?.id, true);
    expect(keys(await readers()).filter((name) => others.includes(String(name)))).toEqual([]);
    await db.sql("create policy open_to_all on app.memories for select to tenant using (true)");
    const opened = (await readers()).filter(({ name }) => others.includes(String(name)));
    await db.sql("drop policy open_to_all on app.memories");
    expect(opened.length).toBeGreaterThan(0);
    expect(new Set(opened.map(({ policies }) => String(policies)))).toEqual(new Set(["open_to_all"]));
  });

  test("finds rows without an id by what they belong to", async () => {
    const [step] = await db.sql<Row>("select run_id from app.steps where organisation_id = $1 limit 1", [
      ours.ids.organisation,
    ]);
    const readers = await whoReads("steps", step?.run_id, true);
    const ofTheRun = await whoReads("runs", step?.run_id, true);
    expect(keys(readers).length).toBeGreaterThan(0);
    expect(keys(readers)).toEqual(keys(ofTheRun));
    const readersOfHead = await whoReads("audit_chain_heads", ours.ids.organisation);
    expect(readersOfHead).toContainEqual(expect.objectContaining({ reader: "role", name: "owner" }));
  });

  test("lists roles with their columns and policies, views with their owner's rights, and superusers", async () => {
    const [run] = await db.sql<Row>("select id from app.runs where organisation_id = $1 limit 1", [
      ours.ids.organisation,
    ]);
    const readers = await whoReads("runs", run?.id);
    expect(readers).toContainEqual(expect.objectContaining({ reader: "view", name: "operator through operator.runs" }));
    expect(readers).toContainEqual(expect.objectContaining({ reader: "superuser", name: "postgres" }));
    const [memory] = await db.sql<Row>("select id from app.memories where organisation_id = $1 limit 1", [
      ours.ids.organisation,
    ]);
    const searcher = (await whoReads("memories", memory?.id)).find(({ name }) => name === "searcher");
    expect(searcher).toMatchObject({ reader: "role", policies: ["search_words"] });
    expect(searcher?.columns).not.toContain("value");
  });

  test("refuses a table, a row or a column that does not exist", async () => {
    const id = ours.ids.organisation;
    await expect(whoReads("people_of_others", id)).rejects.toThrow("There is no table people_of_others in schema app.");
    await expect(whoReads("memories", id)).rejects.toThrow("app.memories has no row with this organisation and id.");
    await expect(whoReads("steps", id)).rejects.toThrow("app.steps has no row with this organisation and run_id.");
    for (const table of ["service_settings", "definition_builds", "limits"]) {
      await expect(whoReads(table, id)).rejects.toThrow(`The rows of app.${table} have no id.`);
    }
    for (const name of ["", "memories;", 'app."memories']) {
      await expect(whoReads(name, id)).rejects.toThrow(`There is no table ${name} in schema app.`);
    }
  });
});

test.each(["memories", "app.memories", "APP.Memories", '"app"."memories"'])(
  "audit.exposure accepts the table as %s",
  async (table) => {
    for (const command of ["select", "SELECT", " Select "]) {
      const found = await rows(
        "select distinct table_name, command from audit.exposure(organisation => $1, on_table => $2, for_command => $3) where key_state = 'live'",
        [ours.ids.organisation, table, command],
      );
      expect(found).toEqual([{ table_name: "app.memories", command: "select" }]);
    }
  },
);

test("audit.exposure refuses an unknown command", async () => {
  await expect(rows("select * from audit.exposure($1, for_command => 'read')", [ours.owner])).rejects.toMatchObject({
    message: "read is no command.",
    hint: "select, insert, update or delete",
  });
});

test.each([
  ["audit.exposure(person => $1)", "There is no person"],
  ["audit.exposure(organisation => $1)", "There is no organisation"],
  ["audit.activity($1)", "There is no person"],
])("%s refuses an unknown id", async (call, message) => {
  const id = "00000000-0000-4000-8000-000000000000";
  await expect(rows(`select * from ${call}`, [id])).rejects.toThrow(`${message} ${id}.`);
});

test("audit.activity without a person asks for one", async () => {
  await expect(rows("select * from audit.activity(null)")).rejects.toMatchObject({
    message: "Name a person or an organisation.",
    hint: "audit.activity(person, since)",
  });
});

describe("audit.credentials", () => {
  const stateOf = async (key: { text: string }) =>
    (await rows("select kind, scope, state from audit.credentials() where prefix = $1", [prefix(key)]))[0];

  test("has the state of each key", async () => {
    expect(await stateOf(ours.keys.read)).toEqual({ kind: "key", scope: "read", state: "live" });
    expect(await stateOf(ours.keys.revoked)).toMatchObject({ state: "revoked" });
    expect(await stateOf(ours.keys.expired)).toMatchObject({ state: "expired" });
    expect(await stateOf(ours.keys.demoted)).toMatchObject({ state: "its person is no admin" });
  });

  test("names the key that made a key through the API", async () => {
    const body = { name: "made by a key", scope: "read" };
    const { body: made } = await api.call("POST", "/keys", { key: ours.keys.admin.text, body });
    expect(await rows("select minted_by from audit.credentials() where id = $1", [made.id])).toEqual([
      { minted_by: `key ${prefix(ours.keys.admin)}` },
    ]);
  });

  test("names the operator that minted a key, a platform key and a token, with the kinds of every credential", async () => {
    await db.sql("update app.approvals set token_digest = sha256('link') where id = $1", [ours.ids.approval]);
    const kinds = (await rows("select distinct kind from audit.credentials() order by kind")).map(({ kind }) => kind);
    expect(kinds).toEqual(
      expect.arrayContaining(["database login", "hook", "invitation link", "key", "operator token", "platform key"]),
    );
    const minted = await rows(
      "select distinct minted_by from audit.credentials() where kind in ('platform key', 'operator token')",
    );
    expect(minted).toEqual([{ minted_by: expect.stringMatching(/^operator ./) }]);
  });

  test("lists every login that may connect, and who minted the login of an executor", async () => {
    const listed = `set local role auditor;
      select prefix, scope, minted_by, reason from audit.credentials() where kind = 'database login' and prefix in ('executor_careless', 'postgres');
      reset role`;
    const pool = db.adminPool({ max: 1 });
    const answer = async () => ((await pool.query(listed)) as unknown as { rows: Row[] }[])[1]?.rows ?? [];
    await pool.query("begin"); // a committed role is one of every database
    await pool.query(executor);
    const logins = await answer();
    await pool.query(
      "insert into app.operator_commands (operator, action, arguments) values ('Tests', 'revoke_executor', '{\"name\": \"careless\"}')",
    );
    const remade = await answer(); // as after: create role executor_careless
    await pool.query("rollback");
    expect(remade).toContainEqual(expect.objectContaining({ prefix: "executor_careless", minted_by: null }));
    expect(logins).toContainEqual({
      prefix: "executor_careless",
      scope: "leases and finishes runs, only through runner.*",
      minted_by: "operator Tests",
      reason: null,
    });
    expect(logins).toContainEqual(
      expect.objectContaining({ prefix: "postgres", scope: "everything: a superuser", minted_by: null }),
    );
  });

  test("has a kind for each class of credential in the contract", async () => {
    const kindsOf: Record<Operation["keyClass"], string> = {
      organisation: "key",
      platform: "platform key",
      portal_link: "portal session",
      portal_session: "portal session",
      authorization_code: "authorization code",
      invitation: "invitation link",
      approval: "approval link",
      hook_address: "hook",
      hook: "hook",
    };
    const classes = [...operations, ...pageOperations].map(({ keyClass }) => keyClass);
    const kinds = (await rows("select distinct kind from audit.credentials()")).map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining([...new Set(classes)].map((name) => kindsOf[name])));
  });

  test("a portal session is in the answers on credentials, readers and reach", async () => {
    const session = ours.ids.portal_session;
    expect(await rows("select kind, state from audit.credentials() where id = $1", [session])).toEqual([
      { kind: "portal session", state: "live" },
    ]);
    const reach = "select distinct key_state from audit.exposure(person => $1) where key_id = $2 and rows > 0";
    expect(await rows(reach, [ours.ids.colleague, session])).toEqual([{ key_state: "live" }]);
    expect(await whoReads("bots", ours.ids.bot)).toContainEqual(
      expect.objectContaining({ reader: "portal session", name: session }),
    );
  });

  test("shows no digest and no secret", async () => {
    const all = JSON.stringify(await rows("select * from audit.credentials()"));
    for (const key of Object.values(ours.keys)) {
      expect(all).not.toContain(key.text);
      expect(all).not.toContain(createHash("sha256").update(key.text).digest("hex"));
    }
  });
});

test("audit.activity lists a person's changes without content, from the given time", async () => {
  const before = await rows("select * from audit.activity($1)", [ours.owner]);
  const body = { name: "A bot of the activity" };
  const { body: bot } = await api.call("POST", "/bots", { key: ours.keys.admin.text, body });
  const after = await rows("select * from audit.activity($1)", [ours.owner]);
  expect(after).toHaveLength(before.length + 1);
  expect(after.at(-1)).toMatchObject({ action: "created", resource: "bot", resource_id: bot.id, actor: "key" });
  expect(JSON.stringify(after)).not.toContain(body.name);
  expect(await rows("select * from audit.activity($1, now() + interval '1 minute')", [ours.owner])).toEqual([]);
  for (const always of [null, "-infinity", "1969-01-01Z"]) {
    expect(await rows("select * from audit.activity($1, $2)", [ours.owner, always])).toEqual(after);
  }
});

test("audit.operator_log lists commands with operator and time", async () => {
  expect(
    await rows("select operator, action from audit.operator_log(since => now() - interval '1 hour')"),
  ).toContainEqual({
    operator: expect.any(String),
    action: "mint_platform_key",
  });
});
