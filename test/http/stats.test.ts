/** How an endpoint fares, by the hour. (decisions: "Beyond the specification", 2.) */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeDeliveries, makeEvents, minutesAgo } from "../support/events.ts";

const here = apiOfFile();
const hook = { url: "https://receiver.example/hook", events: ["run.finished"] };
const hourMs = 3_600_000;
const present = Math.floor(Date.now() / hourMs);
/** The beginning of the hour so many hours before the one in which these tests began. */
const hour = (ago: number): string => new Date((present - ago) * hourMs).toISOString();
const within = (begin: string, minutes: number): string => new Date(Date.parse(begin) + minutes * 60_000).toISOString();

type Shop = { ada: Member; organisationId: string; endpointId: string; eventId: string };

async function shop(): Promise<Shop> {
  const ada = await here.owner();
  const organisationId = ada.organisation.id;
  const [eventId = ""] = await makeEvents(here.db, { organisationId }, { ago: "5 hours" });
  return { ada, organisationId, eventId, endpointId: (await ada.post("/webhooks", hook)).body.id };
}

/** Attempts as a worker records them, each of a delivery of its own that was made now. */
async function attempts(
  at: Shop,
  startedAt: string,
  outcomes: [ms: number, status: number | null, failure?: string][],
) {
  const ids = await makeDeliveries(here.db, at, { count: outcomes.length });
  for (const [place, [duration, status, failure = null]] of outcomes.entries()) {
    await here.db.sql(
      `insert into app.delivery_attempts
         (organisation_id, delivery_id, endpoint_id, number, trigger, started_at, duration_ms, status_code, failure)
       values ($1, $2, $3, 1, 'scheduled', $4, $5, $6, $7)`,
      [at.organisationId, ids[place], at.endpointId, startedAt, duration, status, failure],
    );
  }
}

const stats = async ({ ada, endpointId }: Shop, query = ""): Promise<Json> =>
  expectAnswer("get_webhook_stats", await ada.get(`/webhooks/${endpointId}/stats${query}`));

const noFailures = { status: 0, address: 0, dns: 0, redirect: 0, size: 0, timeout: 0, transport: 0, scheme: 0 };
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

test("an endpoint that nothing was sent to has the last 24 hours, each with zeros", async () => {
  const at = await shop();
  const answer = await stats(at);
  const behind = answer.until === hour(-2) ? -1 : 0; // an hour may have begun since
  expect(answer).toEqual({
    webhookId: at.endpointId,
    since: hour(23 + behind),
    until: hour(-1 + behind),
    totals: nothing,
    hours: Array.from({ length: 24 }, (_, each) => ({ hour: hour(23 - each + behind), ...nothing })),
  });
});

test("attempts count in the hour in which they began, by how they went and how long they took", async () => {
  const at = await shop();
  const other = { ...at, endpointId: (await at.ada.post("/webhooks", hook)).body.id as string };
  await attempts(other, within(hour(2), 10), [[1, 200]]);
  await attempts(at, hour(2), [[7, 204]]); // the very beginning is within
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

test("deliveries count in the hour in which they were made, by what has become of them", async () => {
  const at = await shop();
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

test("the words of failures are those that an attempt can have", async () => {
  const at = await shop();
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

test("the asked time is taken in whole hours, those it touches and no other", async () => {
  const at = await shop();
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

test("a time that is longer than seven days, empty or none is refused", async () => {
  const at = await shop();
  const asked = (query: string) => at.ada.get(`/webhooks/${at.endpointId}/stats${query}`);
  expectRefusal(await asked(`?since=${hour(0)}&until=${hour(0)}`), "invalid_request", ["query.since"]);
  expectRefusal(await asked(`?since=${hour(0)}&until=${hour(1)}`), "invalid_request", ["query.since"]);
  expectRefusal(await asked(`?since=${minutesAgo(-1)}`), "invalid_request", ["query.since"]);
  expectRefusal(await asked(`?since=${minutesAgo(7 * 24 * 60 + 1)}`), "invalid_request", ["query.since"]);
  expectRefusal(await asked("?since=0001-01-01T00:00:00Z&until=9999-12-31T00:00:00Z"), "invalid_request", [
    "query.since",
  ]);
  expectRefusal(await asked("?since=yesterday"), "invalid_request", ["query.since"]);
  expectRefusal(await asked(`?until=${hour(1)}&until=${hour(2)}`), "invalid_request", ["query.until"]);
});

test("an endpoint that is deleted or somebody else's is not found", async () => {
  const at = await shop();
  const eve = await here.owner();
  expectRefusal(await eve.get(`/webhooks/${at.endpointId}/stats`), "not_found");
  await at.ada.delete(`/webhooks/${at.endpointId}`);
  expectRefusal(await at.ada.get(`/webhooks/${at.endpointId}/stats`), "not_found");
});
