/** Recovery of failed and missing deliveries after an outage. (docs/specification/webhooks.md#recovery) */
import type { Json } from "../support/api.ts";
import { minutesAgo } from "../support/events.ts";
import { customer, ownOfficeOfFile, status } from "../support/post-office.ts";
import { eventually } from "../support/worker.ts";

const office = ownOfficeOfFile();
beforeAll(async () => {
  // One attempt a delivery, so that each failed answer is a failed delivery.
  await office.db.sql("update app.service_settings set delivery_max_attempts = 1");
});

test("failed and missing deliveries of a disabled endpoint arrive once each, with their ids", async () => {
  const who = await customer(office);
  const hook = office.hook(status(500));
  const endpoint = await who.subscribe(hook);
  const state = async () => (await who.ask("GET", `/webhooks/${endpoint.id}`)).body.state;
  const runs: string[] = [];
  const finish = async () => runs.push(await who.run());
  const ended = () =>
    office.db.sql("select from app.deliveries where endpoint_id = $1 and state <> 'pending'", [endpoint.id]);

  for (let failed = 1; failed <= 10; failed += 1) {
    await finish();
    await eventually(async () => (await ended()).length === failed);
  }
  expect(await state()).toBe("disabled");
  for (let missed = 1; missed <= 3; missed += 1) await finish();
  const events = "select from app.events where organisation_id = $1";
  await eventually(async () => (await office.db.sql(events, [who.organisation.id])).length === 13);
  const before = hook.posts().map(({ body }) => body);
  expect(before).toHaveLength(10);

  hook.answer = status(200);
  await who.ask("PATCH", `/webhooks/${endpoint.id}`, { state: "active" });
  const recover = async (include: string) =>
    (await who.ask("POST", `/webhooks/${endpoint.id}/recover`, { since: minutesAgo(5), include })).body.recovered;
  expect(await recover("failed")).toBe(10);
  expect(await recover("missing")).toBe(3);
  await eventually(async () => (await ended()).length === 13);
  expect([await recover("failed"), await recover("missing")]).toEqual([0, 0]);

  const after = hook.posts().slice(10);
  expect(after.map(({ body }) => JSON.parse(body).data.runId).toSorted()).toEqual(runs.toSorted());
  expect(after.map(({ body }) => body)).toEqual(expect.arrayContaining(before));
  const { data } = (await who.ask("GET", `/webhooks/${endpoint.id}/deliveries`)).body;
  const logs = await Promise.all(
    data.map(async ({ id }: Json) => {
      const { attemptLog } = (await who.ask("GET", `/deliveries/${id}`)).body;
      return attemptLog.map(({ number, trigger, statusCode }: Json) => `${number} ${trigger} ${statusCode}`).join();
    }),
  );
  expect(logs.toSorted()).toEqual([
    ...Array.from({ length: 3 }, () => "1 scheduled 200"),
    ...Array.from({ length: 10 }, () => "1 scheduled 500,2 manual 200"),
  ]);
  const { totals } = (await who.ask("GET", `/webhooks/${endpoint.id}/stats`)).body;
  expect(totals.deliveries).toEqual({ total: 13, pending: 0, delivered: 13, failed: 0, successShare: 1 });
  expect(totals.attempts).toMatchObject({ total: 23, succeeded: 13, failed: 10, successShare: 0.5652 });
  expect(totals.attempts.failures.status).toBe(10);
});
