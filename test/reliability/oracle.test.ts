/** The oracle reports no loss for correct evidence, and reports each planted loss. */
import { Client } from "pg";
import { type Evidence, gather, isMoving, type Post, type Sql, type Subscriber } from "../fault/evidence.ts";
import { checks, count, type Finding, judge } from "../fault/oracle.ts";
import { type Customer, customer, openPostOffice, type PostOffice, status } from "../support/post-office.ts";
import { begun } from "../support/transactions.ts";
import { eventually } from "../support/worker.ts";

let office: PostOffice;
let who: Customer;
const acknowledged: string[] = [];
const subscribers: Subscriber[] = [];

beforeAll(async () => {
  office = await openPostOffice();
  who = await customer(office);
  for (const hook of [office.hook(), office.hook(status(500))]) {
    subscribers.push({ ...(await who.subscribe(hook)), hook });
  }
  for (let run = 0; run < 3; run += 1) acknowledged.push(await who.run());
  const attempted = "select from app.deliveries where organisation_id = $1 and attempts = 1";
  await eventually(async () => (await office.db.sql(attempted, [who.organisation.id])).length === 6);
  await eventually(async () => !(await isMoving(office.db.sql, who.organisation.id)));
});
afterAll(() => office?.close());

const evidence = (sql: Sql = office.db.sql) => gather(sql, who.organisation.id, acknowledged, subscribers);

test("the oracle reports no fault for correct evidence, and counts it", async () => {
  const found = await evidence();
  expect(judge(found)).toEqual([]);
  expect(count(found)).toBe(
    "3 runs acknowledged, 3 events, 6 deliveries (3 delivered, 3 pending, 0 failed), 6 posts received, 0 repeats, 0 retries",
  );
});

test("the oracle does not count a job of a live worker as one of a dead pool", async () => {
  const pending: (() => void)[] = [];
  const hook = office.hook((_request, response) => void pending.push(() => response.writeHead(200).end()));
  const other = await customer(office);
  await other.subscribe(hook);
  await other.run();
  await eventually(async () => pending.length === 1);
  await other.run(); // beside a delivery that is being posted, so it gets a job
  await eventually(async () => pending.length === 2);
  const locked = await office.db.sql("select from graphile_worker.jobs where locked_by is not null");
  expect(locked.length).toBeGreaterThan(0);
  expect((await evidence()).deadWorkerPools).toEqual([]);
  for (const answer of pending) answer();
});

test("isMoving is true for a delivery written after the transaction of its caller began", async () => {
  const quiet = await openPostOffice({ worker: false });
  const asker = new Client({ connectionString: quiet.db.adminUrl });
  try {
    await asker.connect();
    const ask: Sql = async (text, values) => (await asker.query(text, values)).rows;
    const other = await customer(quiet);
    const endpoint = await other.subscribe(quiet.hook());
    await asker.query("begin");
    expect(await isMoving(ask, other.organisation.id)).toBe(false);
    await other.ask("POST", `/webhooks/${endpoint.id}/test`);
    expect(await isMoving(ask, other.organisation.id)).toBe(true);
  } finally {
    await asker.end();
    await quiet.close();
  }
});

type Plant = [story: string, check: Finding["check"], plant: string | ((evidence: Evidence) => void)];

const first = "(select id from app.deliveries where state = 'delivered' order by id limit 1)";
const waiting = "(select id from app.deliveries where state = 'pending' order by id limit 1)";
const [delivered, pending] = ["delivered", "pending"].map((state) => ({ deliveries }: Evidence) => {
  const found = deliveries.find((delivery) => delivery.state === state);
  if (!found) throw new Error(`none is ${state}`);
  return found;
}) as [(evidence: Evidence) => Evidence["deliveries"][number], (evidence: Evidence) => Evidence["deliveries"][number]];
const postsOf = (found: Evidence) => found.posts.filter(({ deliveryId }) => deliveryId === delivered(found).id);
const post = (found: Evidence): Post => postsOf(found)[0] as Post;

