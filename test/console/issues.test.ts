/** operator.issues: when each category appears, its severity and page, and when it disappears. */
import { makeMember, makeOrganisation, setLimits, type TestDatabase, testDatabase } from "../support/database.ts";
import { quietly } from "../support/quietly.ts";
import { type Asker, askerOf, savedQueries } from "../support/saved-queries.ts";

let db: TestDatabase;
let asker: Asker;
let organisation: string;
let owner: string;
let bot: string;

type Issue = Record<"severity" | "category" | "description" | "subject" | "page", string> & {
  since: string | null;
  subjectId: string | null;
  organisationId: string | null;
};

beforeAll(async () => {
  db = await testDatabase();
  ({ id: organisation, ownerId: owner } = await makeOrganisation(db));
  bot = await insert("bots", { name: "Ada", owner_id: owner });
  asker = await askerOf(db);
});

afterAll(async () => {
  await asker.end();
  await db.drop();
});

// Each test starts with a recent maintenance run.
beforeEach(() => db.sql("update app.maintenance set last_run_at = now()"));

/** Inserts a row of the organisation without triggers, so that no worker changes it. */
async function insert(table: string, values: Record<string, unknown>): Promise<string> {
  const given = Object.entries({ organisation_id: organisation, id: undefined, ...values }).filter(
    ([, value]) => value !== undefined,
  );
  const names = given.map(([name]) => name);
  const marks = given.map((_, index) => `$${index + 1}`);
  const rows = await db.sql<{ id: string }>(
    `${quietly}
     insert into app.${table} (${names}) select ${given.map(([name], index) => `(jsonb_populate_record(null::app.${table}, jsonb_build_object('${name}', ${marks[index]}::text))).${name}`)} from quiet returning id`,
    given.map(([, value]) => value),
  );
  return rows[0]?.id ?? "";
}

/** Creates a delivery that was due this long ago. */
async function waiting(endpoint: string, ago: string): Promise<string> {
  const event = await insert("events", { kind: "run.finished", data: "{}" });
  const delivery = await insert("deliveries", {
    ...{ endpoint_id: endpoint, event_id: event, event: "run.finished", max_attempts: 5 },
  });
  await db.sql("update app.deliveries set next_attempt_at = now() - $2::interval where id = $1", [delivery, ago]);
  return delivery;
}

async function issues(): Promise<Issue[]> {
  const { data, errors } = await asker.ask(savedQueries.issues ?? "");
  expect(errors).toEqual([]);
  return data.issues.nodes;
}

const of = async (category: string) => (await issues()).filter((issue) => issue.category === category);

test("issues is empty without problems", async () => {
  expect(await issues()).toEqual([]);
});

test("failing_endpoint is a warning while attempts fail, critical once disabled, and absent if an operator or member stopped it", async () => {
  const endpoint = await insert("webhook_endpoints", {
    url: "https://a.example/path?key=1",
    events: "{run.finished}",
    secret_sealed: "\\x00",
  });
  await db.sql("update app.webhook_endpoints set degraded_since = now(), consecutive_failures = 3 where id = $1", [
    endpoint,
  ]);
  expect(await of("failing_endpoint")).toEqual([]); // no pending delivery
  await waiting(endpoint, "-1 hour");
  expect(await of("failing_endpoint")).toMatchObject([
    { severity: "warning", subject: "a.example", page: "endpoint", subjectId: endpoint, organisationId: organisation },
  ]);
  const disable =
    "update app.webhook_endpoints set state = 'disabled', disabled_at = now(), disabled_reason = $2 where id = $1";
  await db.sql(disable, [endpoint, "consecutive_failures"]);
  expect(await of("failing_endpoint")).toMatchObject([
    { severity: "critical", description: "Disabled: consecutive failed deliveries: 3." },
  ]);
  await db.sql(disable, [endpoint, "gone"]);
  expect(await of("failing_endpoint")).toMatchObject([{ description: "Disabled: the receiver responded 410." }]);
  await db.sql(disable, [endpoint, "operator"]);
  expect(await of("failing_endpoint")).toEqual([]);
  await db.sql(
    "update app.webhook_endpoints set state = 'paused', disabled_at = null, disabled_reason = null where id = $1",
    [endpoint],
  );
  expect(await of("failing_endpoint")).toEqual([]);
});

