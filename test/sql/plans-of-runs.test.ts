/**
 * The plans for memories, runs, steps and idempotent responses with ten million rows of each, as plans.test.ts checks
 * them for deliveries. The fixture has thousands of rows and statistics of millions.
 */
import { randomBytes } from "node:crypto";
import { makeKey, makeOrganisation, type TestDatabase, type TestKey, testDatabase } from "../support/database.ts";
import { callOperation, type PlanCases, testPlans } from "../support/plan-cases.ts";
import { logPlans, multiplyStatistics } from "../support/plans.ts";

const executor = "01890000-0000-7000-8000-0000000000ec";
const tables = ["memories", "runs", "conversations"];
const weeks = 6; // before this week, as long as the fixture's rows reach back

let db: TestDatabase;
let key: TestKey;
let bot: string;
let idle: string;
let member: string;
let run: string; // completed about three weeks ago
let memory: string;
const storedDigest = randomBytes(32);

beforeAll(async () => {
  db = await testDatabase();
  const { id, ownerId } = await makeOrganisation(db);
  await makeOrganisation(db);
  key = await makeKey(db, id, ownerId, "admin");
  await fill();
  await multiplyStatistics(db, { rows: 1_000, organisations: 200, endpoints: 1_000 });
  await logPlans(db);
  const [found] = await db.sql<{ bot: string; run: string; memory: string }>(
    `select bot.id as bot,
       (select id from app.runs where organisation_id = $1 and state = 'completed' and id < uuidv7(interval '-21 days') order by id desc limit 1) as run,
       (select id from app.memories where organisation_id = $1 and id < uuidv7(interval '-21 days') order by id desc limit 1) as memory
     from app.bots bot where bot.organisation_id = $1 and name = 'Ada'`,
    [id],
  );
  ({ bot, run, memory } = found as NonNullable<typeof found>);
  const [joined] = await db.sql(
    `insert into app.memberships (organisation_id, person_id, role)
     select $1, id, 'member' from app.people where email = 'person1@example.test' returning person_id`,
    [id],
  );
  member = joined?.person_id;
  idle = (await db.sql("select id from app.bots where organisation_id = $1 and name = 'Idle'", [id]))[0]?.id;
  await db.sql(
    `insert into app.idempotency_records (organisation_id, key_id, digest, fingerprint, status, body, request_id)
     values ($1, $2, $3, sha256('same'), 201, '{}', uuidv7())`,
    [id, key.id, storedDigest],
  );
});

afterAll(() => db.drop());

/**
 * Two organisations with 6,000 memories and 6,000 runs each, from six weeks; each run has a step. In each organisation
 * one run in a thousand is queued, in a conversation of its own. As many or fewer are in each other rare state; most
 * are completed, and were started by the API. Each run's conversation has an expired key of a person; a quarter of these
 * are revoked. A second bot of each organisation has no runs. The idempotent responses are from the last two days.
 */
