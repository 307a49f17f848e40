/**
 * References between tables of tenants. A reference to a row of another organisation is refused like one to a missing
 * row, also for roles without policies: PostgreSQL checks foreign keys without row-level security.
 */
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { type Seeded, seedOrganisation, seedService } from "./seed.ts";

const asks = "run_id, conversation_id, bot_id, person_id, kind, proposal, expires_at";
const proposal = ":person, 'memory', '{}', now() + interval '1 hour'";
const past = "memory_id, change, subject_kind, subject_key, former";
const said = ":memory, 'updated', 'member', 'we', '{}'";
const routine = "bot_id, last_run_id, name, schedule, time_zone, message, created_by";
const hook = "bot_id, last_run_id, name, secret_sealed, secret_digest, created_by";
const receipt = "hook_id, run_id, digest, body_digest";

const code = "digest, client_id, key_name, redirect_uri, code_challenge, resource, scope, key_days";
const values = "'https://client.example/c', 'Client', 'http://127.0.0.1:1/', repeat('c', 43), 'r', 'read', 30";

/** By referring column: the row it refers to, and a referring row. */
const references: Record<string, { to: string; columns: string; values: string }> = {
  "api_key_uses.key_id": { to: "fresh_key", columns: "key_id", values: "$2" },
  "api_key_days.key_id": { to: "fresh_key", columns: "key_id, day", values: "$2, '2026-11-02'" },
  "portal_sessions.person_id": {
    to: "colleague",
    columns: "person_id, created_by, link_digest, expires_at",
    values: "$2, :person, sha256('portal'), now() + interval '1 hour'",
  },
  "portal_sessions.key_id": {
    to: "fresh_key",
    columns: "key_id, person_id, created_by, link_digest, expires_at",
    values: "$2, :person, :person, sha256('portal of a key'), now() + interval '1 hour'",
  },
  "export_parts.export_id": {
    to: "export",
    columns: "export_id, number, counts, lines, hash, chain",
    values: "$2, 2, '{}', 0, repeat('0', 64), repeat('0', 64)",
  },
  "authorization_codes.portal_session_id": {
    to: "portal_session",
    columns: `portal_session_id, ${code}`,
    values: `$2, sha256('code'), ${values}`,
  },
  "authorization_codes.key_id": {
    to: "fresh_key",
    columns: `key_id, portal_session_id, ${code}`,
    values: `$2, :portal_session, sha256('code of a key'), ${values}`,
  },
  "conversations.bot_id": { to: "silent_bot", columns: "bot_id, person_id", values: "$2, :person" },
  "runs.bot_id": {
    to: "silent_bot",
    columns: "bot_id, conversation_id, person_id, trigger",
    values: "$2, :conversation, :person, 'api'",
  },
  "runs.conversation_id": {
    to: "conversation",
    columns: "conversation_id, bot_id, person_id, trigger",
    values: "$2, :bot, :person, 'api'",
  },
  "run_metadata.run_id": { to: "run", columns: "run_id, key, value", values: "$2, 'key', 'value'" },
  "messages.conversation_id": {
    to: "conversation",
    columns: "conversation_id, run_id, author, text",
    values: "$2, :run, 'bot', 'Hello!'",
  },
  "messages.run_id": {
    to: "run",
    columns: "run_id, conversation_id, author, text",
    values: "$2, :conversation, 'bot', 'Hello!'",
  },
  "steps.run_id": { to: "run", columns: "run_id, number, kind", values: "$2, 2, 'answer'" },
  "step_results.conversation_id": {
    to: "conversation",
    columns: "conversation_id, run_id, key, number",
    values: "$2, :run, 'recall', 1",
  },
  "step_results.run_id": {
    to: "run",
    columns: "run_id, conversation_id, key, number",
    values: "$2, :conversation, 'answer 2', 1",
  },
  "run_events.run_id": {
    to: "run",
    columns: "run_id, number, state, taint, steps, spend_micro_cents",
    values: "$2, 99, 'queued', false, 0, 0",
  },
  "run_events.step_number": { to: "run", columns: "run_id, number, step_number", values: "$2, 98, 1" },
  "run_events.message_id": { to: "message", columns: "message_id, run_id, number", values: "$2, :run, 97" },
  "run_events.approval_id": { to: "approval", columns: "approval_id, run_id, number", values: "$2, :run, 96" },
  "memories.bot_id": {
    to: "bot",
    columns: "bot_id, scope, kind, subject, value, provenance, source",
    values: "$2, 'bot', 'fact', 'We', 'We are.', 'member', 'app'",
  },
  "memories.run_id": {
    to: "run",
    columns: "run_id, scope, kind, subject, value, provenance, source",
    values: "$2, 'organisation', 'fact', 'We', 'We are.', 'run', 'run'",
  },
  ...Object.fromEntries(
    ["supersedes", "superseded_by"].map((column) => [
      `memories.${column}`,
      {
        to: "memory",
        columns: `${column}, scope, kind, subject, value, provenance, source`,
        values: "$2, 'organisation', 'fact', 'We', 'We are.', 'member', 'app'",
      },
    ]),
  ),
  "memory_history.bot_id": { to: "bot", columns: `bot_id, scope, ${past}`, values: `$2, 'bot', ${said}` },
  "memory_history.key_id": {
    to: "spare_key",
    columns: `key_id, scope, ${past}`,
    values: `$2, 'organisation', ${said}`,
  },
  "erasures.key_id": {
    to: "spare_key",
    columns: "key_id, erased_by, subject_kind, memories, history, proposals",
    values: "$2, :person, 'member', 1, 0, 0",
  },
  "runs.parent_run_id": {
    to: "run",
    columns: "parent_run_id, bot_id, conversation_id, person_id, trigger",
    values: "$2, :bot, :conversation, :person, 'api'",
  },
  "runs.retry_of": {
    to: "run",
    columns: "retry_of, bot_id, conversation_id, person_id, trigger",
    values: "$2, :bot, :conversation, :person, 'api'",
  },
  "runs.routine_id": {
    to: "routine",
    columns: "routine_id, bot_id, conversation_id, person_id, trigger",
    values: "$2, :bot, :conversation, :person, 'routine'",
  },
  "routines.bot_id": { to: "bot", columns: routine, values: "$2, null, 'Daily', '0 9 * * *', 'UTC', 'Hello', :person" },
  "routines.last_run_id": {
    to: "run",
    columns: routine,
    values: ":bot, $2, 'Daily', '0 9 * * *', 'UTC', 'Hello', :person",
  },
  "hooks.bot_id": { to: "bot", columns: hook, values: "$2, null, 'Alerts', '', sha256('bot'), :person" },
  "hooks.last_run_id": { to: "run", columns: hook, values: ":bot, $2, 'Alerts', '', sha256('run'), :person" },
  "hook_receipts.hook_id": { to: "hook", columns: receipt, values: "$2, :run, sha256('hook'), sha256('')" },
  "hook_receipts.run_id": { to: "run", columns: receipt, values: ":hook, $2, sha256('run'), sha256('')" },
  "approvals.run_id": { to: "run", columns: asks, values: `$2, :conversation, :bot, ${proposal}` },
  "approvals.conversation_id": {
    to: "conversation",
    columns: asks,
    values: `:run, $2, :bot, ${proposal}`,
  },
  "approvals.bot_id": { to: "bot", columns: asks, values: `:run, :conversation, $2, ${proposal}` },
  "deliveries.endpoint_id": {
    to: "endpoint",
    columns: "endpoint_id, event_id, event",
    values: "$2, :event, 'run.finished'",
  },
  "deliveries.event_id": {
    to: "event",
    columns: "event_id, endpoint_id, event",
    values: "$2, :endpoint, 'run.finished'",
  },
  "delivery_attempts.delivery_id": {
    to: "delivery",
    columns: "delivery_id, endpoint_id, number, trigger, started_at, duration_ms",
    values: "$2, :endpoint, 1, 'scheduled', now(), 1",
  },
};

