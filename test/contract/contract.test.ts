/**
 * The document against the service, in both directions: every operation is driven over HTTP by the example that the
 * document gives, every refusal that it names is provoked, each answer is held against its schema with no room for
 * more, and in the end nothing is documented that was not seen. (Part 4, "Contract document".)
 */

import { makeBuckets, specified } from "../../src/http/buckets.ts";
import { openApiDocument } from "../../src/http/openapi/document.ts";
import { callerOf, type Json, type Reply, testApi } from "../support/api.ts";
import { makeExecutor, testDatabase } from "../support/database.ts";
import { absent } from "../support/requests.ts";
import { eventually } from "../support/worker.ts";
import { codesOf, type Documented, readDocument } from "./document.ts";
import { whileLocked } from "./outage.ts";
import { provocations, type Stage } from "./provocations.ts";
import { makeWorld, type World } from "./world.ts";

const { operations: all, conform, record, document } = readDocument(openApiDocument("http://127.0.0.1:3000"));
/** The document itself asks no database, and what is posted to a hook has no key: hook-inbox.test.ts. */
const operations = all.filter(({ id }) => id !== "get_contract" && id !== "receive_hook");
const posts = operations.filter(({ method }) => method === "POST");

const stage = {} as Stage;
beforeAll(async () => {
  stage.db = await testDatabase();
  stage.api = await testApi(stage.db);
  stage.full = await testApi(stage.db, {}, makeBuckets(Date.now, { ...specified, key: 0, platformKey: 0 }));
  await makeExecutor(stage.db);
  // Through many machines (test/machines) this takes longer than a sign of life counts.
  await stage.db.sql("update app.executors set last_seen_at = now() + interval '10 minutes'");
});
afterAll(async () => {
  await stage.api?.stop();
  await stage.full?.stop();
  await stage.db?.drop();
});

const world = () => makeWorld(stage.db, stage.api);
const named = (some: Documented[]) => some.map((operation) => [operation.id, operation] as const);

test("the document that is served is the one that is tested here, and may be kept for an hour", async () => {
  const contract = all.find(({ id }) => id === "get_contract") as Documented;
  const served = await stage.api.call("GET", "/openapi.json");
  record.check(contract, served);
  expect({ ...served.body, servers: [] }).toEqual(JSON.parse(JSON.stringify({ ...document, servers: [] })));
  const etag = served.headers.get("etag") ?? "";
  const again = await stage.api.call("GET", "/openapi.json", { headers: { "if-none-match": etag } });
  record.check(contract, again);
  expect([again.status, again.text]).toEqual([304, ""]);
});

/** Rows that make a list worth looking at. */
const listed: Record<string, Parameters<World["row"]>[0]> = {
  list_bots: "bot",
  list_memories: "memory",
  list_runs: "run",
  list_approvals: "approval",
  list_routines: "routine",
  list_hooks: "hook",
  list_webhooks: "webhook",
  list_deliveries: "delivery",
  list_invitations: "invitation",
  list_events: "event",
};

describe("the example of each operation does what it says", () => {
  test.each(named(operations))("%s", async (id, operation) => {
    const here = await world();
    if (listed[id]) await here.row(listed[id]);
    if (operation.body)
      conform(operation.body.content["application/json"].schema, operation.example, `${id}'s example`);
    const reply = await here.send(operation);
    if (reply.status !== operation.status) throw new Error(`${id} was refused: ${reply.text}`);
    record.check(operation, reply);
    const { "application/json": json, "text/event-stream": stream } = operation.responses[reply.status]?.content ?? {};
    const content = json ?? stream;
    conform(content?.schema ?? {}, content?.example, `The example of ${id}'s answer`);
    expect(fieldsOf(stream ? reply.body.at(-1) : reply.body)).toEqual(fieldsOf(content?.example));
    if (operation.status === 201) expect(reply.body).toMatchObject(echoed(operation.example, reply.body));
  });
});

/** The names of all fields, by their place; of a list those of its first row. */
function fieldsOf(value: Json, at = ""): string[] {
  if (Array.isArray(value)) return value.length > 0 ? fieldsOf(value[0], `${at}[]`) : [`${at}[]`];
  if (typeof value !== "object" || value === null) return [at];
  return Object.keys(value)
    .toSorted()
    .flatMap((name) => (isOpen(`${at}.${name}`) ? [] : fieldsOf(value[name], `${at}.${name}`)));
}

/**
 * Empty here, since no worker has made an attempt; test/contract/deliveries.test.ts has one. Null or an object. And what
 * was changed in a row of whatever kind.
 */
const isOpen = (at: string) =>
  [".attemptLog", ".error", ".owner", ".data[].changed", ".data[].before", ".data[].after"].includes(at);

/** What was sent and is answered; in the place of a made-up id of a bot a real one was sent. */
function echoed(sent: Json, answered: Json): Json {
  return Object.fromEntries(
    Object.entries(sent ?? {}).filter(([name]) => name in answered && name !== "owner" && name !== "botId"),
  );
}

