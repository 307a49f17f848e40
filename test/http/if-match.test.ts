/** ETag and If-Match, for each PATCH of the contract. (docs/specification/conventions.md#revisions) */

import { openApiDocument } from "../../src/api/openapi/document.ts";
import { operations } from "../../src/contract/operations.ts";
import { etagOf, readIfMatch, revisionIgnoring } from "../../src/contract/revision.ts";
import { type Documented, readDocument } from "../contract/document.ts";
import { type ContractFixture, makeContractFixture } from "../contract/fixture.ts";
import { expectRefusal } from "../support/answers.ts";
import { apiOfFile } from "../support/callers.ts";
import { begun, lockWaits } from "../support/transactions.ts";
import { twoProcesses } from "../support/two-processes.ts";
import { eventually } from "../support/worker.ts";

const here = apiOfFile();
const { atOnce } = twoProcesses(here);
const documented = readDocument(openApiDocument("http://127.0.0.1:3000")).operations;
const patches = documented
  .filter(({ method }) => method === "PATCH")
  .map((operation) => [operation.id, operation] as const);

/** Rows that a PATCH changes, and what it locks first. */
const tables = [
  "organisations",
  "memberships",
  "api_keys",
  "bots",
  "hooks",
  "routines",
  "webhook_endpoints",
  "audit_streams",
  "memories",
];

async function prepared(operation: Documented) {
  const fixture = await makeContractFixture(here.db, here.api);
  await fixture.prepare(operation);
  const path = operation.path.replace(/\{\w+\}/, await fixture.pathId(operation));
  const example = await fixture.example(operation);
  const body = example.state === "active" ? { ...example, state: "paused" } : example; // the row is active
  return { fixture, path, body, read: () => reading(fixture, path) };
}

async function reading(fixture: ContractFixture, path: string) {
  const { headers, body, status } = await fixture.as("GET", path);
  return { status, body, etag: headers.get("etag") ?? "" };
}

const lockAll = (column: string) =>
  tables.map(
    (table) => `select from app.${table} where ${table === "organisations" ? "id" : column} = $1 for no key update`,
  );

test("every PATCH, and every operation that returns what it returns, has an ETag; PATCH documents If-Match", () => {
  expect(patches).toHaveLength(9);
  for (const [id, { path, parameters }] of patches) {
    const { revision } = operations.find(({ name }) => name === id) ?? {};
    expect([id, revision === undefined, parameters.map(({ name }) => name)]).toEqual([
      id,
      false,
      expect.arrayContaining(["If-Match"]),
    ]);
    const fields = Object.keys(documentedReply(id));
    const same = documented.filter(({ id: other }) => {
      const reply = documentedReply(other);
      return fields.every((field) => field in reply);
    });
    expect(same.map(({ path: at, method }) => `${method} ${at}`)).toContain(`GET ${path}`);
    for (const { id: other } of same) {
      expect([other, operations.find(({ name }) => name === other)?.revision]).toEqual([other, revision]);
    }
  }
});

function documentedReply(id: string): object {
  const reply = operations.find(({ name }) => name === id)?.reply;
  return reply && "shape" in reply ? (reply.shape as object) : {};
}