let db: TestDatabase;
let ours: Seeded;
let theirs: Seeded;

beforeAll(async () => {
  db = await testDatabase();
  await seedService(db);
  await db.sql("alter table app.memories disable trigger _100_require_superseded"); // refuses before the foreign key
  ours = await seedOrganisation(db);
  theirs = await seedOrganisation(db);
  for (const { ids } of [ours, theirs]) {
    ids.fresh_key = ids.spare_key ?? "";
    await db.sql("delete from app.api_key_uses where key_id = $1", [ids.fresh_key]); // a key is created with its one row of use
  }
});

afterAll(() => db.drop());

/** Writes a row of our organisation that refers to this id. Returns the error message without the id. */
async function refer(column: string, id: string | undefined): Promise<unknown> {
  const { columns, values } = references[column] as (typeof references)[string];
  const placed = values.replace(/:([a-z_]+)/g, (_, name: string) =>
    name === "person" ? `'${ours.owner}'` : `'${ours.ids[name]}'`,
  );
  try {
    await db.sql(`insert into app.${column.split(".")[0]} (organisation_id, ${columns}) values ($1, ${placed})`, [
      ours.ids.organisation,
      id,
    ]);
    return "written";
  } catch (error) {
    const { code, constraint, message, detail } = error as Record<string, string>;
    return { code, constraint, message, detail: detail?.replace(id ?? "", "(id)") };
  }
}

test("the list contains every foreign key between tenant tables", async () => {
  const found = await db.sql<{ name: string }>(
    // Without partitions, which inherit the reference. Triggers that replace a foreign key have the name of a
    // constraint.
    `select distinct source.relname || '.' || attname as name
     from pg_constraint
     join pg_class source on source.oid = coalesce(pg_partition_root(conrelid), conrelid)
       and source.relnamespace = 'app'::regnamespace
     join pg_attribute on attrelid = conrelid and attnum = any (conkey) and attname <> 'organisation_id'
     where contype = 'f' and exists (
       select from pg_attribute where attrelid = confrelid and attname = 'organisation_id'
     )
     union
     select 'deliveries.event_id'
     from pg_trigger
     where tgrelid = 'app.deliveries'::regclass and tgname = '_050_require_event' and tgenabled = 'O'`,
  );
  expect(Object.keys(references).sort()).toEqual(found.map(({ name }) => name).sort());
});

test.each(Object.keys(references))("%s refuses a row of another organisation", async (column) => {
  const { to } = references[column] as (typeof references)[string];
  const [{ id }] = (await db.sql<{ id: string }>("select uuidv7() as id")) as [{ id: string }];
  const missing = await refer(column, id);
  expect(missing).toMatchObject({ code: "23503" });
  expect(await refer(column, theirs.ids[to])).toEqual(missing);
  expect(await refer(column, ours.ids[to])).toBe("written");
});
