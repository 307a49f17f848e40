/**
 * Extremes of Unicode, JSON and numbers in every field of every operation (docs/specification/conventions.md#formats).
 * - A refused value gets an error of the contract and is not stored.
 * - An accepted value is returned unchanged, and works in lists, searches, the audit log, the console, runs and
 *   deliveries.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunningWorker } from "../../src/worker/worker.ts";
import type { Json, Reply } from "../support/api.ts";
import { everything } from "../support/every-field.ts";
import { type Hook, type Hooks, startHooks } from "../support/hooks.ts";
import { howMany, reportCounts } from "../support/reliability.ts";
import { askerOf } from "../support/saved-queries.ts";
import { eventually, testWorker } from "../support/worker.ts";
import { faultOfAcceptance } from "./accepted.ts";
import { type Attempt, attemptsInBody, attemptsInLine, attemptsOfBody, type Making } from "./extreme-requests.ts";
import * as extremes from "./extremes.ts";
import { type Fixture, openFixture, together } from "./fixture.ts";
import { inOrder } from "./fuzz-requests.ts";
import { nameOf, type Place, placesOf } from "./places.ts";

/** In the short form each place gets every n-th extreme, with an offset per place, so that together they cover all. */
const every = howMany(16, 1);

let fixture: Fixture;
let hooks: Hooks;
let hook: Hook;
let worker: RunningWorker | undefined;
let folder: string;
let settings: Record<string, string>;
const tally = { accepted: 0, lost: 0, faults: [] as string[] };

