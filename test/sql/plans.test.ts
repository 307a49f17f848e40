/**
 * The plans for events, deliveries and attempts with ten million rows of each: which index they use, and in how many
 * weekly partitions. The fixture has thousands of rows and statistics of millions; bench/notes/scale.md has the same
 * plans with millions of rows.
 */
import { makeKey, makeOrganisation, type TestDatabase, type TestKey, testDatabase } from "../support/database.ts";
import { callOperation, operationCases, type PlanCase, type PlanCases, testPlans } from "../support/plan-cases.ts";
import { logPlans, multiplyStatistics, plansOf, waysOf } from "../support/plans.ts";
import { leaseDeliveries } from "../support/worker.ts";
import { fillDeliveries, weeks } from "./plan-rows.ts";

let db: TestDatabase;
let organisation: string;
let key: TestKey;
let endpoint: string;
let old: string; // a delivery from three weeks ago
let run: string; // the run of its event

beforeAll(async () => {
  db = await testDatabase();
  const made = await makeOrganisation(db);
  organisation = made.id;
  key = await makeKey(db, organisation, made.ownerId, "admin");
  await fillDeliveries(db);
  await multiplyStatistics(db, { rows: 1_000, organisations: 200, endpoints: 1_000 });
  await logPlans(db);
  [endpoint, old] = await someDelivery();
  const [announced] = await db.sql<{ event_id: string }>("select event_id from app.deliveries where id = $1", [old]);
  run = announced?.event_id ?? "";
});

afterAll(() => db.drop());

/** An endpoint of the organisation with a failed delivery that is more than three weeks old, and that delivery. */
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

const call = (operation: string, input: object) => callOperation(key.digest, operation, input);
const calls = operationCases(() => key.digest);

const weeksAgo = (count: number) => new Date(Date.now() - count * 7 * 24 * 3_600_000).toISOString();

/** This week and the empty weeks ahead, which a list of the newest reads first. */
const fromNow = 1 + 5;
const all = weeks + fromNow;

const feed = {
  "events by events_in_commit_order": all,
  "events by events_pkey": 2,
  "deliveries by deliveries_of_event": all,
};

