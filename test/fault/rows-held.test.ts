/** Another session locks rows or tables: callers that need them get 503 in time, and other callers are unaffected. */
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { accept, tokenOf } from "../support/invitations.ts";
import { killPrograms } from "../support/program.ts";
import { howMany, long } from "../support/reliability.ts";
import { signed } from "../support/sign.ts";
import { eventually } from "../support/worker.ts";
import { type ApiAlone, apiAlone } from "./api-alone.ts";
import type { Made } from "./calls.ts";
import { holdRows } from "./hold.ts";
import { startMixedLoad } from "./mixed-load.ts";

let db: TestDatabase;
let api: ApiAlone;

beforeAll(async () => {
  db = await testDatabase();
  api = await apiAlone(db, db.adminUrl, db.dataDir);
  await api.start();
});
afterAll(async () => {
  await killPrograms();
  await db?.drop();
});

const hold = (statement: string, values?: unknown[]) =>
  holdRows({ sql: db.sql, databaseUrl: () => db.adminUrl }, statement, values);
/** Pause of the other callers between two calls. The short form shares its processors with other files. */
const pauseMs = long ? undefined : 50;
/** Number of tries that got a 503. */
const refused = (made: Made[]) =>
  made.flatMap(({ tries }) => tries.filter(({ answer }) => answer?.code === "unavailable")).length;

test("a locked organisation row gives its callers 503, and does not affect other organisations", async () => {
  const theirs = await api.clients(1, 14);
  const load = startMixedLoad(api.url, theirs);
  const others = startMixedLoad(api.url, await api.clients(2, 2), pauseMs);
  await Promise.all([load.untilMore(28), others.untilMore(8)]);

  const row = await hold("select from app.organisations where id = $1 for update", [theirs[0]?.organisation]);
  await row.untilBlocked();
  await eventually(async () => refused(load.made) >= howMany(14, 140));
  await others.untilMore(howMany(50, 500));
  await row.release();

  await load.untilMore(28);
  await Promise.all([load.stop(), others.stop()]);
  expect(refused(others.made)).toBe(0);
  await api.expectNothingLost("row of an organisation locked", load.made);
  await api.expectNothingLost("row of an organisation locked: other organisations", others.made);
});

test("many posts to hooks and mail links of a locked organisation do not affect other organisations", async () => {
  const [them] = await api.clients(1);
  const others = startMixedLoad(api.url, await api.clients(2, 2), pauseMs);
  const numbers = Array.from({ length: 8 }, (_, number) => number);
  const ask = async (path: string, body: object) =>
    (await api.call("POST", path, { key: them?.key, body })).body as { id: string; secret: string };
  const hooks = await Promise.all(numbers.map((number) => ask("/hooks", { botId: them?.bot, name: `Hook ${number}` })));
  const guests = numbers.map((number) => `guest${number}.${them?.organisation}@example.test`);
  const invitations = await Promise.all(guests.map((email) => ask("/invitations", { email })));
  const tokens = await Promise.all(invitations.map(({ id }) => tokenOf(db, id)));
  const post = ({ id, secret }: { id: string; secret: string }) =>
    api.call("POST", `/hooks/${id}/receive`, { idempotencyKey: null, ...signed(secret, "Hello") });
  await others.untilMore(8);

  const row = await hold("select from app.organisations where id = $1 for update", [them?.organisation]);
  const others0 = others.made.length;
  const statuses: number[] = [];
  for (let more = true; more; more = others.made.length < others0 + howMany(50, 500)) {
    const replies = await Promise.all([
      ...hooks.flatMap((hook) => [post(hook), post(hook)]),
      ...tokens.map((token) => accept(api, token)),
    ]);
    statuses.push(...replies.map(({ status }) => status));
  }
  expect(new Set(statuses)).toEqual(new Set([503]));
  await row.release();
  for (const hook of hooks) expect((await post(hook)).status).toBe(202);
  for (const token of tokens) expect((await accept(api, token)).status).toBe(200);
  await others.stop();
  expect(refused(others.made)).toBe(0);
  await api.expectNothingLost(
    "row of an organisation locked, hooks and links called: other organisations",
    others.made,
  );
});

test("a locked table that blocks all connections gives callers 503 in time, and service resumes automatically", async () => {
  const load = startMixedLoad(api.url, await api.clients(6, 3));
  await load.untilMore(36);
  const table = await hold("lock table app.memories in access exclusive mode");
  await table.untilBlocked();
  await eventually(async () => refused(load.made) >= howMany(30, 300));
  expect(await api.health("/healthz")).toBe(200);
  await table.release();
  await load.untilMore(36);
  await load.stop();
  await api.expectNothingLost("table locked, all connections blocked", load.made);
});
