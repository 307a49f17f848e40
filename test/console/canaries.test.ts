/**
 * Data that operators cannot read through the console: texts, secrets, digests, and parts of URLs that
 * may be credentials: of a path only plain words are shown.
 * A canary is written into each such column, and all views and fields are scanned for it.
 */
import { everything } from "../support/every-field.ts";
import { setOldUrl } from "../support/old-urls.ts";
import { savedQueries } from "../support/saved-queries.ts";
import { addFailures, cases } from "./cases.ts";
import { seededConsoleOfFile } from "./seeded.ts";

/** Hidden columns by table. Each gets a canary. */
const hidden: Record<string, string[]> = {
  bots: ["instructions"],
  messages: ["text"],
  run_metadata: ["key", "value"],
  memories: ["kind", "subject", "value", "source"],
  memory_history: ["former"],
  approvals: ["question", "reason", "comment", "token_digest"],
  routines: ["message"],
  hooks: ["secret_sealed", "secret_digest"],
  hook_receipts: ["digest", "body_digest"],
  webhook_endpoints: ["secret_sealed"],
  audit_streams: ["secret_sealed"],
  events: ["data"],
  mails: ["data", "token_sealed"],
  invitations: ["token_digest"],
  api_keys: ["digest"],
  platform_keys: ["digest"],
  operator_tokens: ["digest"],
  idempotency_records: ["digest", "fingerprint", "body", "sealed"],
};

const here = seededConsoleOfFile(async ({ db, seeded }) => {
  await addFailures(db, seeded.ids);
  // With triggers, so that the audit log gets entries.
  await db.sql(
    "update app.webhook_endpoints set url = 'https://receiver.example/canary7', description = 'shown' where id = $1",
    [seeded.ids.endpoint],
  );
  await db.sql("update app.bots set instructions = 'canary' where id = $1", [seeded.ids.bot]);
  await db.sql("update app.routines set message = 'canary' where id = $1", [seeded.ids.routine]);
  await db.sql("update app.memories set value = 'canary' where id = $1", [seeded.ids.memory]);
  await db.sql("update app.approvals set state = 'refused', answered_at = now() where state = 'pending'"); // for comments
  for (const [table, columns] of Object.entries(hidden)) {
    for (const column of columns) await plant(table, column);
  }
  await setOldUrl(db, null, "https://canary:canary@receiver.example/canary7/Canary?canary#canary");
  await db.sql("update app.maintenance set last_run_at = now() - interval '1 hour'"); // no worker runs in this test
});

/** Writes a canary into every row, as text, bytes or JSON. */
async function plant(table: string, column: string): Promise<void> {
  await here.db.sql(`
    begin;
    set local session_replication_role = replica;
    do $plant$
    declare
      type text := (select format_type(atttypid, null) from pg_attribute where attrelid = 'app.${table}'::regclass and attname = '${column}');
    begin
      execute format(
        'update app.${table} set ${column} = %s',
        case type
          when 'text' then $$'canary'$$
          when 'bytea' then $$convert_to('canary' || substr(md5(random()::text), 1, 26), 'utf8')$$
          else format($$'{"canary": "canary"}'::%s$$, type)
        end
      );
    end
    $plant$;
    commit`);
  const rows = await here.db.sql(
    `select from app.${table} where ${column}::text like '%canary%' or ${column}::text like '%63616e617279%'`,
  );
  expect([`${table}.${column}`, rows.length > 0]).toEqual([`${table}.${column}`, true]);
}

/** The canary as text, hex and base64. */
const canary = /canary|63616e617279|Y2FuYXJ5/i;

test("no view of schema operator returns a canary", async () => {
  const operator = here.db.poolAs("operator", 1);
  const views = await here.db.sql<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'operator'::regnamespace and relkind = 'v' and has_table_privilege('operator', oid, 'select')
     order by relname`,
  );
  const empty: string[] = [];
  for (const { name } of views) {
    const { rows } = await operator.query<{ row: string }>(
      `select row_to_json(view)::text as row from operator.${name} view`,
    );
    if (rows.length === 0) empty.push(name);
    for (const { row } of rows) expect(row).not.toMatch(canary);
  }
  // Views without rows prove nothing; these are empty in this database.
  expect(empty).toEqual([
    "expired_approvals",
    "failing_jobs",
    "failing_mails",
    "failing_streams",
    "late_deliveries",
    "lost_secrets",
    "organisations_at_limit",
    "reached_limits",
    "silent_executors",
    "stuck_run_queues",
    "unfinished_deletions",
    "workers",
  ]);
});

test("no saved query returns a canary", async () => {
  for (const [name, source] of Object.entries(savedQueries)) {
    const variables = {
      organisation: here.seeded.ids.organisation,
      first: 50,
      ...cases[name]?.(here.seeded.ids).variables,
    };
    const { data, errors } = await here.asker.ask(source, variables);
    expect(errors).toEqual([]);
    expect(JSON.stringify(data)).not.toMatch(canary);
  }
});

test("no field of any GraphQL type returns a canary", async () => {
  const { fields, shown: text } = await everything(here.asker, here.seeded.ids);
  expect(text).not.toMatch(canary);
  for (const field of [
    "Organisation.name",
    "Delivery.state",
    "DeliveryAttempt.durationMs",
    "Step.kind",
    "Approval.mailed",
  ]) {
    expect(fields).toContain(field);
  }
  expect(
    fields.filter((field) =>
      /digest|secret|sealed|\.(url|text|instructions|question|proposal|message|leaseId)$/i.test(field),
    ),
  ).toEqual([]);
});

test("search finds no canary, and its results contain none", async () => {
  for (const query of [
    "canary",
    "receiver.example",
    here.seeded.ids.message,
    here.seeded.ids.memory,
    here.seeded.ids.event,
    "guest@example.test",
  ]) {
    const { data, errors } = await here.asker.ask(savedQueries.search ?? "", { query });
    expect(errors).toEqual([]);
    expect(JSON.stringify(data)).not.toMatch(canary);
  }
});
