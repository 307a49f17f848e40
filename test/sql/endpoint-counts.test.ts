/** Counts of ended deliveries and of attempts, which the statistics of an endpoint read. (docs/specification/webhooks.md#statistics) */
import type { Pool } from "pg";
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { counted as countedIn } from "../support/endpoint-counts.ts";
import { type Answer, type EndpointKey, leaseDue, makeDue, makeEndpoint, record } from "../support/endpoint-leases.ts";
import { begun } from "../support/transactions.ts";

let db: TestDatabase;
let worker: Pool;

beforeAll(async () => {
  db = await testDatabase();
  worker = db.poolAs("worker", 8);
  await db.sql(
    "update app.service_settings set delivery_share_of_endpoint = 200, delivery_share_of_organisation = 300",
  );
  await db.sql("update app.service_settings set delivery_slots = 1000, delivery_max_attempts = 1");
});
afterAll(() => db.drop());

const newEndpoint = async () => makeEndpoint(db, (await makeOrganisation(db)).id);

const counted = ({ endpointId }: EndpointKey) => countedIn(db.sql, `endpoint_id = '${endpointId}'`);

const answers: Answer[] = [{ statusCode: 200 }, { statusCode: 500 }, { statusCode: null, failure: "timeout" }];

test("parallel outcomes of one endpoint, a failed endpoint and redeliveries lose no count", async () => {
  const at = await newEndpoint();
  await makeDue(db, at, 160);
  const leases = await leaseDue(worker, at);
  expect(leases).toHaveLength(160);
  const batches = Array.from({ length: 8 }, (_, batch) => leases.slice(batch * 15, (batch + 1) * 15));
  await Promise.all(
    batches.map((batch) =>
      record(
        worker,
        at.organisationId,
        batch.map((lease, n) => [lease, answers[n % 4 === 3 ? 1 : 0] as Answer]),
      ),
    ),
  );
  const [kept, rows] = await counted(at);
  expect(kept).toEqual(rows);
  expect(
    await db.sql("select sum(total)::integer as total from app.endpoint_counts where endpoint_id = $1", [
      at.endpointId,
    ]),
  ).toEqual([{ total: 2 * 120 }]);

  await db.sql("update app.deliveries set lease_id = null, lease_until = null where endpoint_id = $1", [at.endpointId]);
  const paused = "update app.webhook_endpoints set state = $2 where id = $1";
  await db.sql(
    "update app.webhook_endpoints set state = 'disabled', disabled_reason = 'operator', disabled_at = now() where id = $1",
    [at.endpointId],
  );
  expect(
    await db.sql("select from app.deliveries where state = 'pending' and endpoint_id = $1", [at.endpointId]),
  ).toEqual([]);
  await db.sql(paused, [at.endpointId, "active"]);
  await db.sql("update app.deliveries set state = 'pending' where endpoint_id = $1 and state = 'failed'", [
    at.endpointId,
  ]);
  expect((await counted(at))[0]).toEqual((await counted(at))[1]);
  const again = await leaseDue(worker, at);
  await record(
    worker,
    at.organisationId,
    again.slice(0, 20).map((lease, n) => [lease, answers[n % 3] as Answer]),
  );
  const [after, expected] = await counted(at);
  expect(after).toEqual(expected);
  expect(after.length).toBeGreaterThanOrEqual(5);
});

test("writing a delivery and recording an outcome of the same endpoint do not wait for each other", async () => {
  const at = await newEndpoint();
  await makeDue(db, at, 2);
  const [first, second] = await leaseDue(worker, at);
  if (!first || !second) throw new Error("nothing was leased");
  const insert = `with event as (
      insert into app.events (organisation_id, kind, data) values ('${at.organisationId}', 'webhook.test', '{}') returning id
    )
    insert into app.deliveries (organisation_id, endpoint_id, event_id, event)
    select '${at.organisationId}', '${at.endpointId}', id, 'webhook.test' from event`;
  const writer = await begun(db);
  const recorder = await begun(db);
  for (const client of [writer, recorder]) await client.query("set local lock_timeout = '2s'");
  await writer.query(insert);
  await record(recorder, at.organisationId, [[first, { statusCode: 200 }]]);
  await writer.query(insert);
  await recorder.query("commit");
  await writer.query("commit");
  await record(worker, at.organisationId, [[second, { statusCode: 200 }]]);
  expect((await counted(at))[0]).toEqual((await counted(at))[1]);
});

test("a thousand attempts of the same hour, outcome and duration are one row", async () => {
  const at = await newEndpoint();
  await makeDue(db, at, 1);
  await db.sql(
    `insert into app.delivery_attempts (organisation_id, delivery_id, endpoint_id, number, trigger, started_at, duration_ms, status_code)
     select organisation_id, id, endpoint_id, number, 'scheduled', date_trunc('hour', now()), 40, 200
     from app.deliveries, generate_series(1, 1000) number where endpoint_id = $1`,
    [at.endpointId],
  );
  const [kept, rows] = await counted(at);
  expect(kept).toEqual(rows);
  expect(kept).toMatchObject([{ counted: "succeeded", duration_ms: 40, total: "1000" }]);
});

test("jobs.count_endpoints counts what the triggers have counted", async () => {
  const read = () =>
    db.sql(
      "select * from app.endpoint_counts where total <> 0 order by endpoint_id, hour, counted, duration_ms, week_id",
    );
  const before = await read();
  expect(before.length).toBeGreaterThan(5);
  await db.sql("select jobs.count_endpoints()");
  expect(await read()).toEqual(before);
});