test("failing_stream is a warning while parts fail, critical once disabled, and absent if a person stopped it", async () => {
  await insert("audit_streams", { url: "https://siem.example/path?key=1", secret_sealed: "\\x00" });
  const change = (set: string) =>
    db.sql(`update app.audit_streams set ${set} where organisation_id = $1`, [organisation]);
  expect(await of("failing_stream")).toEqual([]);
  await change("degraded_since = now(), consecutive_failures = 3");
  expect(await of("failing_stream")).toMatchObject([
    { severity: "warning", subject: "siem.example", page: "organisation", subjectId: organisation },
  ]);
  const disabled = (reason: string) => change(`state = 'disabled', disabled_at = now(), disabled_reason = '${reason}'`);
  await disabled("consecutive_failures");
  expect(await of("failing_stream")).toMatchObject([
    { severity: "critical", description: "Disabled: rounds of attempts that failed: 3." },
  ]);
  await disabled("gone");
  expect(await of("failing_stream")).toMatchObject([{ description: "Disabled: the receiver responded 410." }]);
  await disabled("operator");
  expect(await of("failing_stream")).toEqual([]);
  await change("state = 'paused', disabled_at = null, disabled_reason = null");
  expect(await of("failing_stream")).toEqual([]);
  await change("state = 'active', degraded_since = now(), unreadable_since = now()");
  expect(await of("failing_stream")).toEqual([]);
  expect(await of("lost_secret")).toMatchObject([
    { subject: "siem.example", suggestedAction: expect.stringContaining("POST /audit/stream/rotate") },
  ]);
  await db.sql("delete from app.audit_streams where organisation_id = $1", [organisation]);
  expect(await of("lost_secret")).toEqual([]);
});

test("lost_secret names endpoints and hooks until their secrets are replaced or they are deleted", async () => {
  const lost = { secret_sealed: "\\x00", unreadable_since: new Date().toISOString() };
  const endpoint = await insert("webhook_endpoints", { url: "https://l.example/x", events: "{run.finished}", ...lost });
  const hook = await insert("hooks", {
    ...{ bot_id: bot, name: "Alerts", created_by: owner, secret_digest: `\\x${"ab".repeat(32)}` },
    ...lost,
  });
  await waiting(endpoint, "0");
  await db.sql("update app.webhook_endpoints set degraded_since = now() where id = $1", [endpoint]);
  const suggested = (path: string) => ({ suggestedAction: expect.stringContaining(`POST ${path}/rotate`) });
  const critical = { severity: "critical", organisationId: organisation };
  const found = [
    { ...critical, page: "endpoint", subjectId: endpoint, subject: "l.example", ...suggested(`/webhooks/${endpoint}`) },
    { ...critical, page: "organisation", subject: `hook ${hook}`, ...suggested(`/hooks/${hook}`) },
  ];
  expect(await of("lost_secret")).toEqual(expect.arrayContaining(found.map((each) => expect.objectContaining(each))));
  expect(await of("lost_secret")).toHaveLength(2);
  expect(await of("failing_endpoint")).toEqual([]); // the attempts fail for this reason
  await db.sql("update app.hooks set secret_sealed = '\\x01' where id = $1", [hook]);
  await db.sql("update app.webhook_endpoints set deleted_at = now() where id = $1", [endpoint]);
  expect(await of("lost_secret")).toEqual([]);
});

test("late_deliveries appears after five minutes, is critical after fifteen, and ignores paused endpoints", async () => {
  const endpoint = await insert("webhook_endpoints", {
    url: "https://b.example/",
    events: "{run.finished}",
    secret_sealed: "\\x00",
  });
  const delivery = await waiting(endpoint, "0");
  const due = (ago: string) =>
    db.sql(`update app.deliveries set next_attempt_at = now() - interval '${ago}' where id = $1`, [delivery]);
  await due("4 minutes");
  expect(await of("late_deliveries")).toEqual([]);
  await due("6 minutes");
  expect(await of("late_deliveries")).toMatchObject([{ severity: "warning", page: "endpoint", subjectId: endpoint }]);
  await due("16 minutes");
  expect(await of("late_deliveries")).toMatchObject([{ severity: "critical" }]);
  await db.sql("update app.webhook_endpoints set state = 'paused' where id = $1", [endpoint]);
  expect(await of("late_deliveries")).toEqual([]);
});

/** A queued run of a new member, in a conversation of its own. */
async function queuedRun(ago: string): Promise<string> {
  const person = await makeMember(db, organisation, "member");
  const [{ id, since } = { id: "", since: "" }] = await db.sql<{ id: string; since: string }>(
    `select made.id, uuid_extract_timestamp(made.id) as since from uuidv7(-interval '${ago}') made (id)`,
  );
  const next = { next_run_id: id, next_model: "recall", next_since: since };
  await insert("conversations", { bot_id: bot, person_id: person, ...next });
  await db.sql(
    `insert into app.runs (organisation_id, id, bot_id, conversation_id, person_id, trigger)
     select organisation_id, next_run_id, bot_id, id, person_id, 'api' from app.conversations where next_run_id = $1`,
    [id],
  );
  return id;
}

