/** Deliveries after the database's clock jumps forwards or backwards. */
import type { Pool } from "pg";
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { type EndpointKey, leaseDue, makeDue, makeEndpoint, record } from "../support/endpoint-leases.ts";
import { customer, openPostOffice, status } from "../support/post-office.ts";
import { deliveryJobs, eventually, moveClock, type Step } from "../support/worker.ts";

describe("leases and maintenance", () => {
  let db: TestDatabase;
  let worker: Pool;

  beforeEach(async () => {
    db = await testDatabase();
    worker = db.poolAs("worker", 4);
  });
  afterEach(() => db.drop());

  const endpoint = async (due: number): Promise<EndpointKey> => {
    const made = await makeEndpoint(db, (await makeOrganisation(db)).id);
    await makeDue(db, made, due);
    return made;
  };
  const maintenance = async () => (await worker.query("select * from jobs.run_maintenance()")).rows[0];
  /** Seconds by the database's clock until the deliveries are due, or were. */
  const waits = async () =>
    (
      await db.sql<{ wait: number }>(
        "select extract(epoch from next_attempt_at - times.clock())::float as wait from app.deliveries where state = 'pending' order by 1",
      )
    ).map(({ wait }) => wait);

  test("clock set forward by hours: a hundred retries become due at once, and the share limits them", async () => {
    const at = await endpoint(100);
    await db.sql(
      "update app.service_settings set delivery_share_of_endpoint = 100, delivery_slots = 400, delivery_share_of_organisation = 100",
    );
    const leases = await leaseDue(worker, at);
    expect(leases).toHaveLength(100);
    await record(
      worker,
      at.organisationId,
      leases.map((lease) => [lease, { statusCode: 500 }]),
    );
    await db.sql("update app.service_settings set delivery_share_of_endpoint = 10");
    await moveClock(db, "3 hours");
    expect(await leaseDue(worker, at)).toHaveLength(1); // the endpoint is degraded
    await maintenance();
    expect((await waits()).filter((wait) => wait > 0)).toEqual([]); // none was skipped
  });

  test("clock set back by hours: deliveries without an attempt are due at once", async () => {
    await db.sql("delete from graphile_worker._private_jobs");
    await moveClock(db, "0");
    const at = await endpoint(3);
    await maintenance();
    await moveClock(db, "-3 hours");
    expect(await leaseDue(worker, at)).toEqual([]); // by the clock they are not due for three hours
    await maintenance();
    expect(await waits()).toEqual([0, 0, 0].map(() => expect.any(Number)));
    expect(Math.max(...(await waits()))).toBeLessThanOrEqual(0);
    expect(await leaseDue(worker, at)).toHaveLength(3);
  });

  test("clock set back by hours: each retry waits exactly its retry interval", async () => {
    const at = await endpoint(3);
    await maintenance();
    const leases = await leaseDue(worker, at);
    await record(
      worker,
      at.organisationId,
      leases.map((lease) => [lease, { statusCode: 500 }]),
    );
    await moveClock(db, "-3 hours");
    expect(Math.min(...(await waits()))).toBeGreaterThan(10_000);
    await maintenance();
    const after = await waits();
    expect(after).toHaveLength(3);
    // Counted from the lease, when the attempt began.
    expect(Math.min(...after)).toBeGreaterThanOrEqual(59);
    expect(Math.max(...after)).toBeLessThanOrEqual(70);
    const queued = await deliveryJobs(db);
    expect(queued.filter(({ run_at }) => run_at.getTime() > Date.now() + 70_000)).toEqual([]);
  });

  test("clock set back by hours: the lease of a lost worker expires after 12 s", async () => {
    const at = await endpoint(1);
    await maintenance();
    const [lost] = (await leaseDue(worker, at)) as [Step];
    await moveClock(db, "-3 hours");
    await maintenance();
    expect(await leaseDue(worker, at)).toEqual([]); // its worker may still be sending
    await moveClock(db, "13 seconds");
    expect((await leaseDue(worker, at)).map(({ deliveryId }) => deliveryId)).toEqual([lost.deliveryId]);
  });

  test("without a clock jump, maintenance changes nothing", async () => {
    const at = await endpoint(2);
    await maintenance();
    const leases = await leaseDue(worker, at);
    await record(worker, at.organisationId, [[leases[0] as Step, { statusCode: 500 }]]);
    const times = () => db.sql("select id, next_attempt_at, lease_until from app.deliveries order by id");
    const before = await times();
    await maintenance();
    expect(await times()).toEqual(before);
  });
});

test("clock set forward and back with a running worker: no delivery is lost or posted twice", async () => {
  const office = await openPostOffice();
  try {
    const who = await customer(office);
    const hook = office.hook(status(500));
    const endpoint = await who.subscribe(hook);
    await who.ask("POST", `/webhooks/${endpoint.id}/test`);
    await who.untilDelivery(endpoint, "pending", 1);
    hook.answer = status(200);
    await moveClock(office.db, "5 hours");
    await who.untilDelivery(endpoint, "delivered", 2);
    await moveClock(office.db, "-5 hours");
    await who.ask("POST", `/webhooks/${endpoint.id}/test`);
    await who.untilDelivery(endpoint, "delivered", 1);
    await eventually(async () => (await deliveryJobs(office.db)).length === 0);
    expect(hook.posts()).toHaveLength(3);
  } finally {
    await office.close();
  }
});
