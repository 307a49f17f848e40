/**
 * Every operation against more than ten thousand requests that nobody should send, made from its own schemas: none
 * breaks it, none is echoed, and what is refused has written nothing. (Part 7; decisions: section 2, last line.)
 *
 * HOSTILE_SEED and HOSTILE_ROUNDS look further; a failure prints its seed, its path and the least request that fails.
 */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { Agent } from "undici";
import type { Operation } from "../../src/contract/operation.ts";
import { operations } from "../../src/contract/operations.ts";
import { makeBuckets } from "../../src/http/buckets.ts";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import { type Json, type Reply, type TestApi, testApi } from "../support/api.ts";
import { makeExecutor, type TestDatabase, testDatabase } from "../support/database.ts";
import { eventsIn } from "../support/event-stream.ts";
import { type HostileRequest, type Ids, requestsTo } from "./hostile-requests.ts";
import { canaries } from "./hostile-values.ts";
import { makeWorld, type World } from "./world.ts";
import { type Written, watchWrites } from "./write-watch.ts";

const seed = Number(process.env.HOSTILE_SEED ?? 4711);
/** For each operation, each of `together` requests sent at once. */
const rounds = Number(process.env.HOSTILE_ROUNDS ?? 30);
const together = 8;
const unlimited = 1e9;

let db: TestDatabase;
let api: TestApi;
let world: World;
let agent: Agent;
let ids: Ids;
let written: () => Promise<Written>;
const count = { sent: 0, refused: 0 };

beforeAll(async () => {
  db = await testDatabase();
  const limits = {
    key: unlimited,
    organisation: unlimited,
    platformKey: unlimited,
    hook: unlimited,
    address: unlimited,
    withoutAddress: unlimited,
  };
  api = await testApi(db, {}, makeBuckets(Date.now, limits));
  agent = new Agent({ connections: together });
  const executor = await makeExecutor(db);
  await db.sql("update app.executors set last_seen_at = now() + interval '1 day' where id = $1", [executor]);
  world = await makeWorld(db, api);
  await db.sql(
    `update app.organisations set live_key_ceiling = $2, live_endpoint_ceiling = $2, hourly_run_ceiling = $2,
       open_invitation_ceiling = $2, seat_ceiling = $2, routine_ceiling = $2, hook_ceiling = $2 where id = $1`,
    [world.organisationId, unlimited],
  );
  await world.as("POST", `/runs/${await world.row("run")}/cancel`); // so that nobody waits for it
  const other = await makeWorld(db, api);
  ids = {
    own: {
      keys: await world.row("key"),
      bots: await world.row("bot"),
      memories: await world.row("memory"),
      runs: await world.row("run"),
      routines: await world.row("routine"),
      hooks: await world.row("hook"),
      webhooks: await world.row("webhook"),
      deliveries: await world.row("delivery"),
      members: await world.row("member"),
      invitations: await world.row("invitation"),
      platform: world.organisationId,
    },
    foreign: await other.row("bot"),
    bot: (await world.as("POST", "/bots", { name: "Ada" })).body.id,
  };
  const watch = await watchWrites(db);
  written = watch.since;
});
afterAll(async () => {
  await agent?.close();
  await api?.stop();
  await db?.drop();
});

async function send(operation: Operation, { method, path, headers, body }: HostileRequest): Promise<Reply<Json>> {
  const key = world.keyFor({ platform: operation.keyClass === "platform" } as Parameters<World["keyFor"]>[0]);
  const usual: HostileRequest["headers"] = {
    authorization: `Bearer ${key}`,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(method === "POST" ? { "idempotency-key": randomUUID() } : {}),
  };
  const given = Object.entries({ ...usual, ...headers }).filter((each): each is [string, string] => each[1] !== null);
  const answer = await agent.request({
    origin: api.url,
    path: `/api/v1${path}`,
    method: method as "GET",
    headers: Object.fromEntries(given),
    body: body ?? null,
  });
  const text = await answer.body.text();
  count.sent += 1;
  return {
    status: answer.statusCode,
    text,
    body: answer.headers["content-type"] === "text/event-stream" ? eventsIn(text) : JSON.parse(text),
    headers: new Headers(answer.headers as Record<string, string>),
  };
}

/** Holds the answer against the contract. Answers whether the call may have written something. */
function judge(operation: Operation, reply: Reply<Json>): boolean {
  if (reply.status >= 400) {
    expectRefusal(reply, reply.body.error.code);
    judgeRefusal(reply.body, JSON.stringify([reply.text, ...reply.headers]));
    return false;
  }
  const { results } = expectAnswer(operation.name, reply);
  if (operation.name !== "batch") return operation.method !== "get";
  const refused = results.filter(({ status }: Json) => status >= 400);
  for (const { body } of refused) judgeRefusal(body, JSON.stringify(body));
  return refused.length < results.length;
}

function judgeRefusal({ error }: Json, shown: string): void {
  expect(["internal", "unavailable", "rate_limited"]).not.toContain(error.code);
  for (const canary of Object.values(canaries)) expect(shown.toLowerCase()).not.toContain(canary);
  count.refused += 1;
}

/** What deletes comes last: the others need what is there. */
const inOrder = operations.toSorted((a, b) => Number(a.method === "delete") - Number(b.method === "delete"));

test.each(inOrder.map((operation) => [operation.name, operation] as const))(
  "%s answers whatever it is sent within the contract",
  async (_name, operation) => {
    const requests = fc.array(requestsTo(operation, ids), { minLength: together, maxLength: together });
    const property = fc.asyncProperty(requests, async (hostile) => {
      const replies = await Promise.all(hostile.map((request) => send(operation, request)));
      const { transactions, tables } = await written();
      const mayHaveWritten = replies.filter((reply) => judge(operation, reply)).length;
      if (transactions > mayHaveWritten) throw new Error(`A call that was refused wrote to ${tables}.`);
    });
    await fc.assert(property, { seed, numRuns: rounds });
  },
  30_000 + rounds * 1_000,
);

test("ten thousand requests were sent, most of them refused, and nothing has grown on what all objects share", () => {
  expect(count.sent).toBeGreaterThanOrEqual(10_000);
  expect(count.refused).toBeGreaterThan(count.sent / 2);
  expect(count.refused).toBeLessThan(count.sent);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

test("what is written is noticed, and what is refused is not written", async () => {
  await written();
  expectAnswer("create_bot", (await world.as("POST", "/bots", { name: "Ada" })) as Reply<Json>);
  expect(await written()).toMatchObject({
    transactions: 1,
    tables: ["audit_heads", expect.stringMatching(/^audit_trail_\d+$/), "bots"],
  });
  expectRefusal(await world.as("POST", "/bots", { name: "" }), "invalid_request");
  expectRefusal(await world.as("POST", "/runs", { botId: ids.foreign, message: "Hi" }), "not_found");
  expect(await written()).toEqual({ transactions: 0, tables: null });
});