test("stuck_queue appears after one minute without a live executor, and after five minutes with one", async () => {
  await queuedRun("30 seconds");
  expect(await of("stuck_queue")).toEqual([]);
  const oldest = await queuedRun("2 minutes");
  expect(await of("stuck_queue")).toMatchObject([
    {
      severity: "critical",
      subject: "recall",
      page: "queues",
      subjectId: oldest,
      description: expect.stringContaining("conversations: 2."),
    },
  ]);
  await db.sql("insert into app.executors (id, name, models) values (uuidv7(), 'one', '{recall}')");
  expect(await of("stuck_queue")).toEqual([]);
  const older = await queuedRun("6 minutes");
  expect(await of("stuck_queue")).toMatchObject([{ severity: "warning", subjectId: older }]);
});

test("silent_executor appears after a minute without a heartbeat", async () => {
  expect(await of("silent_executor")).toEqual([]);
  await db.sql("update app.executors set last_seen_at = now() - interval '61 seconds' where name = 'one'");
  expect(await of("silent_executor")).toMatchObject([{ severity: "warning", subject: "one", page: "processes" }]);
});

test("reached_limit is a warning at 80 % and critical at 100 %, counted as the limit itself counts", async () => {
  const { id } = await makeOrganisation(db);
  const [counted] = await db.sql<{ used: string }>(
    "select used from operator.limits where organisation_id = $1 and name = 'seats'",
    [id],
  );
  expect(counted).toEqual({ used: "1" });
  await setLimits(db, id, { seats: 5 });
  for (let further = 0; further < 3; further += 1) await makeMember(db, id, "member");
  const mine = async () => (await of("reached_limit")).filter(({ organisationId }) => organisationId === id);
  expect(await mine()).toMatchObject([
    { severity: "warning", subject: "Seats", page: "organisation", subjectId: id, description: "4 of 5 used." },
  ]);
  await makeMember(db, id, "member");
  expect(await mine()).toMatchObject([{ severity: "critical", description: "5 of 5 used." }]);
  await setLimits(db, id, { seats: 100 });
  expect(await mine()).toEqual([]);
});

test("failing_mail appears after five minutes", async () => {
  const [{ id } = { id: "" }] = await db.sql<{ id: string }>("select uuidv7(-interval '6 minutes') as id");
  await insert("mails", { id, kind: "welcome", recipient: "guest@example.test", data: "{}" });
  await insert("mails", { kind: "welcome", recipient: "guest@example.test", data: "{}" });
  expect(await of("failing_mail")).toMatchObject([
    { severity: "warning", subject: "guest@example.test", page: "mail", subjectId: id },
  ]);
  await db.sql("update app.mails set sent_at = now() where id = $1", [id]);
  expect(await of("failing_mail")).toEqual([]);
});

test("failing_jobs is a warning while jobs are retried, and critical once one failed for good", async () => {
  await db.sql("delete from graphile_worker._private_jobs");
  await db.sql("select graphile_worker.add_job('rebuild_search_vectors')");
  expect(await of("failing_jobs")).toEqual([]);
  await db.sql("update graphile_worker._private_jobs set attempts = 1, last_error = 'it quotes its payload'");
  expect(await of("failing_jobs")).toMatchObject([{ severity: "warning", subject: "rebuild_search_vectors" }]);
  await db.sql("update graphile_worker._private_jobs set attempts = max_attempts");
  expect(await of("failing_jobs")).toMatchObject([
    { severity: "critical", description: expect.stringContaining("failed for good: 1") },
  ]);
  expect(JSON.stringify(await issues())).not.toContain("quotes");
});

test("expired_approval appears until an executor closes the approval", async () => {
  const [run] = await db.sql<{ id: string; conversation_id: string; person_id: string }>(
    "select * from app.runs limit 1",
  );
  const approval = await insert("approvals", {
    run_id: run?.id,
    bot_id: bot,
    conversation_id: run?.conversation_id,
    person_id: run?.person_id,
    kind: "memory",
    proposal: "{}",
    expires_at: new Date(Date.now() - 120_000).toISOString(),
  });
  expect(await of("expired_approval")).toMatchObject([
    { page: "approval", subjectId: approval, organisationId: organisation },
  ]);
  await db.sql("update app.approvals set state = 'expired' where id = $1", [approval]);
  expect(await of("expired_approval")).toEqual([]);
});