describe("every value that a query may have is taken", () => {
  const values = operations.flatMap((operation) =>
    operation.parameters
      .filter((parameter) => parameter.in === "query")
      .flatMap(({ name, schema }) =>
        valuesOf(name, schema).map((value) => [operation.id, name, value, operation] as const),
      ),
  );
  test.each(values)("%s with %s=%s", async (_id, name, value, operation) => {
    const reply = await (await world()).send(operation, { query: `?${name}=${value}` });
    record.check(operation, reply);
    expect(reply.status).toBe(operation.status);
  });
});

function valuesOf(name: string, schema: Json): string[] {
  if (name === "cursor" || name === "after") return []; // test/http/lists.test.ts and events.test.ts go through pages
  if (schema.$ref) return valuesOf(name, (document.components.schemas as Json)[schema.$ref.split("/").at(-1)]);
  if (schema.allOf) return schema.allOf.flatMap((each: Json) => valuesOf(name, each));
  if (schema.type === "boolean") return ["true", "false"];
  if (schema.format === "date-time") return [new Date(Date.now() - 3_600_000).toISOString()];
  if (schema.format === "uuid") return ["019aa0e4-5b00-7a00-8000-00000000abcd"];
  return schema.enum ?? [String(schema.minimum), String(schema.maximum)];
}

describe("each operation refuses as documented", () => {
  const once = new Set(["idempotency_in_progress", "internal", "unavailable"]);
  const pairs = operations.flatMap((operation) =>
    Object.values(operation.responses)
      .flatMap((response) => codesOf(response) ?? [])
      .filter((code) => !once.has(code))
      .map((code) => [operation.id, code, operation] as const),
  );
  test.each(pairs)("%s: %s", async (_id, code, operation) => {
    const provoke = provocations[code];
    if (!provoke) throw new Error(`Nothing here provokes ${code}.`);
    const reply = await provoke({ world: await world(), operation, stage });
    expect(reply.body).toMatchObject({ error: { code } });
    record.check(operation, reply);
  });
});

test("a POST under a key whose first request is not answered yet is refused at once", async () => {
  for (let at = 0; at < posts.length; at += 4) {
    const some = await Promise.all(
      posts.slice(at, at + 4).map(async (operation) => ({ operation, here: await prepared(operation) })),
    );
    const once = { idempotencyKey: "at once" };
    const first = await whileLocked(stage.db, ["app.idempotency_records"], "exclusive", async (waiting) => {
      const sent = some.map(({ operation, here }) => here.send(operation, once));
      await eventually(async () => (await waiting()) === some.length);
      for (const { operation, here } of some) {
        expectCode(operation, await here.send(operation, once), "idempotency_in_progress");
      }
      return sent;
    });
    for (const [place, { operation }] of some.entries()) {
      const reply = await (first[place] as Promise<Reply<Json>>);
      record.check(operation, reply);
      expect(reply.status).toBe(operation.status);
    }
  }
}, 60_000);

test("whatever is asked, a fault of our own is internal and says nothing of itself", async () => {
  await stage.db.sql("revoke execute on function api.dispatch from tenant");
  try {
    const here = await world();
    for (const operation of operations) {
      expectCode(operation, await here.send(operation, { id: absent, ...bodyOf(operation) }), "internal");
    }
  } finally {
    await stage.db.sql("grant execute on function api.dispatch to tenant");
  }
}, 60_000);

test("whatever is asked, a database that does not answer in time is unavailable", async () => {
  const here = await world();
  const api = { ...stage.api, call: callerOf(stage.api.url) }; // who asks again is told the same, later
  await whileLocked(stage.db, ["app.api_keys", "app.platform_keys"], "access exclusive", async () => {
    const replies = await Promise.all(
      operations.map((operation) => here.send(operation, { api, id: absent, ...bodyOf(operation) })),
    );
    for (const [place, operation] of operations.entries()) {
      expectCode(operation, replies[place] as Reply<Json>, "unavailable");
    }
  });
}, 30_000);

test("no path takes a method that it does not have, and each says which it has", async () => {
  const here = await world();
  for (const [path, methods] of Object.entries(document.paths)) {
    if (!operations.some((each) => each.path === path)) continue;
    const [operation] = operations.filter((each) => each.path === path) as [Documented];
    const reply = await stage.api.call("PUT", path.replace(/\{\w+\}/, absent), { key: here.keyFor(operation) });
    expect([path, reply.status, reply.body.error?.code]).toEqual([path, 405, "not_supported"]);
    expect(reply.headers.get("allow")?.split(", ").toSorted()).toEqual(
      Object.keys(methods)
        .map((method) => method.toUpperCase())
        .toSorted(),
    );
    conform({ $ref: "#/components/schemas/Refusal" }, reply.body.error, `The refusal of PUT ${path}`);
  }
});

test("nothing is documented that was not seen", () => {
  const elsewhere = (each: string) => each.startsWith("receive_hook ");
  expect(record.documented.filter((each) => !record.seen.has(each) && !elsewhere(each))).toEqual([]);
});

async function prepared(operation: Documented): Promise<World> {
  const here = await world();
  await here.prepare(operation);
  return here;
}

/** The example as it stands: where nothing is reached, no row need be there. */
function bodyOf({ example }: Documented): { body?: Json } {
  return example ? { body: example } : {};
}

function expectCode(operation: Documented, reply: Reply<Json>, code: string): void {
  expect([operation.id, reply.body.error?.code]).toEqual([operation.id, code]);
  record.check(operation, reply);
}
