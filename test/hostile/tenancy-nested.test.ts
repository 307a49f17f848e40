/**
 * What another organisation has can be named in more places than a path: in bodies, in queries, inside a batch, by a cursor,
 * by an Idempotency-Key, at a hook. In each it is told like what never was, and no row of the other's is read or written.
 */
import { randomUUID } from "node:crypto";
import type { Operation } from "../../src/contract/operation.ts";
import { needsIdempotencyKey } from "../../src/contract/operation.ts";
import { operations } from "../../src/contract/operations.ts";
import { listTag } from "../../src/http/cursors.ts";
import { expectRefusal, sameButForRequestId } from "../support/answers.ts";
import type { Json, Reply } from "../support/api.ts";
import { tell } from "../support/reliability.ts";
import { signed } from "../support/sign.ts";
import { nameOf, type Place, placesOf, withValue } from "./places.ts";
import { changedTables, type Fingerprints, fingerprintsOf } from "./row-fingerprints.ts";
import { besides, openScene, type Scene, type Tenant } from "./tenancy-scene.ts";

let scene: Scene;
let before: Fingerprints;
beforeAll(async () => {
  scene = await openScene();
  before = await fingerprintsOf(scene.db, scene.other.world.organisationId);
}, 60_000);
afterAll(() => scene?.close());

/** The end of each test: what was found, and that the other organisation is as it was. */
async function judge(name: string, asked: number, faults: string[]): Promise<void> {
  const after = await fingerprintsOf(scene.db, scene.other.world.organisationId);
  const changed = changedTables(before, after);
  const acknowledged = Math.max(asked - faults.length, 0);
  tell(name, { acknowledged, lost: 0, doubled: 0, unexpected: faults.length + changed.length });
  expect(faults).toEqual([]);
  expect(changed).toEqual([]);
  expect(acknowledged).toBeGreaterThan(0);
}

const same = (one: Reply<Json>, another: Reply<Json>): boolean =>
  JSON.stringify(sameButForRequestId(one)) === JSON.stringify(sameButForRequestId(another));

/** By the name of a field, the row whose id it takes. */
const rowOf: Record<string, string> = { botId: "bots", keyId: "keys", userId: "members", runId: "runs" };
const ofTenants = operations.filter(({ keyClass }) => keyClass === "organisation");
const idPlaces = ofTenants.flatMap(placesOf).filter(({ part, schema }) => part !== "path" && schema.format === "uuid");

/** An id with which the place finds something, in the tenant's own organisation. */
async function idFor({ operation, at }: Place, { world, rows }: Tenant): Promise<string> {
  const field = at.at(-1) ?? "";
  if (operation.name !== "list_audit") return rows[rowOf[field] ?? ""] ?? "";
  const { data } = (await world.as("GET", "/audit?actor=key&limit=1")).body; // what was done last, as the trail itself says
  return data[0]?.[field] ?? "";
}

/** The request with this id in the place, all else one's own and right. */
async function sendWith({ operation, part, at }: Place, id: string): Promise<Reply<Json>> {
  const { world } = scene.own;
  const described = scene.documented(operation.name);
  if (part === "query") return world.send(described, { query: `?${at[0]}=${id}` });
  const example = await world.example(described);
  const scope = operation.name === "create_memory" ? { scope: "bot" } : {};
  return world.send(described, { body: withValue({ ...example, ...scope }, at, id) });
}

test("an id of another organisation in a body or a query is an id of nothing", async () => {
  const faults: string[] = [];
  let acknowledged = 0;
  for (const place of idPlaces) {
    const foreign = await sendWith(place, await idFor(place, scene.other));
    const absent = await sendWith(place, randomUUID());
    const own = await sendWith(place, await idFor(place, scene.own));
    if (!same(foreign, absent)) faults.push(`${nameOf(place)}: ${foreign.text} and ${absent.text}`);
    if (same(own, absent)) faults.push(`${nameOf(place)}: one's own is told like what never was`);
    if (place.part === "body" && foreign.status !== 404) faults.push(`${nameOf(place)}: ${foreign.status}`);
    if (place.part === "query" && foreign.body.data?.length !== 0) faults.push(`${nameOf(place)}: ${foreign.text}`);
    acknowledged += 1;
  }
  await judge("ids of another organisation in bodies and queries", acknowledged, faults);
  expect(idPlaces.length).toBeGreaterThan(6);
});