beforeAll(async () => {
  hooks = await startHooks();
  hook = hooks.hook();
  folder = mkdtempSync(join(tmpdir(), "botstead-hostile-"));
  const caFile = join(folder, "receiver-ca.pem");
  writeFileSync(caFile, hooks.receiver.ca);
  settings = { WEBHOOK_ALLOW_RANGES: "127.0.0.0/8", WEBHOOK_CA_FILE: caFile };
  fixture = await openFixture(settings);
});
afterAll(async () => {
  await worker?.stop();
  await fixture?.close();
  await hooks?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Sends all of them, several at once, and reads back accepted values. */
async function attempt(place: Place, attempts: Attempt[]): Promise<void> {
  await fixture.written(); // written by the preparation of rows
  for (let next = 0; next < attempts.length; next += together) {
    const some = attempts.slice(next, next + together);
    const { replies, faults } = await fixture.sendAll(place.operation, some);
    tally.faults.push(...faults);
    for (const [index, reply] of replies.entries()) {
      const { raw, read } = some[index] as Attempt;
      if (read !== undefined && read !== (reply.status !== 400)) {
        tally.faults.push(`${nameOf(place)}: ${reply.status} to ${String(some[index]?.body).slice(0, 100)}`);
      }
      if (raw === undefined) continue;
      const fault = await faultOfAcceptance(place, JSON.parse(raw), reply, fixture.organisation);
      if (reply.status < 400) tally.accepted += 1;
      if (fault) {
        tally.lost += reply.status < 400 ? 1 : 0;
        tally.faults.push(fault);
      }
    }
  }
}

test("extreme values in any field cause no failure, no echo and no changed value", async () => {
  const mine = { url: hook.url, events: ["run.finished"] };
  expect((await fixture.organisation.as("POST", "/webhooks", mine)).status).toBe(201);
  await fixture.written();
  let examined = 0;
  for (const operation of inOrder) {
    const places = placesOf(operation);
    for (const place of places) {
      const all: Making[] =
        place.part === "body"
          ? await attemptsInBody(fixture, place)
          : (await attemptsInLine(fixture, place)).map((each) => async () => each);
      const share = all.filter((_, index) => index % every === examined % every);
      await attempt(place, await Promise.all(share.map((make) => make())));
      examined += 1;
    }
    const [any] = places;
    if (operation.body && any) await attempt(any, await attemptsOfBody(fixture, any));
  }
  const { sent, refused } = fixture.count;
  reportCounts("extremes of Unicode, JSON and numbers in every field", {
    acknowledged: tally.accepted,
    lost: tally.lost,
    doubled: 0,
    unexpected: tally.faults.length - tally.lost,
    note: `${examined} places, ${sent} requests, ${refused} refused`,
  });
  expect(tally.faults.slice(0, 20)).toEqual([]);
  expect(tally.accepted).toBeGreaterThan(howMany(30, 500));
  expect(Object.keys(Object.prototype)).toEqual([]);
});

/** Every row of a list, page after page. */
async function pages(path: string): Promise<Json[]> {
  const rows: Json[] = [];
  for (let cursor = ""; ; ) {
    const reply = (await fixture.organisation.as("GET", `${path}limit=200${cursor}`)) as Reply<Json>;
    if (reply.status !== 200) throw new Error(`${path}: ${reply.text}`);
    rows.push(...reply.body.data);
    const { nextCursor } = reply.body;
    if (!nextCursor) return rows;
    cursor = `&cursor=${nextCursor}`;
  }
}

test("accepted extremes work in lists, searches, the audit log, the console, runs and deliveries", async () => {
  const { db, organisation, ids } = fixture;
  for (const endpoint of await pages("/webhooks?")) {
    if (endpoint.url !== hook.url) await organisation.as("DELETE", `/webhooks/${endpoint.id}`);
  }
  const lists = [
    "keys",
    "bots",
    "memories",
    "runs",
    "approvals",
    "routines",
    "hooks",
    "members",
    "invitations",
    "audit",
  ];
  const found = Object.fromEntries(await Promise.all(lists.map(async (name) => [name, await pages(`/${name}?`)])));
  const words = [...Object.values(extremes.texts), ...found.memories.map(({ subject }: Json) => subject.slice(0, 100))];
  const unsearchable: string[] = [];
  for (const word of new Set<string>(words.filter((each) => each.isWellFormed() && each !== ""))) {
    const reply = await organisation.as("GET", `/memories?q=${encodeURIComponent(word)}&limit=200`);
    if (reply.status !== (word.includes("\0") ? 400 : 200)) unsearchable.push(`${word}: ${reply.text}`);
  }

  worker = await testWorker(db, settings);
  const unfinished = "select id from app.runs where organisation_id = $1 and finished_at is null";
  await eventually(async () => (await db.sql(unfinished, [organisation.organisationId])).length === 0);
  const finished = await db.sql<{ id: string }>(
    `select event.data ->> 'runId' as id from app.events event
     join app.deliveries delivery on delivery.organisation_id = event.organisation_id and delivery.event_id = event.id
     join app.webhook_endpoints endpoint on endpoint.id = delivery.endpoint_id and endpoint.url = $2
     where event.organisation_id = $1 and event.kind = 'run.finished'`,
    [organisation.organisationId, hook.url],
  );
  const delivered = () => hook.posts().map(({ body }) => JSON.parse(body).data.runId as string);
  const isDelivered = ({ id }: { id: string }) => delivered().includes(id);
  await eventually(async () => finished.every(isDelivered)).catch(() => {});
  await pages("/events?");

  const asker = await askerOf(db);
  const console_ = await everything(asker, {
    organisation: organisation.organisationId,
    owner: await organisation.row("owner"),
    bot: ids.bot,
    run: ids.own.runs ?? "",
    endpoint: ids.own.webhooks ?? "",
    test_delivery: ids.own.deliveries ?? "",
    admin_key: ids.own.keys ?? "",
  });
  await asker.end();
  const broken = await db.sql("select * from audit.verify_chain(organisation => $1)", [organisation.organisationId]);

  reportCounts("accepted extremes in lists, searches, audit log, console, runs and deliveries", {
    acknowledged: finished.length,
    lost: finished.filter((each) => !isDelivered(each)).length,
    doubled: delivered().length - new Set(delivered()).size,
    unexpected: unsearchable.length + broken.length,
    note: `${found.memories.length} memories, ${found.audit.length} entries of the audit log`,
  });
  expect(finished.length).toBeGreaterThan(howMany(3, 20));
  expect(finished.filter((each) => !isDelivered(each))).toEqual([]);
  expect(new Set(delivered()).size).toBe(delivered().length);
  expect(unsearchable).toEqual([]);
  expect(broken).toEqual([]);
  expect(found.memories.length).toBeGreaterThan(howMany(5, 20));
  expect(console_.shown).toContain(organisation.organisationId);
});
