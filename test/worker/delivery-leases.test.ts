/** DeliveryLeases: batching, and isolation of rejected requests. */
import { randomUUID } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import type { Pool } from "pg";
import type { WithClient } from "../../src/database/connections/worker-pool.ts";
import { openDeliveryLeases } from "../../src/worker/delivery-leases.ts";
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { type EndpointKey, makeDue, makeEndpoint } from "../support/endpoint-leases.ts";
import { begun } from "../support/transactions.ts";

let db: TestDatabase;
let pool: Pool;
let statements: number;

beforeEach(async () => {
  db = await testDatabase();
  pool = db.poolAs("worker", 2);
  statements = 0;
});
afterEach(() => db.drop());

const withClient: WithClient = async (use) => {
  statements += 1;
  const client = await pool.connect();
  try {
    return await use(client);
  } finally {
    client.release();
  }
};

async function endpoint(due: number): Promise<EndpointKey> {
  const made = await makeEndpoint(db, (await makeOrganisation(db)).id);
  await makeDue(db, made, due);
  return made;
}

const wish = { wantsMore: true, requeue: false };

test("simultaneous requests share one statement, and each gets the leases of its endpoint", async () => {
  const leases = openDeliveryLeases(withClient);
  const [one, two] = [await endpoint(3), await endpoint(2)];
  const [first, second] = await Promise.all([
    leases.exchange({ ...one, ...wish }),
    leases.exchange({ ...two, ...wish }),
  ]);
  expect([first.length, second.length, statements]).toEqual([3, 2, 1]);
});

test("of several requests for one endpoint, one gets all leases", async () => {
  const leases = openDeliveryLeases(withClient);
  const at = await endpoint(6);
  const given = await Promise.all([1, 2, 3].map(() => leases.exchange({ ...at, ...wish })));
  expect(given.map(({ length }) => length).sort()).toEqual([0, 0, 6]);
});

test("twenty-five outcomes are sent at once, without waiting", async () => {
  const leases = openDeliveryLeases(withClient);
  const at = await endpoint(0);
  await leases.exchange({ ...at, ...wish });
  const outcome = { statusCode: 200, failure: null, retryAfterSeconds: null, durationMs: 5 };
  const results = Array.from({ length: 25 }, () =>
    leases.exchange({ ...at, ...wish, attempt: { deliveryId: randomUUID(), leaseId: randomUUID(), ...outcome } }),
  );
  await turn();
  await turn();
  expect(statements).toBe(2); // before the waiting time of a smaller batch ends
  await Promise.all(results);
  expect(statements).toBe(2);
});

test("two statements run at the same time, and a third waits", async () => {
  const leases = openDeliveryLeases(withClient);
  const at = await endpoint(0);
  const locker = await begun(db);
  await locker.query("select from app.webhook_endpoints where id = $1 for update", [at.endpointId]);
  const outcome = { statusCode: 200, failure: null, retryAfterSeconds: null, durationMs: 5 };
  const results: Promise<unknown>[] = [leases.exchange({ ...at, ...wish })];
  const enqueue = async (count: number) => {
    for (let each = 0; each < count; each += 1) {
      const attempt = { deliveryId: randomUUID(), leaseId: randomUUID(), ...outcome };
      results.push(leases.exchange({ ...at, ...wish, attempt }));
    }
    for (let each = 0; each < 3; each += 1) await turn();
    return statements;
  };
  expect(await enqueue(0)).toBe(1);
  expect(await enqueue(24)).toBe(1); // too few for a statement of their own
  expect(await enqueue(1)).toBe(2);
  expect(await enqueue(50)).toBe(2);
  await locker.query("commit");
  await Promise.all(results);
  expect(statements).toBe(3);
});

test("a rejected outcome fails only its own request", async () => {
  const leases = openDeliveryLeases(withClient);
  const at = await endpoint(3);
  const leased = await leases.exchange({ ...at, ...wish });
  const outcome = { statusCode: 200, failure: null, retryAfterSeconds: null };
  const results = await Promise.allSettled(
    leased.map(({ deliveryId, leaseId }, place) =>
      leases.exchange({
        ...at,
        wantsMore: false,
        requeue: false,
        attempt: { deliveryId, leaseId, ...outcome, durationMs: place === 1 ? -1 : 5 },
      }),
    ),
  );
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await db.sql("select from app.deliveries where state = 'delivered'")).toHaveLength(2);
});
