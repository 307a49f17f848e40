/**
 * The plans for memories, runs, steps and idempotent responses with ten million rows of each, as plans.test.ts checks
 * them for deliveries. The fixture has thousands of rows and statistics of millions.
 */
import { randomBytes } from "node:crypto";
import { makeKey, makeOrganisation, type TestDatabase, type TestKey, testDatabase } from "../support/database.ts";
import { callOperation, operationCases, type PlanCases, testPlans } from "../support/plan-cases.ts";
import { logPlans, multiplyStatistics } from "../support/plans.ts";
import { fillRuns, weeks } from "./plan-rows.ts";

const executor = "01890000-0000-7000-8000-0000000000ec";
const tables = ["memories", "runs", "conversations"];

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
  await fillRuns(db, executor);
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

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000).toISOString();

const call = (operation: string, input: object, idempotency?: Buffer) =>
  callOperation(key.digest, operation, input, idempotency);

const calls = operationCases(() => key.digest);

const contents = { scope: "organisation", kind: "fact", subject: "We", value: "We are.", subjectKind: "organisation" };
const newMemory = { ...contents, confidence: 1, lawfulBasis: "legitimate_interests" };

/** Indexes of a table without partitions, by their names after the table's. */
const eachOnce = (table: string, names: string) =>
  Object.fromEntries(names.split(" ").map((name) => [`${table} by ${table}_${name}`, 1]));

const withMetadata = { "runs by runs_pkey": 1, "run_metadata by run_metadata_pkey": 1 };

const openStates = "blocked paused pkey queued waiting working";
const triggers = "started_by_api started_by_message started_by_routine started_by_webhook";
/** Each state by its partial index; completed runs, the majority, by the primary key. Each trigger by its index. */
const runsInAState = eachOnce("runs", `${openStates} cancelled halted ${triggers}`);

const ownMembership = {
  ...eachOnce("memberships", "pkey organisation_id_id_key by_person"),
  ...eachOnce("people", "by_address by_start_of_address pkey"), // both also by the whole address
};

const keysInAState = {
  ...ownMembership,
  ...eachOnce("api_keys", "by_digest by_id pkey revoked unrevoked unrevoked_by_expiry"),
};

const openRuns = {
  "memories by memories_of_bot": 1,
  "run_events by run_events_pkey": weeks + 1, // the weeks of the open runs
  ...eachOnce("runs", `${openStates} one_working`),
};

/** The memories about a subject: of one owner, or if these are most of them, of all. */
const beside = { "memories by memories_of_owner_and_subject": 1, "memories by memories_of_subject": 1 };

/** Functions, because the run exists only after beforeAll. */
const readsOfStream = {
  "runs by runs_pkey": 1,
  "conversations by conversations_by_id": 1,
  "run_events by run_events_pkey": 1,
  "steps by steps_pkey": 1,
};

