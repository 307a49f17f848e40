/**
 * Changes of an endpoint during an attempt: pause, resume, rotation, new URL, deletion, disabling. The receiver delays its
 * answer, so that the change happens during the attempt. (docs/specification/deliveries.md)
 */
import type { Json } from "../support/api.ts";
import {
  type Customer,
  customer,
  type Endpoint,
  expectSigned,
  type Hook,
  ownOfficeOfFile,
  status,
} from "../support/post-office.ts";
import { eventually, leaseDeliveries, moveClock } from "../support/worker.ts";

const office = ownOfficeOfFile();

type Attempt = { who: Customer; hook: Hook; endpoint: Endpoint; id: string; path: string; answer(code: number): void };

/** A delivery during its first attempt. */
async function underWay(): Promise<Attempt> {
  const who = await customer(office);
  const responses: ((code: number) => void)[] = [];
  const hook = office.hook((_request, response) => void responses.push((code) => response.writeHead(code).end()));
  const endpoint = await who.subscribe(hook);
  const path = `/webhooks/${endpoint.id}`;
  const { id } = (await who.ask("POST", `${path}/test`)).body;
  await eventually(async () => responses.length === 1);
  return { who, hook, endpoint, id, path, answer: (code) => responses[0]?.(code) };
}

const read = async ({ who, id }: Attempt): Promise<Json> => (await who.ask("GET", `/deliveries/${id}`)).body;

/** Answers the attempt and waits for its recorded outcome. */
async function end(attempt: Attempt, code: number): Promise<Json> {
  attempt.hook.answer = status(200); // later attempts succeed
  attempt.answer(code);
  await eventually(async () => (await read(attempt)).attempts === 1);
  return read(attempt);
}

/** Moves the clock beyond the next retry, and waits until nothing is pending. */
async function untilQuiet(attempt: Attempt): Promise<Json> {
  await moveClock(office.db, "2 minutes");
  await eventually(async () => {
    const [row] = await office.db.sql<{ quiet: boolean }>(
      `select not exists (
         select from graphile_worker._private_jobs where payload ->> 'endpointId' = $1 and run_at <= now()
       ) and not exists (
         select from app.deliveries where endpoint_id = $1::uuid and lease_id is not null
       ) as quiet`,
      [attempt.endpoint.id],
    );
    return row?.quiet === true;
  });
  return read(attempt);
}

const calls: Record<string, (attempt: Attempt) => Promise<unknown>> = {
  "it is paused": ({ who, path }) => who.ask("PATCH", path, { state: "paused" }),
  "it is paused and resumed": async ({ who, path }) => {
    await who.ask("PATCH", path, { state: "paused" });
    await who.ask("PATCH", path, { state: "active" });
  },
  "its secret is rotated": ({ who, path }) => who.ask("POST", `${path}/rotate`),
  "it is deleted": ({ who, path }) => who.ask("DELETE", path),
  "it is disabled": ({ endpoint }) =>
    office.db.sql(
      "update app.webhook_endpoints set state = 'disabled', disabled_reason = 'operator', disabled_at = now() where id = $1",
      [endpoint.id],
    ),
};

test.each(Object.entries(calls))("during an attempt %s: a 200 delivers", async (_name, call) => {
  const attempt = await underWay();
  await call(attempt);
  const ended = await end(attempt, 200);
  expect(ended).toMatchObject({ state: "delivered", attempts: 1 });
  expect(await untilQuiet(attempt)).toEqual(ended);
  expect(attempt.hook.posts()).toHaveLength(1);
});

test.each<[string, object, object, number]>([
  ["it is paused", { state: "pending" }, { state: "pending", attempts: 1 }, 1],
  ["it is paused and resumed", { state: "pending" }, { state: "delivered", attempts: 2 }, 2],
  ["its secret is rotated", { state: "pending" }, { state: "delivered", attempts: 2 }, 2],
  ["it is deleted", { state: "failed" }, { state: "failed", attempts: 1 }, 1],
  ["it is disabled", { state: "failed" }, { state: "failed", attempts: 1 }, 1],
])("during an attempt %s: a 500 is recorded with the resulting state", async (name, at, after, posts) => {
  const attempt = await underWay();
  await calls[name]?.(attempt);
  expect(await end(attempt, 500)).toMatchObject({ ...at, attempts: 1, lastStatusCode: 500 });
  expect(await untilQuiet(attempt)).toMatchObject(after);
  expect(attempt.hook.posts()).toHaveLength(posts);
});

test.each([
  ["a crash of the database loses its lease", "lease_id = null, lease_until = null"],
  ["its lease expires, as in an outage", "lease_until = now() - interval '1 second'"],
])("during an attempt %s: its worker leases it again and does not post twice", async (_name, set) => {
  const attempt = await underWay();
  const lease = async () =>
    (
      await office.db.sql<{ id: string | null; live: boolean }>(
        "select lease_id as id, lease_until > now() as live from app.deliveries where id = $1",
        [attempt.id],
      )
    )[0];
  const before = (await lease())?.id;
  await office.db.sql(`update app.deliveries set ${set} where id = $1`, [attempt.id]);
  await office.db.sql("select jobs.queue_endpoint($1, $2)", [attempt.who.organisation.id, attempt.endpoint.id]);
  await eventually(async () => (await lease())?.live === true);
  expect((await lease())?.id).not.toBe(before);
  const ended = await end(attempt, 200);
  expect(ended).toMatchObject({ state: "delivered", attempts: 1 });
  expect(await untilQuiet(attempt)).toEqual(ended);
  expect(attempt.hook.posts()).toHaveLength(1);
});

