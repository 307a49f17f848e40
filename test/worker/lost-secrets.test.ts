/** Deliveries to an endpoint whose secret cannot be opened wait for a new secret. (docs/specification/deliveries.md#retries) */
import type { Pool } from "pg";
import { sharedClient } from "../../src/database/connections/worker-pool.ts";
import { parseRanges } from "../../src/delivery/address.ts";
import { createPoster } from "../../src/delivery/post.ts";
import { openDeliver } from "../../src/worker/deliver.ts";
import { openDeliveryLeases } from "../../src/worker/delivery-leases.ts";
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { type Answer, type EndpointKey, leaseDue, makeDue, makeEndpoint, record } from "../support/endpoint-leases.ts";
import { log } from "../support/logged.ts";
import { customer, expectSigned, openPostOffice } from "../support/post-office.ts";

let db: TestDatabase;
let worker: Pool;

beforeAll(async () => {
  db = await testDatabase();
  worker = db.poolAs("worker");
  await db.sql("update app.service_settings set delivery_share_of_endpoint = 30, delivery_max_attempts = 2");
});
afterAll(() => db.drop());

const lost: Answer = { statusCode: null, failure: "secret" };
const bad: Answer = { statusCode: 500 };
const ok: Answer = { statusCode: 200 };

const place = async (): Promise<EndpointKey> => makeEndpoint(db, (await makeOrganisation(db)).id);

async function attemptAll(at: EndpointKey, answer: Answer): Promise<void> {
  await db.sql("update app.webhook_endpoints set degraded_since = null where id = $1", [at.endpointId]); // for more than one lease
  const leases = await leaseDue(worker, at);
  await record(
    worker,
    at.organisationId,
    leases.map((lease) => [lease, answer] as const),
  );
}

const endpoint = async ({ endpointId }: EndpointKey) =>
  (
    await db.sql<{ state: string; failures: number; lost: boolean }>(
      "select state, consecutive_failures as failures, unreadable_since is not null as lost from app.webhook_endpoints where id = $1",
      [endpointId],
    )
  )[0];

/** By delivery: state, attempts, maximum, and hours until the next attempt. */
const deliveries = async ({ endpointId }: EndpointKey) =>
  (
    await db.sql<{ row: unknown[] }>(
      `select json_build_array(state, attempts, max_attempts, floor(extract(epoch from next_attempt_at - now() + interval '1 minute') / 3600)) as row
       from app.deliveries where endpoint_id = $1 order by id`,
      [endpointId],
    )
  ).map(({ row }) => row);

const makeDueNow = ({ endpointId }: EndpointKey) =>
  db.sql("update app.deliveries set next_attempt_at = now() where endpoint_id = $1 and state = 'pending'", [
    endpointId,
  ]);

test("attempts with a lost secret neither end a round nor disable the endpoint, and follow after the longest delay", async () => {
  const at = await place();
  await makeDue(db, at, 12);
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await makeDueNow(at);
    await attemptAll(at, lost);
    expect(await deliveries(at)).toEqual(Array(12).fill(["pending", attempt, 2 + attempt, 8]));
  }
  expect(await endpoint(at)).toEqual({ state: "active", failures: 0, lost: true });
});

test("an attempt with a secret that opens ends the loss, and all waiting deliveries are due at once", async () => {
  const at = await place();
  await makeDue(db, at, 3);
  await attemptAll(at, lost);
  await db.sql(
    "update app.deliveries set next_attempt_at = now() where id = (select id from app.deliveries where endpoint_id = $1 limit 1)",
    [at.endpointId],
  );
  await attemptAll(at, bad);
  expect(await endpoint(at)).toEqual({ state: "active", failures: 0, lost: false });
  const after = await deliveries(at);
  expect(after.toSorted()).toEqual([
    ["pending", 1, 3, 0],
    ["pending", 1, 3, 0],
    ["pending", 2, 3, 0],
  ]);
  // The failed attempt was the first of two that count.
  await makeDueNow(at);
  await attemptAll(at, bad);
  expect((await deliveries(at)).map(([state]) => state).toSorted()).toContain("failed");
});