test.each(patches)(
  "%s changes the present revision, and refuses another revision without a change",
  async (_id, operation) => {
    const { fixture, path, body, read } = await prepared(operation);
    const before = await read();
    expect(before.etag).toMatch(/^W\/"[0-9a-f]{32}"$/);
    const send = (ifMatch: string) => fixture.send(operation, { body, headers: { "if-match": ifMatch } });
    expectRefusal(await send('W/"00000000000000000000000000000000"'), "revision_changed");
    expect(await read()).toEqual(before);

    const changed = await send(`"another", ${before.etag.slice(2)}`);
    expect(changed.status).toBe(200);
    const after = await read();
    for (const proxied of [before.etag.slice(3, -1), before.etag.replace(/"$/, '-gzip"')]) {
      expectRefusal(await send(proxied), "revision_changed");
    }
    expect(changed.headers.get("etag")).toBe(after.etag);
    expect(after.etag).not.toBe(before.etag);
    expectRefusal(await send(before.etag), "revision_changed");
    expect((await send("*")).status).toBe(200);
    expect((await fixture.as("PATCH", path, body)).status).toBe(200);
    expectRefusal(await send("unquoted"), "invalid_request", ["headers.if-match"]);
  },
);

test.each(patches)("Of four calls of %s at once with one ETag, exactly one succeeds", async (_id, operation) => {
  const { fixture, path, body, read } = await prepared(operation);
  const before = await read();
  const others = await begun(here.db);
  for (const lock of lockAll("organisation_id")) await others.query(lock, [fixture.organisationId]);
  const calls = atOnce(4, (api) =>
    api.call("PATCH", path, { key: fixture.admin, body, headers: { "if-match": before.etag } }),
  );
  await eventually(async () => (await lockWaits(here.db)) >= 2);
  await others.query("commit");
  const answers = await calls;
  const [winner, ...more] = answers.filter(({ status }) => status === 200);
  expect(more).toEqual([]);
  for (const answer of answers) if (answer !== winner) expectRefusal(answer, "revision_changed");
  expect((await read()).etag).toBe(winner?.headers.get("etag"));
});

test("a revision stays when the service writes the times and counts of a resource", async () => {
  const webhook = documented.find(({ id }) => id === "update_webhook") as Documented;
  const { fixture, read } = await prepared(webhook);
  const before = await read();
  await here.db.sql(
    "update app.webhook_endpoints set last_delivery_at = now(), consecutive_failures = 3 where organisation_id = $1",
    [fixture.organisationId],
  );
  const now = await read();
  expect(now).toMatchObject({ etag: before.etag, body: { consecutiveFailures: 3 } });
  const changed = await fixture.send(webhook, { headers: { "if-match": before.etag } });
  expect(changed.status).toBe(200);
});

test("other refusals precede a wrong revision, and an absent row is not_found", async () => {
  const [ada, bob] = [await here.owner(), await here.owner()];
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  const headers = { "if-match": '"another"' };
  expectRefusal(await bob.patch(`/bots/${bot.id}`, { name: "Bob" }, { headers }), "not_found");
  expectRefusal(await ada.patch(`/members/${ada.organisation.ownerId}`, { role: "admin" }, { headers }), "last_owner");
});

test("create_key and its replay return the ETag of the key, without its secret", async () => {
  const ada = await here.owner();
  const made = await ada.post("/keys", { name: "CI" }, { idempotencyKey: "once" });
  const again = await ada.post("/keys", { name: "CI" }, { idempotencyKey: "once" });
  const got = await ada.get(`/keys/${made.body.id}`);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect([made, again, got].map(({ headers }) => headers.get("etag"))).toEqual(Array(3).fill(got.headers.get("etag")));
  expect(got.headers.get("etag")).toMatch(/^W\//);
});

test("a batch returns the etag of each result and accepts ifMatch", async () => {
  const ada = await here.owner();
  const { body: bot, headers } = await ada.post("/bots", { name: "Ada" });
  const etag = headers.get("etag");
  const change = (name: string) => ({ method: "PATCH", path: `/bots/${bot.id}`, body: { name }, ifMatch: etag });
  const { body } = await ada.post("/batch", {
    operations: [
      { method: "GET", path: `/bots/${bot.id}` },
      change("Grace"),
      change("Edsger"),
      { method: "GET", path: "/bots" },
    ],
  });
  expect(body.results).toMatchObject([
    { status: 200, etag },
    { status: 200, etag: expect.stringMatching(/^W\//), body: { name: "Grace" } },
    { status: 409, etag: null, reason: "revision_changed" },
    { status: 200, etag: null },
  ]);
});

const tag = "6f1ed002ab5595859014ebf0951522d9";
test.each([
  ["*", "any"],
  [' W/"a" ,, "b,c"', ["a", "b,c"]],
  ['""', [""]],
  ["", undefined],
  ["a", undefined],
  ['"a" "b"', undefined],
  ['"a", "', undefined],
  ['w/"a"', undefined],
  ['*, "a"', undefined],
  [tag, [tag]],
  [`W/${tag}`, [tag]],
  [`"a", ${tag}`, ["a", tag]],
  [`W/"${tag}-gzip"`, [tag]],
  [`"${tag}--gzip", W/"${tag};br"`, [tag, tag]],
  [`"${tag}-other"`, [`${tag}-other`]],
  [`${tag}-gzip`, undefined],
  [`a${tag}`, undefined],
])("readIfMatch(%j) is %j", (header, expected) => {
  expect(readIfMatch(header)).toEqual(expected);
});

test("etagOf ignores exactly the ignored fields, with any value", () => {
  const revision = revisionIgnoring("at", "use");
  const row = (at: string, use: string, name: string) =>
    `{"id":"1","at":${at},"use":${use},"name":${JSON.stringify(name)}}`;
  const same = etagOf(row('"2026"', '{"a":1,"b":"c"}', "x"), revision);
  expect(etagOf(row("null", "{}", "x"), revision)).toBe(same);
  expect(etagOf(row("null", "-1", "y"), revision)).not.toBe(same);
  expect(etagOf(row("null", "1", 'x,"at":1'), revision)).not.toBe(etagOf(row("null", "1", 'x,"at":2'), revision));
  expect(etagOf(row("1", "1", "x"), revisionIgnoring())).not.toBe(etagOf(row("2", "1", "x"), revisionIgnoring()));
});