test("a pause during an attempt delays the retry until the endpoint is resumed", async () => {
  const attempt = await underWay();
  await attempt.who.ask("PATCH", attempt.path, { state: "paused" });
  await end(attempt, 500);
  await untilQuiet(attempt);
  await attempt.who.ask("PATCH", attempt.path, { state: "active" });
  await attempt.who.untilDelivery(attempt.endpoint, "delivered", 2);
});

test("a running attempt uses the old secret, the next one the new secret", async () => {
  const attempt = await underWay();
  const { secret } = (await attempt.who.ask("POST", `${attempt.path}/rotate`)).body;
  await end(attempt, 500);
  await untilQuiet(attempt);
  await attempt.who.untilDelivery(attempt.endpoint, "delivered", 2);
  const [before, after] = attempt.hook.posts();
  expectSigned(before, attempt.endpoint.secret);
  expectSigned(after, secret);
});

test("a running attempt uses the old URL, the next one the new URL", async () => {
  const attempt = await underWay();
  const moved = office.hook();
  await attempt.who.ask("PATCH", attempt.path, { url: moved.url });
  await end(attempt, 500);
  await untilQuiet(attempt);
  await attempt.who.untilDelivery(attempt.endpoint, "delivered", 2);
  expect([attempt.hook.posts().length, moved.posts().length]).toEqual([1, 1]);
});

test("redelivery during an attempt returns a conflict and causes no post", async () => {
  const attempt = await underWay();
  const reply = await attempt.who.ask("POST", `/deliveries/${attempt.id}/redeliver`, undefined, "mayFail");
  expect([reply.status, reply.body.error.code]).toEqual([409, "conflict"]);
  expect(await end(attempt, 200)).toMatchObject({ state: "delivered", attempts: 1 });
  expect(attempt.hook.posts()).toHaveLength(1);
});

/** A failed delivery whose next attempt would succeed. */
async function failed(): Promise<Attempt> {
  await office.db.sql("update app.service_settings set delivery_max_attempts = 1");
  const attempt = await underWay();
  await office.db.sql("update app.service_settings set delivery_max_attempts = 5");
  expect(await end(attempt, 500)).toMatchObject({ state: "failed" });
  return attempt;
}

test("of simultaneous redeliveries one succeeds, with one post", async () => {
  const attempt = await failed();
  const replies = await Promise.all(
    Array.from({ length: 6 }, () =>
      attempt.who.ask("POST", `/deliveries/${attempt.id}/redeliver`, undefined, "mayFail"),
    ),
  );
  expect(replies.map((reply) => reply.status).sort()).toEqual([202, 409, 409, 409, 409, 409]);
  await attempt.who.untilDelivery(attempt.endpoint, "delivered", 2);
  expect(await untilQuiet(attempt)).toMatchObject({ attempts: 2 });
  expect(attempt.hook.posts()).toHaveLength(2);
});

test("a redelivery while its endpoint is deleted is refused, ended or posted once, and never left pending", async () => {
  for (let each = 0; each < 5; each += 1) {
    const attempt = await failed();
    const [again, deleted] = await Promise.all([
      attempt.who.ask("POST", `/deliveries/${attempt.id}/redeliver`, undefined, "mayFail"),
      attempt.who.ask("DELETE", attempt.path),
    ]);
    expect([202, 409]).toContain(again.status);
    expect(deleted.status).toBe(200);
    const after = await untilQuiet(attempt);
    expect(["failed", "delivered"]).toContain(after.state);
    expect(attempt.hook.posts().length).toBe(after.attempts);
    if (again.status === 409) expect(after).toMatchObject({ state: "failed", attempts: 1 });
  }
});

test.each<[string, string, object]>([
  ["paused", "it is paused", { state: "pending", attempts: 0 }],
  ["deleted", "it is deleted", { state: "failed", attempts: 0 }],
  ["disabled", "it is disabled", { state: "failed", attempts: 0 }],
])("a worker is lost during an attempt, and the endpoint is %s afterwards", async (_name, call, expected) => {
  const attempt = await underWay();
  await calls[call]?.(attempt);
  // As a lost worker leaves it: the lease expires without an outcome.
  await office.db.sql("update app.deliveries set lease_id = uuidv7(), lease_until = times.clock() where id = $1", [
    attempt.id,
  ]);
  attempt.answer(200);
  await moveClock(office.db, "20 seconds");
  const pool = office.db.poolAs("worker", 1);
  await pool.query("select jobs.run_maintenance()");
  await leaseDeliveries(pool, [
    { organisationId: attempt.who.organisation.id, endpointId: attempt.endpoint.id, wantsMore: true, requeue: false },
  ]);
  const [row] = await office.db.sql("select state, attempts from app.deliveries where id = $1", [attempt.id]);
  expect(row).toEqual(expected);
});
