/**
 * How events, deliveries and attempts are found when there are ten million of each: by which index, and in how many of
 * the weeks. The rows are thousands, the statistics those of millions; docs/performance.md tells of the same plans seen
 * over real millions.
 */
import type { Client } from "pg";
import type { LoginRole } from "../../src/database/roles.ts";
import { makeKey, makeOrganisation, type TestDatabase, type TestKey, testDatabase } from "../support/database.ts";
import { allowedOf, multiplyStatistics, plansOf, tellPlans, waysOf } from "../support/plans.ts";
import { attend } from "../support/worker.ts";

const weeks = 6;

let db: TestDatabase;
let organisation: string;
let key: TestKey;
let endpoint: string;
let old: string; // a delivery of three weeks ago

beforeAll(async () => {
  db = await testDatabase();
  const made = await makeOrganisation(db);
  organisation = made.id;
  key = await makeKey(db, organisation, made.ownerId, "admin");
  await fill();
  await multiplyStatistics(db, { rows: 1_000, organisations: 200, endpoints: 1_000 });
  await tellPlans(db);
  [endpoint, old] = await someDelivery();
});

afterAll(() => db.drop());

/**
 * Two organisations with ten endpoints each; of every week two thousand events, each with a delivery, an attempt and an
 * entry of the trail that has the delivery's id and is of its endpoint. One
 * delivery in a hundred has failed, and of the last day's one in ten waits. Written without triggers: no job is queued.
 */
async function fill(): Promise<void> {
  await makeOrganisation(db);
  await db.sql(`
    begin;
    set local session_replication_role = replica;
    select jobs.make_week(date_trunc('week', now(), 'UTC') - week * interval '7 days') from generate_series(1, ${weeks}) week
    where to_regclass('partitions.events_' || to_char((date_trunc('week', now(), 'UTC') - week * interval '7 days') at time zone 'UTC', 'YYYYMMDD')) is null;
    insert into app.webhook_endpoints (organisation_id, url, events, secret_sealed)
    select id, 'https://receiver.example/', '{run.finished}', 'sealed' from app.organisations, generate_series(1, 10);
    create temporary table made as
    select endpoint.organisation_id, endpoint.id as endpoint_id, age, number,
      uuidv7(-age) as event_id, uuidv7(-age + interval '1 ms') as delivery_id
    from generate_series(1, ${weeks * 2000}) number,
      lateral (select number * interval '7 days' / 2000) as aged (age),
      lateral (
        select organisation_id, id from app.webhook_endpoints order by id offset abs(hashint4(number)) % 20 limit 1
      ) endpoint;
    insert into app.events (organisation_id, id, kind, data, transaction_id)
    select organisation_id, event_id, 'run.finished', '{}', (${weeks * 2000} - number + 3)::text::xid8 from made;
    insert into app.deliveries (organisation_id, id, endpoint_id, event_id, event, state, max_attempts, attempts,
      next_attempt_at, delivered_at)
    select organisation_id, delivery_id, endpoint_id, event_id, 'run.finished', state, 5, 1,
      case when state = 'pending' then now() - interval '1 minute' end,
      case when state = 'delivered' then uuid_extract_timestamp(delivery_id) end
    from made, lateral (
      select case when number % 10 = 0 and age < interval '1 day' then 'pending' when number % 100 = 1 then 'failed'
        else 'delivered' end::app.delivery_state as state
    ) as stated;
    insert into app.delivery_attempts (organisation_id, delivery_id, endpoint_id, number, trigger, started_at, duration_ms)
    select organisation_id, delivery_id, endpoint_id, 1, 'scheduled', uuid_extract_timestamp(delivery_id), 5 from made;
    insert into app.audit_trail (organisation_id, id, sequence, actor, action, resource, resource_id, changed, hash)
    select organisation_id, delivery_id, number, 'system', 'updated', 'webhook', endpoint_id, '{state}', '' from made;
    drop table made;
    commit`);
}

/** An endpoint of the organisation that has a failed delivery of more than three weeks ago, and that delivery. */
async function someDelivery(): Promise<[string, string]> {
  const [found] = await db.sql<{ id: string; endpoint_id: string }>(
    `select id, endpoint_id from app.deliveries
     where organisation_id = $1 and state = 'failed' and id < uuidv7(interval '-21 days')
     order by id desc limit 1`,
    [organisation],
  );
  if (!found) throw new Error("there is no such delivery");
  return [found.endpoint_id, found.id];
}