test("inside a batch too", async () => {
  const faults: string[] = [];
  const byId = ofTenants.filter(({ path, stream }) => path.includes("{") && !stream);
  const { world } = scene.own;
  const asked = async (operation: Operation, id: string) => ({
    method: operation.method.toUpperCase(),
    path: operation.path.replace(/\{\w+\}/, id),
    ...(operation.body ? { body: await world.example(scene.documented(operation.name)) } : {}),
  });
  for (const operation of byId) {
    const foreign = scene.other.rows[operation.path.split("/")[1] ?? ""] ?? "";
    const both = [await asked(operation, foreign), await asked(operation, randomUUID())];
    const { status, body } = await world.as("POST", "/batch", { operations: both });
    const [one, another] = body.results ?? [];
    if (status !== 200 || one?.status !== 404 || JSON.stringify(one) !== JSON.stringify(another)) {
      faults.push(`${operation.name}: ${JSON.stringify(body)}`);
    }
  }
  await judge("ids of another organisation in a batch", byId.length, faults);
});

/** The rows of a list, and its pages one row at a time. */
const lists = ofTenants.filter(({ list, feed }) => list || feed);
const pathOfList = (operation: Operation, rows: Record<string, string>) =>
  operation.path.replace(/\{\w+\}/, rows[operation.path.split("/")[1] ?? ""] ?? "");
test("a cursor of another organisation orders one's own rows, and shows none of the other's", async () => {
  const faults: string[] = [];
  let cursors = 0;
  for (const operation of lists) {
    const { own, other } = scene;
    const [mine, theirs] = [pathOfList(operation, own.rows), pathOfList(operation, other.rows)];
    const parameter = operation.feed ? "after" : "cursor";
    const { nextCursor } = (await other.world.as("GET", `${theirs}?limit=1`)).body;
    if (!nextCursor) continue; // one row, and so no second page
    cursors += 1;
    // The cursor of a list of a row's own begins with the mark of that list.
    const cursor = operation.path.includes("{") ? listTag(mine) + nextCursor.slice(8) : nextCursor;
    const [given, never] = [cursor, besides(cursor)].map((each) => own.world.as("GET", `${mine}?${parameter}=${each}`));
    const [one, another] = [await given, await never] as [Reply<Json>, Reply<Json>];
    if (one.status !== 200 || !same(one, another)) faults.push(`${operation.name}: ${one.text} and ${another.text}`);
    const all = new Set(
      (await own.world.as("GET", `${mine}?limit=200`)).body.data.map((row: Json) => JSON.stringify(row)),
    );
    for (const row of one.body.data) {
      if (!all.has(JSON.stringify(row))) faults.push(`${operation.name}: shows ${JSON.stringify(row)}`);
    }
  }
  await judge("cursors of another organisation", cursors, faults);
  expect(cursors).toBeGreaterThan(8);
});

test("an Idempotency-Key of another organisation is a new one: nothing is replayed, nothing collides", async () => {
  const faults: string[] = [];
  const posts = ofTenants.filter((operation) => needsIdempotencyKey(operation) && !operation.path.includes("{"));
  const [one, another] = [await scene.fresh(), await scene.fresh()];
  for (const operation of posts) {
    const described = scene.documented(operation.name);
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

test("what is posted to another's hook, signed with one's own secret, is posted to no hook", async () => {
  const { own, other, api } = scene;
  const { secret } = (await own.world.as("POST", `/hooks/${own.rows.hooks}/rotate`)).body;
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