const cases: PlanCases = {
  "the first page of an endpoint's deliveries": calls(
    "list_deliveries",
    () => ({ id: endpoint }),
    { "deliveries by deliveries_of_endpoint": fromNow + 1 },
    51,
  ),
  "a later page, from three weeks ago": calls(
    "list_deliveries",
    () => ({ id: endpoint, after: old }),
    { "deliveries by deliveries_of_endpoint": 2 },
    51,
  ),
  ...Object.fromEntries(
    [
      { state: "failed" },
      { state: "delivered" },
      { event: "approval.needed" },
      { event: "run.finished", state: "failed" },
      { event: "webhook.test", state: "pending" },
    ].map((filter) => [
      `an endpoint's deliveries with ${Object.values(filter).join(" and ")}`,
      () => ({
        role: "server" as const,
        work: call("list_deliveries", { id: endpoint, ...filter }),
        reads: { "deliveries by deliveries_by_event": all, "deliveries by deliveries_pkey": all },
        rows: 160, // ids of each event and state are found and sorted, then the rows of the page are read
        sorted: 102,
      }),
    ]),
  ),
  "an endpoint's deliveries of a week": calls(
    "list_deliveries",
    () => ({ id: endpoint, since: weeksAgo(3), until: weeksAgo(2) }),
    { "deliveries by deliveries_of_endpoint": 2 },
    51,
  ),
  "one delivery with its attempts and its event": calls(
    "get_delivery",
    () => ({ id: old }),
    {
      "deliveries by deliveries_pkey": 1,
      "delivery_attempts by delivery_attempts_pkey": 1,
      "events by events_pkey": 1,
    },
    6,
  ),
  "a page of all events, from a cursor three weeks ago on": calls(
    "list_events",
    () => ({ afterPosition: String(weeks * 1000) }),
    feed,
    300,
  ),
  "a redelivery": calls(
    "redeliver",
    () => ({ id: old }),
    { "deliveries by deliveries_pkey": 1, "deliveries by deliveries_failed": 1 },
    6,
  ),
  "the creation of an event and its delivery": calls(
    "test_webhook",
    () => ({ id: endpoint }),
    { "events by events_pkey": 1, "deliveries by deliveries_pkey": 1 },
    6,
  ),
  "the pending deliveries of a deleted endpoint": calls(
    "delete_webhook",
    () => ({ id: endpoint }),
    { "deliveries by deliveries_pending": all },
    40,
  ),
  "events from the oldest on": calls("list_events", () => ({}), feed, 300),
  "events from the newest on": calls("list_events", () => ({ order: "desc" }), feed, 300),
  "events of one kind": calls("list_events", () => ({ event: "run.finished" }), feed, 12500),
  "the events of one run": calls(
    "list_events",
    () => ({ runId: run, order: "desc" }),
    { "events by events_of_run": all, "events by events_pkey": 1, "deliveries by deliveries_of_event": all },
    6,
  ),
  "the first page of the audit log": calls(
    "list_audit",
    () => ({}),
    { "audit_log by audit_log_pkey": fromNow + 1 },
    51,
  ),
  "a later page of the audit log, from three weeks ago": calls(
    "list_audit",
    () => ({ after: old }),
    { "audit_log by audit_log_pkey": 2 },
    51,
  ),
  "the audit log of one resource": () => ({
    role: "server",
    work: call("list_audit", { resourceId: endpoint }),
    reads: {
      "audit_log by audit_log_of_resource": fromNow + 1,
      "audit_log by audit_log_pkey": fromNow, // for an empty week (those ahead, or this one on a Monday) both indexes are equally good
    },
    rows: 200, // on a Monday this week has only the 150 entries of the fixture, and is read whole
  }),
  "the audit log of one resource, from three weeks ago": calls(
    "list_audit",
    () => ({ resourceId: endpoint, after: old }),
    { "audit_log by audit_log_of_resource": 2 },
    51,
  ),
  "the statistics of an endpoint's last day": calls(
    "get_webhook_stats",
    () => ({ id: endpoint }),
    { "deliveries by deliveries_by_event": 2, "endpoint_counts by endpoint_counts_pkey": all },
    200,
  ),
  "the recovery of failed deliveries of three weeks": calls(
    "recover_webhook",
    () => ({ id: endpoint, since: weeksAgo(3), include: "failed" }),
    {
      "deliveries by deliveries_failed_of_endpoint": 4,
      "deliveries by deliveries_of_endpoint": 4,
      "deliveries by deliveries_pkey": 4,
    },
    400,
  ),
  "the recovery of missing deliveries of a day three weeks ago": () => ({
    role: "server",
    work: call("recover_webhook", { id: endpoint, since: weeksAgo(3), until: weeksAgo(3 - 1 / 7), include: "missing" }),
    // Neither the weeks before these events nor those ahead, except for the next.
    reads: {
      "events by events_pkey": 2,
      "deliveries by deliveries_of_event": 6,
      "deliveries by deliveries_by_event": 2, // one, and a week with few rows, for which both indexes are equally good
    },
    rows: 700,
  }),
  "the lease of due deliveries, the record of their outcomes and the next lease": () => ({
    role: "worker",
    work: async (client) => {
      const request = { organisationId: organisation, endpointId: endpoint, wantsMore: true, requeue: true };
      const leases = await leaseDeliveries(client, [request]);
      expect(leases).not.toEqual([]);
      const attempt = { organisationId: organisation, durationMs: 5, failure: null, retryAfterSeconds: null };
      const outcomes = leases.map((lease, place) => ({ ...lease, ...attempt, statusCode: place % 2 ? 500 : 200 }));
      await leaseDeliveries(client, [request], outcomes);
    },
    reads: {
      "deliveries by deliveries_leased": all,
      "deliveries by deliveries_pending": all,
      "deliveries by deliveries_pkey": 1,
      "events by events_pkey": 1,
    },
    rows: 100,
  }),
  "maintenance of all endpoints": () => ({
    role: "worker",
    work: (client) => client.query("select * from jobs.run_maintenance()"),
    reads: { "deliveries by deliveries_pending": all, "deliveries by deliveries_leased": all },
    rows: 100,
  }),
  "the decision whether a new delivery queues a job": () => ({
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
    reads: { "deliveries by deliveries_of_event": all, "step_results by step_results_pkey": 2 },
    rows: 4,
  }),
};

testPlans(() => db, cases);

test("waysOf shows that an index is not used after it was dropped", async () => {
  await db.sql("drop index app.deliveries_of_endpoint");
  const { role, work } = (cases["the first page of an endpoint's deliveries"] as () => PlanCase)();
  expect(Object.keys(waysOf(await plansOf(db, role, "force_generic_plan", work)))).not.toContain(
    "deliveries by deliveries_of_endpoint",
  );
});