test("unfinished_deletion appears for an organisation whose deletion has not begun a day after its time", async () => {
  const schedule = (hours: number | null) =>
    db.sql("update app.organisations set deletion_at = now() - $2 * interval '1 hour' where id = $1", [
      organisation,
      hours,
    ]);
  await schedule(23);
  expect(await of("unfinished_deletion")).toEqual([]);
  await schedule(25);
  expect(await of("unfinished_deletion")).toMatchObject([
    {
      page: "organisation",
      subjectId: organisation,
      organisationId: organisation,
      description: expect.stringContaining("begun"),
    },
  ]);
  await schedule(null);
  expect(await of("unfinished_deletion")).toEqual([]);
});

test("unfinished_deletion appears while rows are left, a step fails for 5 minutes, or after a day", async () => {
  const deleted = "0192a000-0000-7000-8000-000000000001";
  await db.sql("insert into app.organisation_deletions (organisation_id, due_at) values ($1, now())", [deleted]);
  expect(await of("unfinished_deletion")).toEqual([]);
  await db.sql(`update app.organisation_deletions set places_left = '{"app.locks": 1}' where organisation_id = $1`, [
    deleted,
  ]);
  expect(await of("unfinished_deletion")).toMatchObject([
    { page: "service", subjectId: deleted, description: expect.stringContaining('{"app.locks": 1}') },
  ]);
  await db.sql(
    "update app.organisation_deletions set places_left = '{}', begun_at = now() - interval '25 hours' where organisation_id = $1",
    [deleted],
  );
  expect(await of("unfinished_deletion")).toMatchObject([{ description: expect.stringContaining("within a day") }]);
  await db.sql(
    "update app.organisation_deletions set begun_at = now(), failing_since = now() - interval '4 minutes', failure = 'Contracts' where organisation_id = $1",
    [deleted],
  );
  expect(await of("unfinished_deletion")).toEqual([]);
  await db.sql(
    "update app.organisation_deletions set failing_since = now() - interval '6 minutes' where organisation_id = $1",
    [deleted],
  );
  expect(await of("unfinished_deletion")).toMatchObject([{ description: "A step fails: Contracts" }]);
  await db.sql("delete from app.organisation_deletions");
  expect(await of("unfinished_deletion")).toEqual([]);
});

test("no_worker, foreign_definitions, audit_log_fault and weeks_missing appear on the page of the service", async () => {
  const categories = async () =>
    (await issues()).filter(({ page }) => page === "service").map(({ category }) => category);
  expect(await categories()).toEqual([]);
  await db.sql("update app.maintenance set last_run_at = now() - interval '61 seconds'");
  expect(await categories()).toEqual(["no_worker"]);
  await db.sql("update app.maintenance set last_run_at = now()");
  const [built] = await db.sql<{ digest: string }>("select digest from app.definition_builds");
  await db.sql("update app.definition_builds set digest = 'another'");
  expect(await categories()).toEqual(["foreign_definitions"]);
  await db.sql("update app.definition_builds set digest = $1", [built?.digest]);
  await db.sql(
    "insert into app.audit_faults (organisation_id, fault, sequence, last_sequence, last_found_at) values ($1, 'altered', 3, 3, now() + interval '1 minute')",
    [organisation],
  );
  expect(await issues()).toContainEqual(
    expect.objectContaining({
      category: "audit_log_fault",
      severity: "critical",
      page: "service",
      description: "Open faults of the audit log: 1. No checkpoint is signed.",
    }),
  );
  await db.sql("update app.audit_faults set accepted_at = now(), accepted_by = 'Tess', accepted_reason = 'A test'");
  expect(await categories()).toEqual([]);
  const weeks = await db.sql<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'partitions'::regnamespace and relkind = 'r' and relname ~ '^delivery_attempts_'
       and substring(relname from '\\d{8}$') > to_char(now(), 'YYYYMMDD')`,
  );
  expect(weeks).not.toEqual([]);
  for (const { name } of weeks) await db.sql(`drop table partitions.${name}`);
  expect(await categories()).toEqual(["weeks_missing"]);
});

test("reached_limits and limits report the same use", async () => {
  await queuedRun("0 seconds");
  await setLimits(db, null, { seats: 1, liveWebhooks: 1, runStartsPerHour: 1 });
  const rows = await db.sql<{ of_one: object[]; of_all: object[] }>(
    `select
       (select json_agg(to_jsonb(one) - 'position' - 'unit' order by organisation_id, name) from operator.limits one where one.used >= 0.8 * one.maximum) as of_one,
       (select json_agg(to_jsonb(reached) order by organisation_id, name) from operator.reached_limits reached) as of_all`,
  );
  expect(rows[0]?.of_all.length).toBeGreaterThan(3);
  expect(rows[0]?.of_all).toEqual(rows[0]?.of_one);
});