async function fill(): Promise<void> {
  await db.sql(`
    insert into app.executors (id, name, models) values ('${executor}', 'plans', '{recall}');
    insert into app.bots (organisation_id, name, owner_id)
    select organisation_id, 'Ada', person_id from app.memberships where role = 'owner';
    insert into app.bots (organisation_id, name, owner_id)
    select organisation_id, 'Idle', person_id from app.memberships where role = 'owner';
    begin;
    set local session_replication_role = replica;
    select jobs.make_week(date_trunc('week', now(), 'UTC') - week * interval '7 days') from generate_series(1, ${weeks}) week;
    insert into app.people (email) select 'person' || n || '@example.test' from generate_series(1, 1500) n;
    insert into app.conversations (organisation_id, bot_id, person_id)
    select bot.organisation_id, bot.id, person.id from app.bots bot, app.people person where bot.name = 'Ada';
    create temporary table made as
    select talk.organisation_id, talk.bot_id, talk.id as conversation_id, talk.person_id, age, number,
      uuidv7(-age) as id, number % 1000 < 2 as waits
    from generate_series(12000, 1, -1) number,
      lateral (select number * interval '42 days' / 12000) as aged (age),
      lateral (
        select * from (select *, row_number() over (order by organisation_id, id) as place from app.conversations) talk
        where place = 1 + number * 1501 % 3000
      ) talk;
    insert into app.runs (organisation_id, id, bot_id, conversation_id, person_id, trigger, state, steps, finished_at)
    select organisation_id, id, bot_id, conversation_id, person_id,
      (case number % 1000 when 600 then 'routine' when 601 then 'webhook' when 602 then 'message' else 'api' end)::app.run_trigger,
      (case when waits then 'queued' else state end)::app.run_state, 1,
      case when not waits and state in ('completed', 'failed', 'cancelled') then now() end
    from made, lateral (
      select case number % 1000 when 500 then 'failed' when 501 then 'cancelled' when 503 then 'blocked'
        else case when number in (502, 1502, 2502) then 'waiting_approval' else 'completed' end end
    ) as ended (state);
    update app.conversations talk set next_run_id = made.id, next_model = 'recall' from made
    where made.waits and talk.organisation_id = made.organisation_id and talk.id = made.conversation_id;
    insert into app.api_keys (organisation_id, name, prefix, digest, scope, created_by, expires_at, revoked_at)
    select organisation_id, 'CI', 'bsk_01234567', sha256(id::text::bytea), 'read', person_id,
      now() - age, case when number % 4 = 0 then now() end
    from made;
    insert into app.steps (organisation_id, run_id, number, kind) select organisation_id, id, 1, 'answer' from made;
    insert into app.run_events (organisation_id, run_id, number, state, taint, steps, spend_micro_cents)
    select organisation_id, id, 1, 'queued', false, 0, 0 from made;
    insert into app.run_events (organisation_id, run_id, number, step_number) select organisation_id, id, 2, 1 from made;
    insert into app.memories (organisation_id, id, scope, kind, subject, value, provenance, source, search_vector)
    select organisation_id, id, 'organisation', 'fact', 'We', 'We keep w' || number, 'member', 'app',
      search.vector('english', 'We', 'fact', 'We keep w' || number)
    from made;
    insert into app.idempotency_records (organisation_id, key_id, digest, fingerprint, status, body, request_id, created_at, day_partition)
    select organisation_id, bot_id, sha256(id::text::bytea), sha256(''), 201, '{}', id, now() - age / 21, times.day_partition(now() - age / 21)
    from made;
    commit;
    drop table made;
    analyze app.memories, app.runs, app.conversations, app.api_keys`);
}

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000).toISOString();

const call = (operation: string, input: object, idempotency?: Buffer) =>
  callOperation(key.digest, operation, input, idempotency);

const contents = { scope: "organisation", kind: "fact", subject: "We", value: "We are.", subjectKind: "organisation" };
const newMemory = { ...contents, confidence: 1, lawfulBasis: "legitimate_interests" };

/** Each state by its partial index; completed runs, the majority, by the primary key. Each trigger by its index. */
const runsInAState = {
  "runs by runs_blocked": 1,
  "runs by runs_cancelled": 1,
  "runs by runs_halted": 1,
  "runs by runs_paused": 1,
  "runs by runs_pkey": 1,
  "runs by runs_queued": 1,
  "runs by runs_started_by_api": 1,
  "runs by runs_started_by_message": 1,
  "runs by runs_started_by_routine": 1,
  "runs by runs_started_by_webhook": 1,
  "runs by runs_waiting": 1,
  "runs by runs_working": 1,
};

const ownMembership = {
  "memberships by memberships_pkey": 1,
  "memberships by memberships_organisation_id_id_key": 1,
  "memberships by memberships_by_person": 1,
  "people by people_by_address": 1,
  "people by people_by_start_of_address": 1, // by the whole address too
  "people by people_pkey": 1,
};

