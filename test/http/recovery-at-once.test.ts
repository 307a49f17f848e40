/** Recoveries of one endpoint that meet: no event gets two deliveries, no delivery two rounds. */
import { Client } from "pg";
import { expectAnswer } from "../support/answers.ts";
import { type TestApi, testApi } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeDeliveries, makeEvents, minutesAgo } from "../support/events.ts";
import { eventually } from "../support/worker.ts";

const here = apiOfFile();
const hook = { url: "https://receiver.example/hook", events: ["run.finished"] };
let second: TestApi;
beforeAll(async () => {
  second = await testApi(here.db);
});
afterAll(() => second?.stop());

async function shop(): Promise<{ ada: Member; organisationId: string; endpointId: string; eventIds: string[] }> {
  const ada = await here.owner();
  const organisationId = ada.organisation.id;
  const eventIds = await makeEvents(here.db, { organisationId }, { ago: "1 hour", count: 300 });
  return { ada, organisationId, eventIds, endpointId: (await ada.post("/webhooks", hook)).body.id };
}

/** So many calls, through two processes' worth of pools, that all stand before the endpoint's row when it is let go. */
async function allAtOnce({ ada, endpointId }: { ada: Member; endpointId: string }, include: string, count = 8) {
  const holder = new Client({ connectionString: here.db.adminUrl });
  await holder.connect();
  try {
    await holder.query("begin");
    await holder.query("select from app.webhook_endpoints where id = $1 for update", [endpointId]);
    const body = { since: minutesAgo(90), include };
    const calls = Array.from({ length: count }, (_, each) =>
      (each % 2 ? second : here.api).call("POST", `/webhooks/${endpointId}/recover`, { key: ada.key.text, body }),
    );
    const waiting = `select wait_event from pg_stat_activity
      where datname = current_database() and usename = 'server' and wait_event_type = 'Lock'`;
    await eventually(async () => (await here.db.sql(waiting)).length === count);
    // One of them is at the endpoint's row, where outcomes of attempts wait too; the others line up behind it.
    const elsewhere = (await here.db.sql<{ wait_event: string }>(waiting)).filter(
      (one) => one.wait_event === "advisory",
    );
    expect(elsewhere).toHaveLength(count - 1);
    await holder.query("commit");
    return (await Promise.all(calls)).map((answer) => expectAnswer("recover_webhook", answer).recovered as number);
  } finally {
    await holder.end();
  }
}

test("missing events that eight ask for at once get one delivery each", async () => {
  const at = await shop();
  expect((await allAtOnce(at, "missing")).toSorted((a, b) => b - a)).toEqual([300, 0, 0, 0, 0, 0, 0, 0]);
  const rows = await here.db.sql<{ event_id: string }>("select event_id from app.deliveries where endpoint_id = $1", [
    at.endpointId,
  ]);
  expect(rows.map(({ event_id }) => event_id).toSorted()).toEqual(at.eventIds);
});

test("failed deliveries that eight ask for at once begin one round each", async () => {
  const at = await shop();
  await makeDeliveries(here.db, { ...at, eventId: at.eventIds[0] ?? "" }, { ago: "1 hour", count: 300 });
  expect((await allAtOnce(at, "failed")).toSorted((a, b) => b - a)).toEqual([300, 0, 0, 0, 0, 0, 0, 0]);
  const rounds = await here.db.sql(
    "select state, attempts, attempts_before_round, max_attempts, count(*)::int from app.deliveries where endpoint_id = $1 group by 1, 2, 3, 4",
    [at.endpointId],
  );
  expect(rounds).toEqual([{ state: "pending", attempts: 5, attempts_before_round: 5, max_attempts: 10, count: 300 }]);
});

test("events that are being written while eight recover are delivered once each, whoever comes first", async () => {
  const at = await shop();
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

test("a recovery holds up no other endpoint: while one is under way, another is tested and recovered", async () => {
  const at = await shop();
  const other = (await at.ada.post("/webhooks", hook)).body.id;
  const holder = new Client({ connectionString: here.db.adminUrl });
  await holder.connect();
  try {
    await holder.query("begin");
    await holder.query("select from app.webhook_endpoints where id = $1 for no key update", [at.endpointId]);
    expectAnswer("test_webhook", await at.ada.post(`/webhooks/${other}/test`));
    const body = { since: minutesAgo(90), include: "missing" };
    expect(expectAnswer("recover_webhook", await at.ada.post(`/webhooks/${other}/recover`, body))).toMatchObject({
      recovered: 300,
    });
    await makeEvents(here.db, at); // nor does what happens wait for it
  } finally {
    await holder.end();
  }
});
