/**
 * The OpenAPI document matches the service. Each operation is called with its example, and each documented refusal is
 * provoked. Each answer must match its schema without further fields, and each documented answer must occur.
 * (docs/specification/service.md#contract-document)
 */

import { openApiDocument } from "../../src/api/openapi/document.ts";
import { makeRateLimiter, specified } from "../../src/web/rate-limiter.ts";
import { callerOf, type Json, type Reply, testApi } from "../support/api.ts";
import { makeExecutor, testDatabase } from "../support/database.ts";
import { ofFile } from "../support/of-file.ts";
import { absent } from "../support/requests.ts";
import { eventually } from "../support/worker.ts";
import { codesOf, type Documented, readDocument } from "./document.ts";
import { type ContractFixture, makeContractFixture } from "./fixture.ts";
import { whileLocked } from "./outage.ts";
import { provocations, type Suite } from "./provocations.ts";

const { operations: all, conform, record, document } = readDocument(openApiDocument("http://127.0.0.1:3000"));
/** The document itself needs no database, and posts to hooks have no key: hook-inbox.test.ts. */
const operations = all.filter(({ id }) => id !== "get_contract" && id !== "receive_hook");
const posts = operations.filter(({ method }) => method === "POST");

const suite = ofFile<Suite>(
  async (suite) => {
    suite.db = await testDatabase();
    suite.api = await testApi(suite.db);
    suite.full = await testApi(suite.db, {}, makeRateLimiter(Date.now, { ...specified, key: 0, platformKey: 0 }));
    await makeExecutor(suite.db);
  },
  async ({ api, full, db }) => {
    await api?.stop();
    await full?.stop();
    await db?.drop();
  },
);

const fixture = () => makeContractFixture(suite.db, suite.api);
const named = (some: Documented[]) => some.map((operation) => [operation.id, operation] as const);

test("GET /openapi.json serves this document, cacheable for an hour", async () => {
  const contract = all.find(({ id }) => id === "get_contract") as Documented;
  const served = await suite.api.call("GET", "/openapi.json");
  record.check(contract, served);
  // Samples of calls name the address of the API.
  const [here, there] = [served.body, document].map(({ servers }) => new URL(servers[0].url).origin) as [
    string,
    string,
  ];
  expect(served.body).toEqual(JSON.parse(JSON.stringify(document).replaceAll(there, here)));
  const etag = served.headers.get("etag") ?? "";
  const again = await suite.api.call("GET", "/openapi.json", { headers: { "if-none-match": etag } });
  record.check(contract, again);
  expect([again.status, again.text]).toEqual([304, ""]);
});

/** Rows for a list with content. */
const listed: Record<string, Parameters<ContractFixture["row"]>[0]> = {
  list_portal_sessions: "portalSession",
  list_exports: "export",
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

describe("the example of each operation succeeds", () => {
  test.each(named(operations))("%s", async (id, operation) => {
    const here = await fixture();
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
    const location = reply.headers.get("location");
    if (location) await expectThere(here, location, reply.body);
    if (operation.status === 201) expect(reply.body).toMatchObject(echoed(operation.example, reply.body));
  });
});

/** A key can read what its `Location` names; a platform key's new key is read with a key of the organisation. */
async function expectThere(here: ContractFixture, location: string, made: Json): Promise<void> {
  const path = new URL(location).pathname.replace("/api/v1", "");
  const isOfPlatform = path.startsWith("/platform/");
  const key = isOfPlatform ? here.platform : here.admin;
  const there = await suite.api.call("GET", path, { key });
  const { key: _key, secret: _secret, ...others } = made;
  const { url, ...withoutUrl } = others;
  const row = url !== undefined && path.startsWith("/portal-sessions/") ? withoutUrl : others; // the link is shown once
  expect([location, there.status, Object.keys(there.body)]).toEqual([location, 200, Object.keys(row)]);
  expect(there.body.id).toBe(made.id);
}

/** Names of all fields by their place; for a list, the fields of its first row. */
function fieldsOf(value: Json, at = ""): string[] {
  if (Array.isArray(value)) return value.length > 0 ? fieldsOf(value[0], `${at}[]`) : [`${at}[]`];
  if (typeof value !== "object" || value === null) return [at];
  return Object.keys(value)
    .toSorted()
    .flatMap((name) => (isOpen(`${at}.${name}`) ? [] : fieldsOf(value[name], `${at}.${name}`)));
}

/**
 * Not compared: empty without a worker (see test/contract/deliveries.test.ts) or without earlier requests, null or another value, or dependent on
 * the kind of row.
 */
const isOpen = (at: string) =>
  [
    ".attemptLog",
    ".days",
    ".error",
    ".owner",
    ".allowedIps",
    ".data[].allowedIps",
    ".data[].changed",
    ".data[].before",
    ".data[].after",
  ].includes(at);

/** Values of the request that the response returns. The example's bot id was replaced by a real one. */
function echoed(sent: Json, answered: Json): Json {
  return Object.fromEntries(
    Object.entries(sent ?? {}).filter(([name]) => name in answered && name !== "owner" && name !== "botId"),
  );
}

describe("each documented value of a query parameter is accepted", () => {
  const values = operations.flatMap((operation) =>
    operation.parameters
      .filter((parameter) => parameter.in === "query")
      .flatMap(({ name, schema }) =>
        valuesOf(name, schema).map((value) => [operation.id, name, value, operation] as const),
      ),
  );
  const readers = new Map<string, Promise<ContractFixture>>(); // reads change nothing for each other
  test.each(values)("%s with %s=%s", async (id, name, value, operation) => {
    const reader = readers.get(id) ?? fixture();
    readers.set(id, reader);
    const reply = await (await reader).send(operation, { query: `?${name}=${value}` });
    record.check(operation, reply);
    expect(reply.status).toBe(operation.status);
  });
});

function valuesOf(name: string, schema: Json): string[] {
  if (name === "cursor" || name === "after") return []; // test/http/lists.test.ts and events.test.ts read several pages
  if (name === "metadata") return []; // several parameters: test/http/runs-metadata.test.ts
  if (name === "cell") return []; // needs a directory: test/cells/routing.test.ts
  if (schema.$ref) return valuesOf(name, (document.components.schemas as Json)[schema.$ref.split("/").at(-1)]);
  if (schema.allOf) return schema.allOf.flatMap((each: Json) => valuesOf(name, each));
  if (schema.type === "boolean") return ["true", "false"];
  if (schema.format === "date-time") return [new Date(Date.now() - 3_600_000).toISOString()];
  if (schema.format === "uuid") return ["019aa0e4-5b00-7a00-8000-00000000abcd"];
  if (schema.format === "email") return ["max@harbour.example"];
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
    const reply = await provoke({ fixture: await fixture(), operation, suite });
    expect(reply.body).toMatchObject({ error: { code } });
    record.check(operation, reply);
  });
});