const call = (operation: string, input: object) => async (client: Client) => {
  const { rows } = await client.query<{ answer: string }>(
    "select api.handle($1, $2, $3, null, uuidv7(), null, null, null) as answer",
    [key.digest, operation, JSON.stringify({ list: "00000000", ...input })],
  );
  expect(rows[0]?.answer).toMatch(/^\{"status":2/);
};

type Case = {
  role: LoginRole;
  work: (client: Client) => Promise<unknown>;
  /** By which indexes each table may be read, and in how many of its weeks at most. */
  reads: Record<string, number>;
  /** How many of their rows are looked at, at most. */
  rows: number;
};

const weeksAgo = (count: number) => new Date(Date.now() - count * 7 * 24 * 3_600_000).toISOString();

/** This week and those ahead, which are empty: where a list of the newest looks first. */
const fromNow = 1 + 5;
const all = weeks + fromNow;

/** Functions, so that they are asked only once there is an endpoint to ask about. */
const cases: Record<string, () => Case> = {
  "the first page of an endpoint's deliveries": () => ({
    role: "server",
    work: call("list_deliveries", { id: endpoint, limit: 50 }),
    reads: { "deliveries by deliveries_of_endpoint": fromNow + 1 },
    rows: 51,
  }),
  "a later page, of three weeks ago": () => ({
    role: "server",
    work: call("list_deliveries", { id: endpoint, limit: 50, after: old }),
    reads: { "deliveries by deliveries_of_endpoint": 2 },
    rows: 51,
  }),
  "one delivery with its attempts and its event": () => ({
    role: "server",
    work: call("get_delivery", { id: old }),
    reads: {
      "deliveries by deliveries_pkey": 1,
      "delivery_attempts by delivery_attempts_pkey": 1,
      "events by events_pkey": 1,
    },
    rows: 6,
  }),
  "a page of all events, from a place three weeks ago on": () => ({
    role: "server",
    work: call("list_events", { limit: 50, afterTransaction: String(weeks * 1000) }),
    reads: {
      "events by events_in_commit_order": all,
      "events by events_pkey": 2,
      "deliveries by deliveries_of_event": all,
    },
    rows: 300,
  }),
  redelivering: () => ({
    role: "server",
    work: call("redeliver", { id: old }),
    reads: { "deliveries by deliveries_pkey": 1, "deliveries by deliveries_failed": 1 },
    rows: 6,
  }),
  "an event and its delivery being written": () => ({
    role: "server",
    work: call("test_webhook", { id: endpoint }),
    reads: { "events by events_pkey": 1, "deliveries by deliveries_pkey": 1 },
    rows: 6,
  }),
  "what waits at an endpoint that is deleted": () => ({
    role: "server",
    work: call("delete_webhook", { id: endpoint }),
    reads: { "deliveries by deliveries_pending": all },
    rows: 40,
  }),
  "events from the oldest on": () => ({
    role: "server",
    work: call("list_events", { limit: 50 }),
    reads: {
      "events by events_in_commit_order": all,
      "events by events_pkey": 2,
      "deliveries by deliveries_of_event": all,
    },
    rows: 300,
  }),
  "events of one kind": () => ({
    role: "server",
    work: call("list_events", { limit: 50, event: "run.finished" }),
    reads: {
      "events by events_in_commit_order": all,
      "events by events_pkey": 2,
      "deliveries by deliveries_of_event": all,
    },
    rows: 12500,
  }),
  "the first page of the trail": () => ({
    role: "server",
    work: call("list_audit", { limit: 50 }),
    reads: { "audit_trail by audit_trail_pkey": fromNow + 1 },
    rows: 51,
  }),
  "a later page of it, of three weeks ago": () => ({
    role: "server",
    work: call("list_audit", { limit: 50, after: old }),
    reads: { "audit_trail by audit_trail_pkey": 2 },
    rows: 51,
  }),
  "what became of one row": () => ({
    role: "server",
    work: call("list_audit", { limit: 50, resourceId: endpoint }),
    reads: {
      "audit_trail by audit_trail_of_resource": fromNow + 1,
      "audit_trail by audit_trail_pkey": fromNow, // where a week is empty, as those ahead and a Monday's, one index is as good
    },
    rows: 100, // a Monday's are looked through
  }),
  "what became of it three weeks ago": () => ({
    role: "server",
    work: call("list_audit", { limit: 50, resourceId: endpoint, after: old }),
    reads: { "audit_trail by audit_trail_of_resource": 2 },
    rows: 51,
  }),
  "an endpoint's last day in numbers": () => ({
    role: "server",
    work: call("get_webhook_stats", { id: endpoint }),
    reads: { "deliveries by deliveries_of_endpoint": 2, "delivery_attempts by delivery_attempts_of_endpoint": all },
    rows: 100,
  }),
  "what failed in three weeks being recovered": () => ({
    role: "server",
    work: call("recover_webhook", { id: endpoint, since: weeksAgo(3), include: "failed" }),
    reads: {
      "deliveries by deliveries_failed_of_endpoint": 4,
      "deliveries by deliveries_of_endpoint": 4,
      "deliveries by deliveries_pkey": 4,
    },
    rows: 400,
  }),
  "what was missing on a day three weeks ago being recovered": () => ({
    role: "server",
    work: call("recover_webhook", { id: endpoint, since: weeksAgo(3), until: weeksAgo(3 - 1 / 7), include: "missing" }),
    // Not the older weeks, in which there is none of these events, nor those ahead but the next.
    reads: { "events by events_pkey": 2, "deliveries by deliveries_of_event": 6 },
    rows: 700,
  }),
  "a visit being given what is due, recording it and being given the next": () => ({
    role: "worker",
    work: async (client) => {
      const visit = { organisationId: organisation, endpointId: endpoint, more: true, handOver: true };
      const claims = await attend(client, [visit]);
      expect(claims).not.toEqual([]);
      const made = { organisationId: organisation, durationMs: 5, failure: null, retryAfterSeconds: null };
      const outcomes = claims.map((claim, place) => ({ ...claim, ...made, statusCode: place % 2 === 0 ? 200 : 500 }));
      await attend(client, [visit], outcomes);
    },
    reads: {
      "deliveries by deliveries_claimed": all,
      "deliveries by deliveries_pending": all,
      "deliveries by deliveries_pkey": 1,
      "events by events_pkey": 1,
    },
    rows: 100,
  }),
  "the sweep, from endpoint to endpoint": () => ({
    role: "worker",
    work: (client) => client.query("select * from jobs.sweep()"),
    reads: { "deliveries by deliveries_pending": all, "deliveries by deliveries_claimed": all },
    rows: 100,
  }),
  "a visit being queued, or not, when a delivery has been written": () => ({
    role: "server",
    work: async (client) => {
      await call("test_webhook", { id: endpoint })(client);
      await client.query("set constraints all immediate");
    },
    reads: {
      "events by events_pkey": 1,
      "deliveries by deliveries_pkey": 1,
      "deliveries by deliveries_pending": all,
    },
    rows: 40,
  }),
  retention: () => ({
    role: "worker",
    work: (client) => client.query("select jobs.drop_partition()"),
    reads: { "deliveries by deliveries_of_event": all },
    rows: 4,
  }),
};

describe.each(Object.keys(cases))("%s", (name) => {
  test.each([
    ["planned for all values", "force_generic_plan"],
    ["planned for those that are asked", "force_custom_plan"],
  ] as const)("%s", async (_, mode) => {
    const { role, work, reads, rows } = (cases[name] as () => Case)();
    const plans = await plansOf(db, role, mode, work);
    expect(plans).not.toEqual([]);
    const ways = waysOf(plans);
    expect(ways).toEqual(allowedOf(ways, reads));
    expect(plans.reduce((sum, plan) => sum + plan.rows, 0)).toBeLessThanOrEqual(rows);
    expect(Math.max(...plans.map(({ mostSorted }) => mostSorted))).toBeLessThanOrEqual(51);
  });
});

test("that an index is missing is noticed", async () => {
  await db.sql("drop index app.deliveries_of_endpoint");
  const { role, work } = (cases["the first page of an endpoint's deliveries"] as () => Case)();
  expect(Object.keys(waysOf(await plansOf(db, role, "force_generic_plan", work)))).not.toContain(
    "deliveries by deliveries_of_endpoint",
  );
});
