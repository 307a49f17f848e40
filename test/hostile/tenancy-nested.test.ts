/**
 * References to another organisation outside the path: in bodies, queries, batches, cursors, Idempotency-Keys and
 * hooks. Each gets the same response as an unknown id, and no row of the other organisation is read or written.
 */
import { randomUUID } from "node:crypto";
import { listTag } from "../../src/api/cursors.ts";
import type { Operation } from "../../src/contract/operation.ts";
import { operations } from "../../src/contract/operations.ts";
import { type RefusalCode, refusals } from "../../src/contract/refusals.ts";
import { expectRefusal, sameButForRequestId } from "../support/answers.ts";
import type { Json, Reply } from "../support/api.ts";
import { reportCounts } from "../support/reliability.ts";
import { signed } from "../support/sign.ts";
import { nameOf, type Place, placesOf, withValue } from "./places.ts";
import { changedTables, type Fingerprints, fingerprintsOf } from "./row-fingerprints.ts";
import { besides, type Fixture, openFixture, type Tenant } from "./tenancy-fixture.ts";

let fixture: Fixture;
let before: Fingerprints;
beforeAll(async () => {
  fixture = await openFixture();
  before = await fingerprintsOf(fixture.db, fixture.other.organisation.organisationId);
});
afterAll(() => fixture?.close());

/** Ends each test: checks the counts, and that the other organisation is unchanged. */
async function judge(name: string, count: number, faults: string[]): Promise<void> {
  const after = await fingerprintsOf(fixture.db, fixture.other.organisation.organisationId);
  const changed = changedTables(before, after);
  const acknowledged = Math.max(count - faults.length, 0);
  reportCounts(name, { acknowledged, lost: 0, doubled: 0, unexpected: faults.length + changed.length });
  expect(faults).toEqual([]);
  expect(changed).toEqual([]);
  expect(acknowledged).toBeGreaterThan(0);
}

const same = (one: Reply<Json>, another: Reply<Json>): boolean =>
  JSON.stringify(sameButForRequestId(one)) === JSON.stringify(sameButForRequestId(another));

/** The kind of row that a field's id names. */
const rowOf: Record<string, string> = {
  botId: "bots",
  personId: "members",
  botIds: "bots",
  keyId: "keys",
  userId: "members",
  runId: "runs",
  supersedes: "memories",
};
const ofTenants = operations.filter(({ keyClass }) => keyClass === "organisation");
const idPlaces = ofTenants.flatMap(placesOf).filter(({ part, schema }) => part !== "path" && schema.format === "uuid");

/** An id of the caller's own organisation that is valid here. */
async function idFor({ operation, at }: Place, { organisation, rows }: Tenant): Promise<string> {
  const field = at.findLast((each) => !/^\d+$/.test(each)) ?? "";
  if (operation.name !== "list_audit" && field !== "afterEntryId") return rows[rowOf[field] ?? ""] ?? "";
  const { data } = (await organisation.as("GET", "/audit?actor=key&limit=1")).body; // the last audit entry
  return data[0]?.[field === "afterEntryId" ? "id" : field] ?? "";
}

/** Filters of what an endpoint receives. An unknown id is accepted and matches nothing. (docs/specification/webhooks.md#filters-and-secret) */
const isFilter = ({ at }: Place): boolean => at.includes("botIds");

/** A valid request with this id in the place. */
async function sendWith({ operation, part, at }: Place, id: string): Promise<Reply<Json>> {
  const { organisation } = fixture.own;
  const described = fixture.documented(operation.name);
  if (part === "query") return organisation.send(described, { query: `?${at[0]}=${id}` });
  const example = await organisation.example(described);
  const scope = operation.name === "create_memory" && at.includes("botId") ? { scope: "bot" } : {};
  const body = withValue({ ...example, ...scope }, at, id);
  if (operation.name !== "import_memories") return organisation.send(described, { body });
  const sent = await organisation.send(described, { body: withValue(body, ["memories", "0", "scope"], "bot") });
  return sent.body.results?.[0].error
    ? { ...sent, status: refusals[sent.body.results[0].error.code as RefusalCode].status }
    : sent;
}

test("an id of another organisation in a body or a query gets the same response as an unknown id", async () => {
  const faults: string[] = [];
  let acknowledged = 0;
  for (const place of idPlaces) {
    const foreign = await sendWith(place, await idFor(place, fixture.other));
    const absent = await sendWith(place, randomUUID());
    const own = await sendWith(place, await idFor(place, fixture.own));
    if (isFilter(place)) {
      if (![own, foreign, absent].every(({ status }) => status < 300)) faults.push(`${nameOf(place)}: ${foreign.text}`);
      acknowledged += 1;
      continue;
    }
    if (!same(foreign, absent)) faults.push(`${nameOf(place)}: ${foreign.text} and ${absent.text}`);
    if (same(own, absent)) faults.push(`${nameOf(place)}: an own row is answered like an unknown one`);
    if (place.part === "body" && foreign.status !== 404) faults.push(`${nameOf(place)}: ${foreign.status}`);
    if (place.part === "query" && foreign.body.data?.length !== 0) faults.push(`${nameOf(place)}: ${foreign.text}`);
    acknowledged += 1;
  }
  await judge("ids of another organisation in bodies and queries", acknowledged, faults);
  expect(idPlaces.length).toBeGreaterThan(6);
});

