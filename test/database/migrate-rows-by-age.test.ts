/**
 * A database of the time before steps lay in weeks and answers in days: what lies in it is carried over, and nobody waits
 * for long.
 */
import { Client } from "pg";
import { migrate } from "../../src/database/migrate.ts";
import { databaseBefore, dropDatabase, sharedServer } from "../support/migrated.ts";
import { query } from "../support/query.ts";

const server = sharedServer();
let url: string;

beforeAll(async () => {
  url = await databaseBefore(server, "000021");
});

afterAll(() => dropDatabase(server, url));

const rows = {
  steps: "select to_jsonb(step) as step from app.steps step order by run_id, number",
  told: "select to_jsonb(event) as event from app.run_events event order by run_id, number",
  answers: `select to_jsonb(record) - 'ring_day' as record from app.idempotency_records record
    where created_at > now() - interval '24 hours' order by digest`,
  taken: `select to_jsonb(receipt) - 'ring_day' as receipt from app.hook_receipts receipt
    where created_at > now() - interval '24 hours' order by digest`,
};

const snapshot = async () =>
  Object.fromEntries(
    await Promise.all(Object.entries(rows).map(async ([of, text]) => [of, await query<object>(url, text)] as const)),
  );

/** Runs of half a year and of the days to come, as on a Monday, with a step each; answers and receipts of three days. */
const fill = `
  with organisation as (insert into app.organisations (name) values ('Before') returning id),
  person as (insert into app.people (email) values ('ada@example.test') returning id),
  bot as (
    insert into app.bots (organisation_id, name, owner_id) select organisation.id, 'Ada', person.id
    from organisation, person returning organisation_id, id, owner_id
  ),
  hook as (
    insert into app.hooks (organisation_id, bot_id, name, secret_sealed, secret_digest, created_by)
    select organisation_id, id, 'CI', 'sealed', sha256('secret'), owner_id from bot returning id
  ),
  conversation as (
    insert into app.conversations (organisation_id, bot_id, person_id) select organisation_id, id, owner_id from bot
    returning organisation_id, bot_id, person_id, id
  ),
  run as (
    insert into app.runs (organisation_id, id, bot_id, conversation_id, person_id, trigger, state, finished_at, steps)
    select organisation_id, uuidv7((nth - 180) * interval '1 day'), bot_id, id, person_id, 'api', 'completed', now(), 1
    from conversation, generate_series(1, 190) nth
    returning organisation_id, id
  ),
  step as (
    insert into app.steps (organisation_id, run_id, number, kind) select organisation_id, id, 1, 'think' from run
  ),
  told as (
    insert into app.run_events (organisation_id, run_id, number, step_number) select organisation_id, id, 1, 1 from run
  ),
  taken as (
    insert into app.hook_receipts (organisation_id, hook_id, digest, body_digest, run_id, created_at)
    select run.organisation_id, hook.id, sha256(run.id::text::bytea), sha256('body'), run.id,
      now() - row_number() over () * interval '22 minutes'
    from run, hook
  )
  insert into app.idempotency_records (organisation_id, key_id, digest, fingerprint, status, body, request_id, created_at)
  select organisation_id, id, sha256(id::text::bytea), sha256('body'), 200, '{}', id,
    now() - row_number() over () * interval '22 minutes'
  from run`;

test("who reads for long is not waited for without end; then every row is there as it was, in its week or its day", async () => {
  await query(url, fill);
  const before = await snapshot();
  expect(before.steps).toHaveLength(190);
  expect(before.told).toHaveLength(190);
  expect(before.answers?.length).toBeGreaterThan(60);

  const reader = new Client({ connectionString: url });
  await reader.connect();
  await reader.query("begin; select from app.steps");
  await expect(migrate({ adminUrl: url, key: server.key, rebuild: false })).rejects.toThrow("lock timeout");
  await reader.end();
  expect(await snapshot()).toEqual(before);

  await migrate({ adminUrl: url, key: server.key, rebuild: false });
  expect(await snapshot()).toEqual(before);

  // What was before is one partition, and what is of the weeks since yesterday's lies in those.
  const [lies] = await query<Record<string, number>>(
    url,
    `select
       count(*) filter (where jobs.is_open_downwards(tableoid) = (run_id < jobs.least_id(date_trunc('week', now() - interval '1 day', 'UTC') + interval '7 days')))::integer as in_place,
       count(distinct tableoid)::integer as weeks
     from app.steps`,
  );
  expect(lies?.in_place).toBe(190);
  expect(lies?.weeks).toBeGreaterThan(1);
  expect(
    await query(
      url,
      "select from app.idempotency_records where tableoid::regclass::text <> 'partitions.idempotency_records_' || jobs.ring_day(created_at)",
    ),
  ).toEqual([]);
  await expect(
    query(
      url,
      "update app.run_events set step_number = 2 where run_id = (select run_id from app.steps order by run_id desc limit 1)",
    ),
  ).rejects.toMatchObject({ code: "23503" });
  expect(await query(url, "select * from audit.findings")).toEqual([]);
});
