/**
 * What becomes of an attempt under way when its endpoint is paused, resumed, rotated, moved, deleted or disabled
 * meanwhile: the table of docs/deliveries.md, "Deliveries", row by row. The receiver holds its answer, so that the call
 * and the attempt are at work at the same time.
 */
import type { Json } from "../support/api.ts";
import {
  type Customer,
  customer,
  type Endpoint,
  expectSigned,
  type Hook,
  openPostOffice,
  type PostOffice,
  status,
} from "../support/post-office.ts";
import { attend, eventually, moveClock } from "../support/worker.ts";

let office: PostOffice;

beforeAll(async () => {
  office = await openPostOffice();
});
afterAll(() => office.close());

type Held = { who: Customer; hook: Hook; endpoint: Endpoint; id: string; path: string; answer(code: number): void };

/** A delivery whose first attempt is under way. */
async function underWay(): Promise<Held> {
  const who = await customer(office);
  const held: ((code: number) => void)[] = [];
  const hook = office.hook((_request, response) => void held.push((code) => response.writeHead(code).end()));
  const endpoint = await who.subscribe(hook);
  const path = `/webhooks/${endpoint.id}`;
  const { id } = (await who.ask("POST", `${path}/test`)).body;
  await eventually(async () => held.length === 1);
  return { who, hook, endpoint, id, path, answer: (code) => held[0]?.(code) };
}

const read = async ({ who, id }: Held): Promise<Json> => (await who.ask("GET", `/deliveries/${id}`)).body;

/** The attempt is answered, and its outcome recorded. */
async function end(held: Held, code: number): Promise<Json> {
  held.hook.answer = status(200); // whatever comes now is another attempt, and is delivered
  held.answer(code);
  await eventually(async () => (await read(held)).attempts === 1);
  return read(held);
}

/** Moves beyond the next rung, and waits until nothing is left to be done. */
async function untilQuiet(held: Held): Promise<Json> {
  await moveClock(office.db, "2 minutes");
  await eventually(async () => {
    const [row] = await office.db.sql<{ quiet: boolean }>(
      `select not exists (
         select from graphile_worker._private_jobs where payload ->> 'endpointId' = $1 and run_at <= now()
       ) and not exists (
         select from app.deliveries where endpoint_id = $1::uuid and claim_id is not null
       ) as quiet`,
      [held.endpoint.id],
    );
    return row?.quiet === true;
  });
  return read(held);
}