test("an id of another organisation inside a batch gets the same response as an unknown id", async () => {
  const faults: string[] = [];
  const byId = ofTenants.filter(({ path, stream, storesDigest }) => path.includes("{") && !stream && !storesDigest);
  const { organisation } = fixture.own;
  const request = async (operation: Operation, id: string) => ({
    method: operation.method.toUpperCase(),
    path: operation.path.replace(/\{\w+\}/, id),
    ...(operation.body ? { body: await organisation.example(fixture.documented(operation.name)) } : {}),
  });
  for (const operation of byId) {
    const foreign = fixture.other.rows[operation.path.split("/")[1] ?? ""] ?? "";
    const both = [await request(operation, foreign), await request(operation, randomUUID())];
    const { status, body } = await organisation.as("POST", "/batch", { operations: both });
    const [one, another] = body.results ?? [];
    if (status !== 200 || one?.status !== 404 || JSON.stringify(one) !== JSON.stringify(another)) {
      faults.push(`${operation.name}: ${JSON.stringify(body)}`);
    }
  }
  await judge("ids of another organisation in a batch", byId.length, faults);
});

/** The cursor of a feed moves with transactions of all organisations, even between two calls. */
const withoutPlace = (reply: Reply<Json>): Reply<Json> => ({
  ...reply,
  text: reply.text.replaceAll(reply.body.nextCursor, "…"),
});

/** The rows of a list, read in pages of one row. */
const lists = ofTenants.filter(({ list, feed }) => list || feed);
const pathOfList = (operation: Operation, rows: Record<string, string>) =>
  operation.path.replace(/\{\w+\}/, rows[operation.path.split("/")[1] ?? ""] ?? "");
test("a cursor of another organisation returns only rows of the caller's organisation", async () => {
  const faults: string[] = [];
  let cursors = 0;
  for (const operation of lists) {
    const { own, other } = fixture;
    const [mine, theirs] = [pathOfList(operation, own.rows), pathOfList(operation, other.rows)];
    const parameter = operation.feed ? "after" : "cursor";
    const { nextCursor } = (await other.organisation.as("GET", `${theirs}?limit=1`)).body;
    if (!nextCursor) continue; // a single row, so no second page
    cursors += 1;
    // The cursor of a list below a row begins with the mark of that list.
    const cursor = operation.path.includes("{") ? listTag(mine) + nextCursor.slice(8) : nextCursor;
    const [given, never] = [cursor, besides(cursor)].map((each) =>
      own.organisation.as("GET", `${mine}?${parameter}=${each}`),
    );
    const [one, another] = [await given, await never] as [Reply<Json>, Reply<Json>];
    const isSame = operation.feed ? same(withoutPlace(one), withoutPlace(another)) : same(one, another);
    if (one.status !== 200 || !isSame) faults.push(`${operation.name}: ${one.text} and ${another.text}`);
    const all = new Set(
      (await own.organisation.as("GET", `${mine}?limit=200`)).body.data.map((row: Json) => JSON.stringify(row)),
    );
    for (const row of one.body.data) {
      if (!all.has(JSON.stringify(row))) faults.push(`${operation.name}: shows ${JSON.stringify(row)}`);
    }
  }
  await judge("cursors of another organisation", cursors, faults);
  expect(cursors).toBeGreaterThan(8);
});

test("an Idempotency-Key of another organisation is independent: no replay, no conflict", async () => {
  const faults: string[] = [];
  const posts = ofTenants.filter((operation) => operation.needsIdempotencyKey && !operation.path.includes("{"));
  const [one, another] = [await fixture.fresh(), await fixture.fresh()];
  for (const operation of posts) {
    const described = fixture.documented(operation.name);
    const idempotencyKey = `order of ${operation.name}`;
    const first = await one.send(described, { idempotencyKey });
    const second = await another.send(described, { idempotencyKey });
    const replayed = second.headers.get("idempotent-replayed");
    const done = [first, second].every(({ status }) => status === operation.status);
    if (!done || replayed !== null || first.text === second.text) {
      faults.push(`${operation.name}: ${first.status} ${second.status} ${replayed} ${second.text}`);
    }
  }
  await judge("Idempotency-Keys of another organisation", posts.length, faults);
  expect(posts.length).toBeGreaterThan(8);
});

test("a post to a hook of another organisation with the caller's own secret gets the response for an unknown hook", async () => {
  const { own, other, api } = fixture;
  const { secret } = (await own.organisation.as("POST", `/hooks/${own.rows.hooks}/rotate`)).body;
  const post = (id: string) => {
    return api.call("POST", `/hooks/${id}/receive`, { ...signed(secret, "Hello"), idempotencyKey: null });
  };
  const replies = [await post(other.rows.hooks ?? ""), await post(randomUUID()), await post("no-id")];
  const faults = replies.filter((reply) => !same(reply, replies[0] as Reply<Json>)).map(({ text }) => text);
  const mine = await post(own.rows.hooks ?? "");
  await judge("posts to another organisation's hook", replies.length, faults);
  for (const reply of replies) expectRefusal(reply, "unauthenticated");
  expect(mine.status).toBe(202);
});