/** Statements run in the real database and are rolled back; functions change the collected evidence. */
const plants: Plant[] = [
  [
    "a run that was acknowledged and is not there",
    "every acknowledged run is there, acknowledged once",
    (found) => found.acknowledged.push("00000000-0000-7000-8000-000000000000"),
  ],
  [
    "one run for two calls",
    "every acknowledged run is there, acknowledged once",
    (found) => found.acknowledged.push(acknowledged[0] ?? ""),
  ],
  [
    "a run started twice after a lost response",
    "every run that is there was acknowledged",
    (found) => found.acknowledged.pop(),
  ],
  [
    "a run that never ends",
    "every run was completed",
    (found) => {
      found.runs[0] = { ...(found.runs[0] as Evidence["runs"][number]), state: "running" };
    },
  ],
  [
    "a run that a fault of ours ended",
    "every run was completed",
    "update app.runs set state = 'failed', error = 'executor_failed'",
  ],
  [
    "a run whose event is missing",
    "every run that ended has one event, and no other has",
    `delete from app.delivery_attempts; delete from app.deliveries;
     delete from app.events where id = (select id from app.events order by id limit 1)`,
  ],
  [
    "an event that was written twice",
    "every run that ended has one event, and no other has",
    `insert into app.events (organisation_id, kind, data) select organisation_id, kind, data from app.events limit 1`,
  ],
  [
    "a delivery that is missing",
    "every event has one delivery for each active subscriber, and no other",
    `delete from app.delivery_attempts where delivery_id = ${first}; delete from app.deliveries where id = ${first}`,
  ],
  [
    "an event delivered under two ids",
    "every event has one delivery for each active subscriber, and no other",
    `insert into app.deliveries (organisation_id, endpoint_id, event_id, event, max_attempts)
     select organisation_id, endpoint_id, event_id, event, max_attempts from app.deliveries where id = ${first}`,
  ],
  [
    "a delivery to an endpoint that is not subscribed",
    "every event has one delivery for each active subscriber, and no other",
    "update app.webhook_endpoints set events = '{approval.needed}'",
  ],
  [
    "a receiver that lost one",
    "what is delivered was received and taken",
    (found) => {
      found.posts = found.posts.filter(({ deliveryId }) => deliveryId !== delivered(found).id);
    },
  ],
  [
    "a post that was refused and counts as delivered",
    "what is delivered was received and taken",
    (found) => Object.assign(post(found), { status: 500 }),
  ],
  [
    "a delivery that waits and was never tried",
    "what is not delivered stands visibly, with its attempts and the next",
    `delete from app.delivery_attempts where delivery_id = ${waiting};
     update app.deliveries set attempts = 0 where id = ${waiting}`,
  ],
  [
    "a delivery that waits for nothing",
    "what is not delivered stands visibly, with its attempts and the next",
    (found) => Object.assign(pending(found), { nextAttemptAt: null }),
  ],
  [
    "a delivery that is long due",
    "nothing is stuck",
    `update app.deliveries set next_attempt_at = now() - interval '31 seconds' where id = ${waiting}`,
  ],
  [
    "an attempt that is not in the log",
    "the log of attempts agrees with the row, and with what was received",
    `update app.deliveries set attempts = 2 where id = ${first}`,
  ],
  [
    "a log that speaks of success where there was none",
    "the log of attempts agrees with the row, and with what was received",
    `update app.delivery_attempts set status_code = 200 where delivery_id = ${waiting}`,
  ],
  [
    "a log that continues after the last attempt of its round",
    "the log of attempts agrees with the row, and with what was received",
    (found) => {
      const { log } = pending(found);
      const [first] = log;
      if (first) for (let number = 2; number <= 5; number += 1) log.push({ ...first, number });
      Object.assign(pending(found), { attempts: 5 });
    },
  ],
  [
    "an answer to a post that was never made",
    "the log of attempts agrees with the row, and with what was received",
    (found) => {
      found.posts = found.posts.filter(({ deliveryId }) => deliveryId !== pending(found).id);
    },
  ],
  [
    "a post of a delivery that the database does not know",
    "what was received is in the database, signed, and says what it is of",
    (found) => Object.assign(post(found), { deliveryId: "00000000-0000-7000-8000-000000000000" }),
  ],
  [
    "a post that came to another's endpoint",
    "what was received is in the database, signed, and says what it is of",
    (found) => Object.assign(post(found), { endpointId: subscribers[1]?.id }),
  ],
  [
    "a post without a good signature",
    "what was received is in the database, signed, and says what it is of",
    (found) => Object.assign(post(found), { signed: false }),
  ],
  [
    "a post that speaks of another run",
    "what was received is in the database, signed, and says what it is of",
    (found) => {
      const { runId } = (JSON.parse(post(found).body) as { data: { runId: string } }).data;
      const other = acknowledged.find((run) => run !== runId) ?? "";
      Object.assign(post(found), { body: post(found).body.replace(runId, other) });
    },
  ],
  [
    "the same event received under two ids",
    "an event has one id and one body at a receiver, for life",
    (found) => found.posts.push({ ...post(found), deliveryId: "00000000-0000-7000-8000-000000000000" }),
  ],
  [
    "a repeat with another body",
    "an event has one id and one body at a receiver, for life",
    (found) => found.posts.push({ ...post(found), body: post(found).body.replace("{", "{ ") }),
  ],
  [
    "jobs that a dead pool holds",
    "nothing is locked by a dead pool",
    `insert into graphile_worker._private_tasks (identifier) values ('planted');
     insert into graphile_worker._private_jobs (task_id, locked_at, locked_by)
     select id, now(), 'pool-that-died' from graphile_worker._private_tasks where identifier = 'planted'`,
  ],
];

test.each(plants)("the oracle reports %s", async (_story, check, plant) => {
  const found = typeof plant === "string" ? await whileDone(plant) : await evidence();
  if (typeof plant !== "string") plant(found);
  expect(judge(found).map((finding) => finding.check)).toContain(check);
});

test("every check has a planted fault", () => {
  expect(new Set(plants.map(([, check]) => check))).toEqual(new Set(Object.keys(checks)));
});

/** The evidence while these statements are done, in a transaction that is undone. */
async function whileDone(statements: string): Promise<Evidence> {
  const client = await begun(office.db);
  try {
    await client.query("set local session_replication_role = replica"); // no trigger acts on what is planted
    await client.query(statements);
    return await evidence(async (text, values) => (await client.query(text, values)).rows);
  } finally {
    await client.query("rollback");
  }
}