const keysInAState = {
  ...ownMembership,
  "api_keys by api_keys_by_digest": 1,
  "api_keys by api_keys_by_id": 1,
  "api_keys by api_keys_pkey": 1,
  "api_keys by api_keys_revoked": 1,
  "api_keys by api_keys_unrevoked": 1,
  "api_keys by api_keys_unrevoked_by_expiry": 1,
};

const openRuns = {
  "memories by memories_of_bot": 1,
  "run_events by run_events_pkey": weeks + 1, // the weeks of the open runs
  "runs by runs_blocked": 1,
  "runs by runs_one_working": 1,
  "runs by runs_paused": 1,
  "runs by runs_pkey": 1,
  "runs by runs_queued": 1,
  "runs by runs_waiting": 1,
  "runs by runs_working": 1,
};

/** Functions, because the run exists only after beforeAll. */
const cases: PlanCases = {
  "one memory": () => ({
    role: "server",
    work: call("get_memory", { id: memory }),
    reads: { "memories by memories_pkey": 1 },
    rows: 2,
  }),
  "the first page of memories": () => ({
    role: "server",
    work: call("list_memories", {}),
    reads: { "memories by memories_pkey": 1 },
    rows: 51,
  }),
  "a later page of memories": () => ({
    role: "server",
    work: call("list_memories", { after: memory }),
    reads: { "memories by memories_pkey": 1 },
    rows: 51,
  }),
  "memories that match a rare word": () => ({
    role: "server",
    work: call("list_memories", { q: "w4711" }),
    reads: { "memories by memories_by_lexemes": 1, "memories by memories_pkey": 1 },
    rows: 20,
  }),
  "one run": () => ({
    role: "server",
    work: call("get_run", { id: run }),
    reads: { "runs by runs_pkey": 1 },
    rows: 2,
  }),
  "the first page of runs": () => ({
    role: "server",
    work: call("list_runs", {}),
    reads: { "runs by runs_pkey": 1 },
    rows: 51,
  }),
  ...Object.fromEntries(
    ["queued", "running", "waiting_approval", "blocked", "paused_limit", "completed", "failed", "cancelled"].map(
      (state) => [
        `the runs that are ${state}`,
        () => ({
          role: "server" as const,
          work: call("list_runs", { state }),
          reads: runsInAState,
          rows: state === "completed" ? 60 : state === "queued" ? 40 : 20, // queued runs are collected first
        }),
      ],
    ),
  ),
  ...Object.fromEntries(
    [
      { trigger: "routine" },
      { trigger: "webhook", state: "completed" },
      { trigger: "message", state: "failed" },
      { trigger: "api" },
      { trigger: "routine", since: daysAgo(14) },
    ].map((filter) => [
      `the runs with ${Object.keys(filter)} ${filter.trigger}`,
      () => ({ role: "server" as const, work: call("list_runs", filter), reads: runsInAState, rows: 51 }),
    ]),
  ),
  "the runs of a week": () => ({
    role: "server",
    work: call("list_runs", { since: daysAgo(21), until: daysAgo(14) }),
    reads: { "runs by runs_pkey": 1 },
    rows: 51,
  }),
  "the member with an address": () => ({
    role: "server",
    work: call("list_members", { email: "Person1@example.test" }),
    tables: ["people", "memberships"],
    reads: ownMembership,
    rows: 20,
  }),
  ...Object.fromEntries(
    (["live", "expired", "revoked"] as const).map((state) => [
      `the ${state} keys`,
      () => ({
        role: "server" as const,
        work: call("list_keys", { state }),
        tables: ["api_keys", "memberships"],
        reads: keysInAState,
        rows: state === "live" ? 30 : 220, // the ids of a page, its keys, and the memberships of their people
      }),
    ]),
  ),
  "keys that will expire": () => ({
    role: "worker",
    work: (client) => client.query("select jobs.announce_expiring_keys()"),
    tables: ["api_keys"],
    reads: { "api_keys by api_keys_to_announce": 1, "api_keys by api_keys_pkey": 1 },
    rows: 10, // of 9,000 keys that expired unannounced, none
  }),
  "the runs of a bot": () => ({
    role: "server",
    work: call("list_runs", { botId: bot }),
    reads: { "runs by runs_pkey": 1, "runs by runs_of_bot": 1 },
    rows: 51,
  }),
  "the runs of a bot that has none": () => ({
    role: "server",
    work: call("list_runs", { botId: idle }),
    reads: { "runs by runs_of_bot": 1 },
    rows: 0,
  }),
  "the runs of a bot that wait for an approval": () => ({
    role: "server",
    work: call("list_runs", { botId: bot, state: "waiting_approval" }),
    reads: runsInAState,
    rows: 20,
  }),
  "the completed runs of a bot that has none": () => ({
    role: "server",
    work: call("list_runs", { botId: idle, state: "completed" }),
    reads: { "runs by runs_of_bot": 1 },
    rows: 0,
  }),
  "the steps of a run": () => ({
    role: "server",
    work: call("list_run_steps", { id: run }),
    reads: { "runs by runs_pkey": 1, "steps by steps_pkey": 1 },
    rows: 5,
  }),
  "the events of a run": () => ({
    role: "server",
    work: call("watch_run", { id: run, after: 0 }),
    reads: { "runs by runs_pkey": 1, "run_events by run_events_pkey": 1, "steps by steps_pkey": 1 },
    rows: 20,
  }),
  "the creation of a memory with its idempotent response": () => ({
    role: "server",
    work: call("create_memory", newMemory, randomBytes(32)),
    reads: { "idempotency_records by idempotency_records_pkey": 3, "memories by memories_pkey": 1 },
    rows: 4,
  }),
  "the replay of an idempotent response": () => ({
    role: "server",
    work: (client) =>
      client.query("select api.handle($1, 'create_memory', '{}', null, uuidv7(), $2, sha256('same'), null)", [
        key.digest,
        storedDigest,
      ]),
    reads: { "idempotency_records by idempotency_records_pkey": 3 },
    rows: 1,
  }),
  "the start of a run": () => ({
    role: "server",
    work: call("start_run", { botId: bot, message: "Hello?", untrusted: false }),
    reads: {
      "conversations by conversations_by_id": 1,
      "conversations by conversations_organisation_id_bot_id_person_id_key": 1,
      "run_events by run_events_pkey": 1,
      "runs by runs_organisation_id_conversation_id_id_key": 1,
      "runs by runs_pkey": 1,
    },
    rows: 60,
  }),
  "the deletion of a bot with open runs": () => ({
    role: "server",
    work: call("delete_bot", { id: bot }),
    reads: { ...openRuns, "memories by memories_pkey": 1 },
    rows: 200,
  }),
  "the removal of a member": () => ({
    role: "server",
    work: call("remove_member", { userId: member }),
    reads: openRuns,
    rows: 200,
  }),
  "the lease of a run, and its first step": () => ({
    role: "runner",
    work: async (client) => {
      const { rows } = await client.query("select runner.lease_run($1) as run", [executor]);
      expect(rows[0].run).not.toBeNull();
      const { organisationId, runId, leaseId } = rows[0].run;
      await client.query("select runner.step($1, $2, $3, 'think')", [organisationId, runId, leaseId]);
    },
    reads: {
      "conversations by conversations_by_id": 1,
      "conversations by conversations_next": 1,
      "memories by memories_of_run": 1,
      "run_events by run_events_pkey": 1,
      "runs by runs_one_working": 1,
      "runs by runs_paused_until": 1,
      "runs by runs_pkey": 1,
      "runs by runs_queued": 1,
      "runs by runs_working": 1,
      "steps by steps_pkey": 1,
    },
    rows: 60,
  }),
  retention: () => ({
    role: "worker",
    work: (client) => client.query("select jobs.truncate_day(), jobs.drop_partition()"),
    reads: { "deliveries by deliveries_of_event": weeks + 1 + 5 }, // also the empty weeks ahead, as in plans.test.ts
    rows: 0,
  }),
};

testPlans(() => db, cases, tables);
