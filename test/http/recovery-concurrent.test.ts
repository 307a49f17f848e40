/** Concurrent recoveries of one endpoint: no event gets two deliveries, no delivery two rounds. */
import { expectAnswer } from "../support/answers.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeDeliveries, makeEvents, minutesAgo } from "../support/events.ts";
import { anEndpointWithMissedEvents, newEndpoint } from "../support/resources.ts";
import { begun } from "../support/transactions.ts";
import { twoProcesses } from "../support/two-processes.ts";
import { eventually } from "../support/worker.ts";

const here = apiOfFile();
const processes = twoProcesses(here);

/** Sends these calls through two processes; all wait for a lock before the endpoint's row is released. */
async function allAtOnce({ ada, endpointId }: { ada: Member; endpointId: string }, include: string, count = 8) {
  const holder = await begun(here.db);
  const { rows: own } = await holder.query<{ pid: number }>("select pg_backend_pid() as pid");
  await holder.query("select from app.webhook_endpoints where id = $1 for update", [endpointId]);
  const body = { since: minutesAgo(90), include };
  const calls = Array.from({ length: count }, (_, each) =>
    (each % 2 ? processes.second : here.api).call("POST", `/webhooks/${endpointId}/recover`, {
      key: ada.key.text,
      body,
    }),
  );
  const waiting = `select pg_blocking_pids(pid) as blockers from pg_stat_activity
    where datname = current_database() and usename = 'server' and wait_event_type = 'Lock'`;
  await eventually(async () => (await here.db.sql(waiting)).length === count);
  // One call waits for the endpoint's row, as outcomes of attempts do. The others wait for the lock of the recovery.
  const elsewhere = (await here.db.sql<{ blockers: number[] }>(waiting)).filter(
    ({ blockers }) => !blockers.includes(own[0]?.pid ?? 0),
  );
  expect(elsewhere).toHaveLength(count - 1);
  await holder.query("commit");
  return (await Promise.all(calls)).map((answer) => expectAnswer("recover_webhook", answer).recovered as number);
}

test("Eight recoveries of missing events at once create one delivery for each event", async () => {
  const at = await anEndpointWithMissedEvents(here, "1 hour", 300);
  expect((await allAtOnce(at, "missing")).toSorted((a, b) => b - a)).toEqual([300, 0, 0, 0, 0, 0, 0, 0]);
  const rows = await here.db.sql<{ event_id: string }>("select event_id from app.deliveries where endpoint_id = $1", [
    at.endpointId,
  ]);
  expect(rows.map(({ event_id }) => event_id).toSorted()).toEqual(at.eventIds);
});

test("Eight recoveries of failed deliveries at once begin one round for each delivery", async () => {
  const at = await anEndpointWithMissedEvents(here, "1 hour", 300);
  await makeDeliveries(here.db, { ...at, eventId: at.eventIds[0] ?? "" }, { ago: "1 hour", count: 300 });
  expect((await allAtOnce(at, "failed")).toSorted((a, b) => b - a)).toEqual([300, 0, 0, 0, 0, 0, 0, 0]);
  const rounds = await here.db.sql(
    "select state, attempts, attempts_before_round, max_attempts, count(*)::int from app.deliveries where endpoint_id = $1 group by 1, 2, 3, 4",
    [at.endpointId],
  );
  expect(rounds).toEqual([{ state: "pending", attempts: 5, attempts_before_round: 5, max_attempts: 10, count: 300 }]);
});

test("Events written during eight recoveries get one delivery each", async () => {
  const at = await anEndpointWithMissedEvents(here, "1 hour", 300);
  const writing = Array.from({ length: 20 }, () => makeEvents(here.db, at, { count: 5 }));
  const recovering = Array.from({ length: 8 }, async () => {
    await at.ada.post(`/webhooks/${at.endpointId}/recover`, { since: minutesAgo(90), include: "missing" });
  });
  const written = (await Promise.all(writing)).flat();
  await Promise.all(recovering);
  const rows = await here.db.sql<{ event_id: string }>("select event_id from app.deliveries where endpoint_id = $1", [
    at.endpointId,
  ]);
  expect(rows.map(({ event_id }) => event_id).toSorted()).toEqual([...at.eventIds, ...written].toSorted());
});

test("A recovery does not block tests, recoveries or events of another endpoint", async () => {
  const at = await anEndpointWithMissedEvents(here, "1 hour", 300);
  const other = (await at.ada.post("/webhooks", newEndpoint)).body.id;
  const holder = await begun(here.db);
  await holder.query("select from app.webhook_endpoints where id = $1 for no key update", [at.endpointId]);
  expectAnswer("test_webhook", await at.ada.post(`/webhooks/${other}/test`));
  const body = { since: minutesAgo(90), include: "missing" };
  expect(expectAnswer("recover_webhook", await at.ada.post(`/webhooks/${other}/recover`, body))).toMatchObject({
    recovered: 300,
  });
  await makeEvents(here.db, at); // events are not blocked either
});
