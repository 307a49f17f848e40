/** Statistics of an endpoint by the hour. (docs/specification/webhooks.md#statistics) */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile } from "../support/callers.ts";
import { makeDeliveries, makeEvents, minutesAgo } from "../support/events.ts";
import { anEndpointWithMissedEvents, type MissedEvents, newEndpoint } from "../support/resources.ts";

const here = apiOfFile();
const hourMs = 3_600_000;
const present = Math.floor(Date.now() / hourMs);
/** The start of the hour this many hours before the hour in which the tests began. */
const hour = (ago: number): string => new Date((present - ago) * hourMs).toISOString();
const within = (begin: string, minutes: number): string => new Date(Date.parse(begin) + minutes * 60_000).toISOString();

/** Inserts attempts as a worker records them, each for a delivery that was created four hours ago. */
async function attempts(
  at: MissedEvents,
  startedAt: string,
  outcomes: [ms: number, status: number | null, failure?: string][],
) {
  const ids = await makeDeliveries(here.db, at, { ago: "4 hours", count: outcomes.length });
  for (const [place, [duration, status, failure = null]] of outcomes.entries()) {
    await here.db.sql(
      `insert into app.delivery_attempts
         (organisation_id, delivery_id, endpoint_id, number, trigger, started_at, duration_ms, status_code, failure)
       values ($1, $2, $3, 1, 'scheduled', $4, $5, $6, $7)`,
      [at.organisationId, ids[place], at.endpointId, startedAt, duration, status, failure],
    );
  }
}

const stats = async ({ ada, endpointId }: MissedEvents, query = ""): Promise<Json> =>
  expectAnswer("get_webhook_stats", await ada.get(`/webhooks/${endpointId}/stats${query}`));

const noFailures = {
  status: 0,
  address: 0,
  dns: 0,
  redirect: 0,
  size: 0,
  timeout: 0,
  transport: 0,
  scheme: 0,
  secret: 0,
};
const nothing = {
  deliveries: { total: 0, pending: 0, delivered: 0, failed: 0, successShare: null },
  attempts: {
    total: 0,
    succeeded: 0,
    failed: 0,
    successShare: null,
    durationMs: { p50: null, p95: null, p99: null },
    failures: noFailures,
  },
};

test("get_webhook_stats without deliveries returns 24 hours of zeros", async () => {
  const at = await anEndpointWithMissedEvents(here, "5 hours");
  const answer = await stats(at);
  const behind = answer.until === hour(-2) ? -1 : 0; // the next hour may have begun
  expect(answer).toEqual({
    webhookId: at.endpointId,
    since: hour(23 + behind),
    until: hour(-1 + behind),
    totals: nothing,
    hours: Array.from({ length: 24 }, (_, each) => ({ hour: hour(23 - each + behind), ...nothing })),
  });
});

test("Attempts count in the hour of their start, by result and duration", async () => {
  const at = await anEndpointWithMissedEvents(here, "5 hours");
  const other = { ...at, endpointId: (await at.ada.post("/webhooks", newEndpoint)).body.id as string };
  await attempts(other, within(hour(2), 10), [[1, 200]]);
  await attempts(at, hour(2), [[7, 204]]); // the first instant of the hour belongs to it
  await attempts(at, within(hour(2), 59.999), [
    [3, 500],
    [5, 200, "size"],
    [10_000, null, "timeout"],
  ]);
  const hundred = Array.from({ length: 100 }, (_, each): [number, number] => [each + 1, 200]);
  await attempts(at, hour(1), hundred);

  const { hours, totals } = await stats(at, `?since=${hour(3)}&until=${hour(0)}`);
  expect(hours.map((each: Json) => each.hour)).toEqual([hour(3), hour(2), hour(1)]);
  expect(hours[0].attempts).toEqual(nothing.attempts);
  expect(hours[1].attempts).toEqual({
    total: 4,
    succeeded: 1,
    failed: 3,
    successShare: 0.25,
    durationMs: { p50: 5, p95: 10_000, p99: 10_000 },
    failures: { ...noFailures, status: 1, size: 1, timeout: 1 },
  });
  expect(hours[2].attempts).toEqual({
    total: 100,
    succeeded: 100,
    failed: 0,
    successShare: 1,
    durationMs: { p50: 50, p95: 95, p99: 99 },
    failures: noFailures,
  });
  expect(totals.attempts).toEqual({
    total: 104,
    succeeded: 101,
    failed: 3,
    successShare: 0.9712,
    durationMs: { p50: 49, p95: 96, p99: 100 },
    failures: { ...noFailures, status: 1, size: 1, timeout: 1 },
  });
});