test("a POST whose Idempotency-Key belongs to a request in progress is refused at once", async () => {
  // Two at a time need few connections. On a busy machine one opens too late for its call, which is then answered 503.
  // Two of the platform would wait for each other, as they count stored responses in one row.
  const half = Math.ceil(posts.length / 2);
  for (let at = 0; at < half; at += 1) {
    const pair = [posts[at], posts[at + half]].filter((operation) => operation !== undefined);
    const some = await Promise.all(pair.map(async (operation) => ({ operation, here: await prepared(operation) })));
    const once = { idempotencyKey: "at once" };
    const first = await whileLocked(suite.db, ["app.idempotency_records"], "exclusive", async (waiting) => {
      const sent = some.map(({ operation, here }) => here.send(operation, once));
      await eventually(async () => (await waiting()) === some.length);
      const again = await Promise.all(some.map(({ operation, here }) => here.send(operation, once)));
      for (const [place, { operation }] of some.entries()) {
        expectCode(operation, again[place] as Reply<Json>, "idempotency_in_progress");
      }
      return sent;
    });
    for (const [place, { operation }] of some.entries()) {
      const reply = await (first[place] as Promise<Reply<Json>>);
      record.check(operation, reply);
      expect([operation.id, reply.status]).toEqual([operation.id, operation.status]);
    }
  }
});

test("each operation answers `internal` without details if SQL fails", async () => {
  await suite.db.sql("revoke execute on function api_private.dispatch from tenant");
  try {
    const here = await fixture();
    for (const operation of operations) {
      expectCode(operation, await here.send(operation, { id: absent, ...bodyOf(operation) }), "internal");
    }
  } finally {
    await suite.db.sql("grant execute on function api_private.dispatch to tenant");
  }
});

test("each operation answers `unavailable` if the database does not answer in time", async () => {
  const here = await fixture();
  const api = { ...suite.api, call: callerOf(suite.api.url) }; // retries would get the same answer later
  await whileLocked(suite.db, ["app.api_keys", "app.platform_keys"], "access exclusive", async () => {
    const replies = await Promise.all(
      operations.map((operation) => here.send(operation, { api, id: absent, ...bodyOf(operation) })),
    );
    for (const [place, operation] of operations.entries()) {
      expectCode(operation, replies[place] as Reply<Json>, "unavailable");
    }
  });
});

test("each path answers 405 with Allow for other methods", async () => {
  const here = await fixture();
  for (const [path, methods] of Object.entries(document.paths)) {
    if (!operations.some((each) => each.path === path)) continue;
    const [operation] = operations.filter((each) => each.path === path) as [Documented];
    const reply = await suite.api.call("PUT", path.replace(/\{\w+\}/, absent), { key: here.keyFor(operation) });
    expect([path, reply.status, reply.body.error?.code]).toEqual([path, 405, "not_supported"]);
    expect(reply.headers.get("allow")?.split(", ").toSorted()).toEqual(
      Object.keys(methods)
        .flatMap((method) => (method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()]))
        .toSorted(),
    );
    conform({ $ref: "#/components/schemas/Refusal" }, reply.body.error, `The refusal of PUT ${path}`);
  }
});

test("every documented response has occurred in these tests", () => {
  const elsewhere = (each: string) => each.startsWith("receive_hook ");
  expect(record.documented.filter((each) => !record.seen.has(each) && !elsewhere(each))).toEqual([]);
});

async function prepared(operation: Documented): Promise<ContractFixture> {
  const here = await fixture();
  await here.prepare(operation);
  return here;
}

/** The example unchanged: the refusal comes before any row is read. */
function bodyOf({ example }: Documented): { body?: Json } {
  return example ? { body: example } : {};
}

function expectCode(operation: Documented, reply: Reply<Json>, code: string): void {
  expect([operation.id, reply.body.error?.code]).toEqual([operation.id, code]);
  record.check(operation, reply);
}