test("a rotation makes waiting deliveries due, and an attempt under way with the lost secret records nothing", async () => {
  const at = await place();
  await makeDue(db, at, 2);
  const [first, second] = await leaseDue(worker, at);
  if (!first || !second) throw new Error("Both deliveries are due.");
  await record(worker, at.organisationId, [[first, lost]]);
  const before = await deliveries(at);
  expect(before.map(([, attempts]) => attempts).toSorted()).toEqual([0, 1]);
  await db.sql("update app.webhook_endpoints set secret_sealed = '\\x01' where id = $1", [at.endpointId]);
  await record(worker, at.organisationId, [[second, lost]]);
  expect(await endpoint(at)).toEqual({ state: "active", failures: 0, lost: false });
  expect((await deliveries(at)).map((row) => [row[0], row[3]])).toEqual(Array(2).fill(["pending", 0]));
  await attemptAll(at, ok);
  expect((await deliveries(at)).map(([state]) => state)).toEqual(["delivered", "delivered"]);
});

test("a rotation that waited for the lease of the attempt under way counts too", async () => {
  const at = await place();
  await makeDue(db, at, 1);
  await db.sql("update app.webhook_endpoints set unreadable_since = now() where id = $1", [at.endpointId]);
  const rotation = await db.adminPool({ max: 1 }).connect();
  await rotation.query("begin"); // its time is before the time of the lease
  const [lease] = await leaseDue(worker, at);
  if (!lease) throw new Error("The delivery is due.");
  await rotation.query("update app.webhook_endpoints set secret_sealed = '\\x01' where id = $1", [at.endpointId]);
  await rotation.query("commit");
  rotation.release();
  await record(worker, at.organisationId, [[lease, lost]]);
  expect(await endpoint(at)).toEqual({ state: "active", failures: 0, lost: false });
  expect(await deliveries(at)).toEqual([["pending", 0, 2, 0]]);
  await attemptAll(at, ok);
  expect(await deliveries(at)).toEqual([["delivered", 1, 2, null]]);
});

test("a worker posts once if the secret was rotated during an attempt with the lost one", async () => {
  const office = await openPostOffice({ worker: false });
  const pool = office.db.poolAs("worker");
  const poster = createPoster({ allowed: parseRanges("127.0.0.0/8, ::1/128"), extraCa: office.receiver.ca });
  const leases = openDeliveryLeases(sharedClient(pool));
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: failed, resolve: fail } = Promise.withResolvers<void>();
  let isHeld = false;
  const deliver = openDeliver({
    ...{ poster, sealing: office.db.key.sealing, log, stopping: new AbortController().signal },
    signers: { keys: () => [], stop: async () => {} },
    firstLeases: leases,
    leases: {
      async exchange(request) {
        if (request.attempt?.failure === "secret" && !isHeld) {
          isHeld = true;
          fail();
          await released; // its outcome arrives after the rotation
        }
        return leases.exchange(request);
      },
    },
  });
  const who = await customer(office);
  const hook = office.hook();
  const { id } = await who.subscribe(hook);
  await office.db.sql("update app.webhook_endpoints set secret_sealed = 'sealed' where id = $1", [id]);
  await office.db.sql("update app.webhook_endpoints set unreadable_since = now() where id = $1", [id]);
  await who.ask("POST", `/webhooks/${id}/test`);
  const shown = async () => (await who.ask("GET", `/webhooks/${id}`)).body;
  expect((await shown()).secretLostSince).toEqual(expect.any(String));
  const key = { organisationId: who.organisation.id, endpointId: id };
  const first = deliver(key);
  await failed;
  const { secret } = (await who.ask("POST", `/webhooks/${id}/rotate`)).body;
  expect((await shown()).secretLostSince).toBeNull();
  await deliver(key);
  release();
  await first;
  expect(hook.posts()).toHaveLength(1);
  expectSigned(hook.posts()[0], secret);
  expect(await who.delivery({ id, secret })).toMatchObject({ state: "delivered", attempts: 1, lastFailure: null });
  await poster.close();
  await office.close();
});