test("Deliveries count in the hour of their creation, by their current state", async () => {
  const at = await anEndpointWithMissedEvents(here, "5 hours");
  await makeDeliveries(here.db, at, { ago: "2 hours", count: 3, state: "delivered" });
  await makeDeliveries(here.db, at, { ago: "2 hours" });
  await makeEvents(here.db, at); // pending
  const { hours, totals } = await stats(at, `?since=${hour(3)}`);
  const counts = hours.map(({ deliveries }: Json) => deliveries).filter(({ total }: Json) => total > 0);
  expect(counts).toEqual([
    { total: 4, pending: 0, delivered: 3, failed: 1, successShare: 0.75 },
    { total: 1, pending: 1, delivered: 0, failed: 0, successShare: null },
  ]);
  expect(totals.deliveries).toEqual({ total: 5, pending: 1, delivered: 3, failed: 1, successShare: 0.75 });
});

test("get_webhook_stats counts every kind of failure that an attempt can have", async () => {
  const at = await anEndpointWithMissedEvents(here, "5 hours");
  const words = await here.db.sql<{ word: string }>(
    "select unnest(enum_range(null::app.attempt_failure))::text as word",
  );
  await attempts(
    at,
    minutesAgo(1),
    words.map(({ word }) => [1, null, word]),
  );
  const { failures } = (await stats(at)).totals.attempts;
  expect(failures).toEqual({ status: 0, ...Object.fromEntries(words.map(({ word }) => [word, 1])) });
});

test("get_webhook_stats extends the time to whole hours", async () => {
  const at = await anEndpointWithMissedEvents(here, "5 hours");
  const range = async (query: string) => {
    const { since, until, hours } = await stats(at, query);
    return [since, until, hours.length];
  };
  expect(await range(`?since=${hour(2)}&until=${hour(1)}`)).toEqual([hour(2), hour(1), 1]);
  expect(await range(`?since=${within(hour(2), 30)}&until=${within(hour(1), 0.001)}`)).toEqual([hour(2), hour(0), 2]);
  expect(await range(`?until=${hour(1)}`)).toEqual([hour(25), hour(1), 24]);
  const [since, until] = [within(hour(168), 1), within(hour(0), 1)];
  expect(await range(`?since=${since}&until=${until}`)).toEqual([hour(168), hour(-1), 169]);
});

test("get_webhook_stats refuses a time that is longer than seven days, empty or malformed", async () => {
  const at = await anEndpointWithMissedEvents(here, "5 hours");
  const getStats = (query: string) => at.ada.get(`/webhooks/${at.endpointId}/stats${query}`);
  expectRefusal(await getStats(`?since=${hour(0)}&until=${hour(0)}`), "invalid_request", ["query.since"]);
  expectRefusal(await getStats(`?since=${hour(0)}&until=${hour(1)}`), "invalid_request", ["query.since"]);
  expectRefusal(await getStats(`?since=${minutesAgo(-1)}`), "invalid_request", ["query.since"]);
  expectRefusal(await getStats(`?since=${minutesAgo(7 * 24 * 60 + 1)}`), "invalid_request", ["query.since"]);
  expectRefusal(await getStats("?since=0001-01-01T00:00:00Z&until=9999-12-31T00:00:00Z"), "invalid_request", [
    "query.since",
  ]);
  expectRefusal(await getStats("?since=yesterday"), "invalid_request", ["query.since"]);
  expectRefusal(await getStats(`?until=${hour(1)}&until=${hour(2)}`), "invalid_request", ["query.until"]);
});

test("get_webhook_stats returns 404 for a deleted or foreign endpoint", async () => {
  const at = await anEndpointWithMissedEvents(here, "5 hours");
  const eve = await here.owner();
  expectRefusal(await eve.get(`/webhooks/${at.endpointId}/stats`), "not_found");
  await at.ada.delete(`/webhooks/${at.endpointId}`);
  expectRefusal(await at.ada.get(`/webhooks/${at.endpointId}/stats`), "not_found");
});
