/** What visits say to the database goes in batches, and one that is not understood is the undoing of no other. */
import { randomUUID } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import { Client, type Pool } from "pg";
import type { WithClient } from "../../src/database/shared-client.ts";
import { openLedger } from "../../src/worker/ledger.ts";
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { makeDue, makeEndpoint, type Visited } from "../support/visits.ts";

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

async function endpoint(due: number): Promise<Visited> {
  const made = await makeEndpoint(db, (await makeOrganisation(db)).id);
  await makeDue(db, made, due);
  return made;
}

const wish = { more: true, handOver: false };

test("what comes up at once is one statement, and each visit gets what is its endpoint's", async () => {
  const ledger = openLedger(withClient);
  const [one, two] = [await endpoint(3), await endpoint(2)];
  const [first, second] = await Promise.all([ledger.attend({ ...one, ...wish }), ledger.attend({ ...two, ...wish })]);
  expect([first.length, second.length, statements]).toEqual([3, 2, 1]);
});

test("of two visits to one endpoint one is given what is due, and nothing is given twice", async () => {
  const ledger = openLedger(withClient);
  const at = await endpoint(6);
  const given = await Promise.all([1, 2, 3].map(() => ledger.attend({ ...at, ...wish })));
  expect(given.map(({ length }) => length).sort()).toEqual([0, 0, 6]);
});

test("outcomes wait for company, but twenty-five are company enough", async () => {
  const ledger = openLedger(withClient);
  const at = await endpoint(0);
  await ledger.attend({ ...at, ...wish });
  const outcome = { statusCode: 200, failure: null, retryAfterSeconds: null, durationMs: 5 };
  const told = Array.from({ length: 25 }, () =>
    ledger.attend({ ...at, ...wish, made: { deliveryId: randomUUID(), claimId: randomUUID(), ...outcome } }),
  );
  await turn();
  await turn();
  expect(statements).toBe(2); // while the time for which fewer would wait has hardly begun
  await Promise.all(told);
  expect(statements).toBe(2);
});

test("the next statement is on its way while one is carried out, and a third waits for the first of them", async () => {
  const ledger = openLedger(withClient);
  const at = await endpoint(0);
  const locker = new Client({ connectionString: db.adminUrl });
  await locker.connect();
  await locker.query("begin");
  await locker.query("select from app.webhook_endpoints where id = $1 for update", [at.endpointId]);
  const outcome = { statusCode: 200, failure: null, retryAfterSeconds: null, durationMs: 5 };
  const told: Promise<unknown>[] = [ledger.attend({ ...at, ...wish })];
  const tell = async (count: number) => {
    for (let each = 0; each < count; each += 1) {
      const made = { deliveryId: randomUUID(), claimId: randomUUID(), ...outcome };
      told.push(ledger.attend({ ...at, ...wish, made }));
    }
    for (let each = 0; each < 3; each += 1) await turn();
    return statements;
  };
  expect(await tell(0)).toBe(1);
  expect(await tell(24)).toBe(1); // too few to go by themselves
  expect(await tell(1)).toBe(2);
  expect(await tell(50)).toBe(2);
  await locker.query("commit");
  await Promise.all(told);
  expect(statements).toBe(3);
  await locker.end();
});

test("an outcome that the database refuses is told to its visit, and the others are recorded", async () => {
  const ledger = openLedger(withClient);
  const at = await endpoint(3);
  const claims = await ledger.attend({ ...at, ...wish });
  const outcome = { statusCode: 200, failure: null, retryAfterSeconds: null };
  const told = await Promise.allSettled(
    claims.map(({ deliveryId, claimId }, place) =>
      ledger.attend({
        ...at,
        more: false,
        handOver: false,
        made: { deliveryId, claimId, ...outcome, durationMs: place === 1 ? -1 : 5 },
      }),
    ),
  );
  expect(told.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await db.sql("select from app.deliveries where state = 'delivered'")).toHaveLength(2);
});
