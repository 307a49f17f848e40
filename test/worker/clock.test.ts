/** A database's clock that jumps: what is due follows it, without a storm, and nothing waits for hours that need not. */
import type { Pool } from "pg";
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { customer, openPostOffice, status } from "../support/post-office.ts";
import { makeDue, makeEndpoint, record, type Visited, visit } from "../support/visits.ts";
import { eventually, moveClock, type Step, visits } from "../support/worker.ts";

describe("claims and sweeps", () => {
  let db: TestDatabase;
  let worker: Pool;

  beforeEach(async () => {
    db = await testDatabase();
    worker = db.poolAs("worker", 4);
  });
  afterEach(() => db.drop());

  const endpoint = async (due: number): Promise<Visited> => {
    const made = await makeEndpoint(db, (await makeOrganisation(db)).id);
    await makeDue(db, made, due);
    return made;
  };
  const sweep = async () => (await worker.query("select * from jobs.sweep()")).rows[0];
  /** Seconds by the database's clock until the deliveries are due, or were. */
  const waits = async () =>
    (
      await db.sql<{ wait: number }>(
        "select extract(epoch from next_attempt_at - jobs.clock())::float as wait from app.deliveries where state = 'pending' order by 1",
      )
    ).map(({ wait }) => wait);

  test("set forward by hours, a hundred retries come due at once, and go out within the share", async () => {
    const at = await endpoint(100);
    await db.sql(
      "update app.service_settings set delivery_share_of_endpoint = 100, delivery_slots = 400, delivery_share_of_organisation = 100",
    );
    const claims = await visit(worker, at);
    expect(claims).toHaveLength(100);
    await record(
      worker,
      at.organisationId,
      claims.map((claim) => [claim, { statusCode: 500 }]),
    );
    await db.sql("update app.service_settings set delivery_share_of_endpoint = 10");
    await moveClock(db, "3 hours");
    expect(await visit(worker, at)).toHaveLength(1); // it is in trouble
    await sweep();
    expect((await waits()).filter((wait) => wait > 0)).toEqual([]); // none was skipped
  });

  test("set back by hours, what had not been attempted is due at once", async () => {
    await db.sql("delete from graphile_worker._private_jobs");
    await moveClock(db, "0");
    const at = await endpoint(3);
    await sweep();
    await moveClock(db, "-3 hours");
    expect(await visit(worker, at)).toEqual([]); // by the clock they are not due for three hours
    await sweep();
    expect(await waits()).toEqual([0, 0, 0].map(() => expect.any(Number)));
    expect(Math.max(...(await waits()))).toBeLessThanOrEqual(0);
    expect(await visit(worker, at)).toHaveLength(3);
  });

  test("set back by hours, no retry waits longer from then on than its rung, and none comes before it", async () => {
    const at = await endpoint(3);
    await sweep();
    const claims = await visit(worker, at);
    await record(
      worker,
      at.organisationId,
      claims.map((claim) => [claim, { statusCode: 500 }]),
    );
    await moveClock(db, "-3 hours");
    expect(Math.min(...(await waits()))).toBeGreaterThan(10_000);
    await sweep();
    const after = await waits();
    expect(after).toHaveLength(3);
    // From when the claim was given, which is when the attempt began.
    expect(Math.min(...after)).toBeGreaterThanOrEqual(59);
    expect(Math.max(...after)).toBeLessThanOrEqual(70);
    const queued = await visits(db);
    expect(queued.filter(({ run_at }) => run_at.getTime() > Date.now() + 70_000)).toEqual([]);
  });

  test("set back by hours, a claim whose worker is lost lapses after 12 s, not after hours", async () => {
    const at = await endpoint(1);
    await sweep();
    const [lost] = (await visit(worker, at)) as [Step];
    await moveClock(db, "-3 hours");
    await sweep();
    expect(await visit(worker, at)).toEqual([]); // its worker may still be at it
    await moveClock(db, "13 seconds");
    expect((await visit(worker, at)).map(({ deliveryId }) => deliveryId)).toEqual([lost.deliveryId]);
  });

  test("a clock that goes on moves nothing", async () => {
    const at = await endpoint(2);
    await sweep();
    const claims = await visit(worker, at);
    await record(worker, at.organisationId, [[claims[0] as Step, { statusCode: 500 }]]);
    const times = () => db.sql("select id, next_attempt_at, claimed_until from app.deliveries order by id");
    const before = await times();
    await sweep();
    expect(await times()).toEqual(before);
  });
});

test("with a worker: a clock that is set forward and back again loses nothing and posts nothing twice", async () => {
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
    await eventually(async () => (await visits(office.db)).length === 0);
    expect(hook.posts()).toHaveLength(3);
  } finally {
    await office.close();
  }
});