const cases: PlanCases = {
  "one memory": calls("get_memory", () => ({ id: memory }), { "memories by memories_pkey": 1, ...beside }, 12),
  "the first page of memories in conflict": calls(
    "list_memories",
    () => ({ conflicts: "true" }),
    { "memories by memories_pkey": 1, "memories by memories_contested": 1, ...beside },
    1_000,
  ),
  "the first page of memories": calls("list_memories", () => ({}), { "memories by memories_pkey": 1 }, 51),
  "a later page of memories": calls("list_memories", () => ({ after: memory }), { "memories by memories_pkey": 1 }, 51),
  "memories that match a rare word": calls(
    "list_memories",
    () => ({ q: "w4711" }),
    // Whether the organisation has many memories is counted by any index that begins with it.
    { "memories by memories_by_lexemes": 1, "memories by memories_pkey": 1, ...beside },
    20,
  ),
  "one run": calls("get_run", () => ({ id: run }), withMetadata, 2),
  "the first page of runs": calls("list_runs", () => ({}), withMetadata, 51),
  ...Object.fromEntries(
    ["queued", "running", "waiting_approval", "blocked", "paused_limit", "completed", "failed", "cancelled"].map(
      (state) => [
        `the runs that are ${state}`,
        calls("list_runs", () => ({ state }), runsInAState, state === "completed" ? 60 : state === "queued" ? 40 : 20),
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
      calls("list_runs", () => filter, runsInAState, 51),
    ]),
  ),
  ...Object.fromEntries(
    [{ parity: "even" }, { parity: "odd", number: "4711" }, { parity: "odd", half: "1" }].map((metadata) => [
      `the runs with the metadata ${JSON.stringify(metadata)}`,
      calls("list_runs", () => ({ metadata }), { ...withMetadata, "run_metadata by run_metadata_by_pair": 1 }, 2_500),
    ]),
  ),
  "the runs of a week": calls(
    "list_runs",
    () => ({ since: daysAgo(21), until: daysAgo(14) }),
    { "runs by runs_pkey": 1 },
    51,
  ),
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
  "the runs of a bot": calls(
    "list_runs",
    () => ({ botId: bot }),
    { "runs by runs_pkey": 1, "runs by runs_of_bot": 1 },
    51,
  ),
  "the runs of a bot that has none": calls("list_runs", () => ({ botId: idle }), { "runs by runs_of_bot": 1 }, 0),
  "the runs of a bot that wait for an approval": calls(
    "list_runs",
    () => ({ botId: bot, state: "waiting_approval" }),
    runsInAState,
    20,
  ),
  "the completed runs of a bot that has none": calls(
    "list_runs",
    () => ({ botId: idle, state: "completed" }),
    { "runs by runs_of_bot": 1 },
    0,
  ),
  "the steps of a run": calls(
    "list_run_steps",
    () => ({ id: run }),
    { "runs by runs_pkey": 1, "steps by steps_pkey": 1 },
    5,
  ),
  "the events of a run": calls("watch_run", () => ({ id: run, after: 0 }), readsOfStream, 20),
  "the events and deltas of a run": calls(
    "watch_run",
    () => ({ id: run, after: 0, include: "deltas" }),
    readsOfStream,
    21,
  ),
  "the creation of a memory with its idempotent response": () => ({
    role: "server",
    work: call("create_memory", newMemory, randomBytes(32)),
    reads: { "idempotency_records by idempotency_records_pkey": 3, "memories by memories_pkey": 1, ...beside },
    rows: 6,
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
  "the start of a run": calls(
    "start_run",
    () => ({ botId: bot, message: "Hello?", untrusted: false }),
    {
      "conversations by conversations_by_id": 1,
      "conversations by conversations_organisation_id_bot_id_person_id_key": 1,
      "run_events by run_events_pkey": 1,
      "runs by runs_organisation_id_conversation_id_id_key": 1,
      "runs by runs_pkey": 1,
    },
    60,
  ),
  "the deletion of a bot with open runs": calls(
    "delete_bot",
    () => ({ id: bot }),
    { ...openRuns, "memories by memories_pkey": 1, "step_results by step_results_of_conversation": weeks + 1 + 5 },
    200,
  ),
  "the removal of a member": calls("remove_member", () => ({ userId: member }), openRuns, 200),
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
      "runs by runs_postponed": 1,
      "runs by runs_one_working": 1,
      "runs by runs_paused_until": 1,
      "runs by runs_pkey": 1,
      "runs by runs_queued": 1,
      "runs by runs_settling_key": 1,
      "runs by runs_working": 1,
      "step_results by step_results_pkey": 1,
      "steps by steps_pkey": 1,
    },
    rows: 60,
  }),
  retention: () => ({
    role: "worker",
    work: (client) => client.query("select jobs.truncate_day(), jobs.drop_partition()"),
    reads: {
      "deliveries by deliveries_of_event": weeks + 1 + 5, // also the empty weeks ahead, as in plans.test.ts
      "runs by runs_organisation_id_conversation_id_id_key": 1,
      "step_results by step_results_pkey": 1,
    },
    rows: 12, // until an open run is found
  }),
};

testPlans(() => db, cases, tables);