const calls: Record<string, (held: Held) => Promise<unknown>> = {
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

test.each(Object.entries(calls))("while an attempt is under way %s: a 200 is a delivery", async (_name, call) => {
  const held = await underWay();
  await call(held);
  const ended = await end(held, 200);
  expect(ended).toMatchObject({ state: "delivered", attempts: 1 });
  expect(await untilQuiet(held)).toEqual(ended);
  expect(held.hook.posts()).toHaveLength(1);
});

test.each<[string, object, object, number]>([
  ["it is paused", { state: "pending" }, { state: "pending", attempts: 1 }, 1],
  ["it is paused and resumed", { state: "pending" }, { state: "delivered", attempts: 2 }, 2],
  ["its secret is rotated", { state: "pending" }, { state: "delivered", attempts: 2 }, 2],
  ["it is deleted", { state: "failed" }, { state: "failed", attempts: 1 }, 1],
  ["it is disabled", { state: "failed" }, { state: "failed", attempts: 1 }, 1],
])(
  "while an attempt is under way %s: a 500 is recorded, and what follows is decided",
  async (name, at, after, posts) => {
    const held = await underWay();
    await calls[name]?.(held);
    expect(await end(held, 500)).toMatchObject({ ...at, attempts: 1, lastStatusCode: 500 });
    expect(await untilQuiet(held)).toMatchObject(after);
    expect(held.hook.posts()).toHaveLength(posts);
  },
);

test("what is held by a pause that came during its attempt goes on when it is resumed", async () => {
  const held = await underWay();
  await held.who.ask("PATCH", held.path, { state: "paused" });
  await end(held, 500);
  await untilQuiet(held);
  await held.who.ask("PATCH", held.path, { state: "active" });
  await held.who.untilDelivery(held.endpoint, "delivered", 2);
});

test("an attempt under way carries the old secret, the next one the new", async () => {
  const held = await underWay();
  const { secret } = (await held.who.ask("POST", `${held.path}/rotate`)).body;
  await end(held, 500);
  await untilQuiet(held);
  await held.who.untilDelivery(held.endpoint, "delivered", 2);
  const [before, after] = held.hook.posts();
  expectSigned(before, held.endpoint.secret);
  expectSigned(after, secret);
});

test("an attempt under way goes to the old address, the next one to the new", async () => {
  const held = await underWay();
  const moved = office.hook();
  await held.who.ask("PATCH", held.path, { url: moved.url });
  await end(held, 500);
  await untilQuiet(held);
  await held.who.untilDelivery(held.endpoint, "delivered", 2);
  expect([held.hook.posts().length, moved.posts().length]).toEqual([1, 1]);
});

test("what has an attempt under way is not sent again: a conflict, and one post", async () => {
  const held = await underWay();
  const reply = await held.who.ask("POST", `/deliveries/${held.id}/redeliver`, undefined, "mayFail");
  expect([reply.status, reply.body.error.code]).toEqual([409, "conflict"]);
  expect(await end(held, 200)).toMatchObject({ state: "delivered", attempts: 1 });
  expect(held.hook.posts()).toHaveLength(1);
});

/** A failed delivery, whose next attempt would be delivered. */
async function failed(): Promise<Held> {
  await office.db.sql("update app.service_settings set delivery_max_attempts = 1");
  const held = await underWay();
  await office.db.sql("update app.service_settings set delivery_max_attempts = 5");
  expect(await end(held, 500)).toMatchObject({ state: "failed" });
  return held;
}

test("of redeliveries at once one begins a round, and one post is made", async () => {
  const held = await failed();
  const replies = await Promise.all(
    Array.from({ length: 6 }, () => held.who.ask("POST", `/deliveries/${held.id}/redeliver`, undefined, "mayFail")),
  );
  expect(replies.map((reply) => reply.status).sort()).toEqual([202, 409, 409, 409, 409, 409]);
  await held.who.untilDelivery(held.endpoint, "delivered", 2);
  expect(await untilQuiet(held)).toMatchObject({ attempts: 2 });
  expect(held.hook.posts()).toHaveLength(2);
});

test("a redelivery and the end of its endpoint at once: refused, or ended, or posted once, and never left waiting", async () => {
  for (let each = 0; each < 5; each += 1) {
    const held = await failed();
    const [again, deleted] = await Promise.all([
      held.who.ask("POST", `/deliveries/${held.id}/redeliver`, undefined, "mayFail"),
      held.who.ask("DELETE", held.path),
    ]);
    expect([202, 409]).toContain(again.status);
    expect(deleted.status).toBe(200);
    const after = await untilQuiet(held);
    expect(["failed", "delivered"]).toContain(after.state);
    expect(held.hook.posts().length).toBe(after.attempts);
    if (again.status === 409) expect(after).toMatchObject({ state: "failed", attempts: 1 });
  }
});

test.each<[string, string, object]>([
  ["paused", "it is paused", { state: "pending", attempts: 0 }],
  ["deleted", "it is deleted", { state: "failed", attempts: 0 }],
  ["disabled", "it is disabled", { state: "failed", attempts: 0 }],
])("a worker is lost with an attempt under way at an endpoint that is %s then", async (_name, call, expected) => {
  const held = await underWay();
  await calls[call]?.(held);
  // As its worker would leave it: the claim lapses, and nobody says what came of it.
  await office.db.sql("update app.deliveries set claim_id = uuidv7(), claimed_until = jobs.clock() where id = $1", [
    held.id,
  ]);
  held.answer(200);
  await moveClock(office.db, "20 seconds");
  const pool = office.db.poolAs("worker", 1);
  await pool.query("select jobs.sweep()");
  await attend(pool, [
    { organisationId: held.who.organisation.id, endpointId: held.endpoint.id, more: true, handOver: false },
  ]);
  const [row] = await office.db.sql("select state, attempts from app.deliveries where id = $1", [held.id]);
  expect(row).toEqual(expected);
});
