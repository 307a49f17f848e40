/**
 * Reads from a replica: whatever was answered before, they show, through whichever process and by whichever key. Two
 * processes of the API (servers that share nothing) and a real replica, which is paused, stopped and killed.
 */
import { readConfig } from "../../src/config.ts";
import { makeBuckets, specified } from "../../src/http/buckets.ts";
import { startApi } from "../../src/http/server.ts";
import { makeRegistry } from "../../src/metrics/registry.ts";
import { callerOf, type TestApi, testApi } from "../support/api.ts";
import { makeKey, makeOrganisation, type Organisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { makeEvents, untilReadable } from "../support/events.ts";
import { log } from "../support/logged.ts";
import { howMany, tell } from "../support/reliability.ts";
import { eventually } from "../support/worker.ts";
import { acknowledgeFromDisk, type Standby, startStandbyOfTests } from "./standby.ts";

type Process = TestApi & { reads(): Promise<Record<string, number>> };

let db: TestDatabase;
let standby: Standby;
let processes: Process[];
let organisation: Organisation;
let key: string;

beforeAll(async () => {
  db = await testDatabase();
  await acknowledgeFromDisk(db);
  standby = await startStandbyOfTests();
  processes = [await startProcess(standby.urlOf(db.adminUrl)), await startProcess(standby.urlOf(db.adminUrl))];
  organisation = await makeOrganisation(db);
  key = (await makeKey(db, organisation.id, organisation.ownerId)).text;
}, 60_000);
afterAll(async () => {
  await Promise.all((processes ?? []).map(({ stop }) => stop()));
  await db?.drop();
});

async function startProcess(readUrl: string): Promise<Process> {
  const registry = makeRegistry("api");
  const config = readConfig({
    PORT: "0",
    DATABASE_URL: db.adminUrl,
    DATABASE_READ_URL: readUrl,
    MASTER_KEY: db.masterKey,
  });
  const roomy = makeBuckets(Date.now, { ...specified, key: 1_000_000, organisation: 1_000_000 });
  const { url, stop } = await startApi(config, db.adminUrl, db.key, log, roomy, undefined, registry);
  return {
    url,
    stop,
    call: callerOf(url),
    async reads() {
      const { values } = (await registry.getSingleMetric("botstead_replica_reads_total")?.get()) ?? { values: [] };
      return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]));
    },
  };
}

const [first, second] = [() => processes[0] as Process, () => processes[1] as Process];

async function makeBot(through: Process, name: string): Promise<string> {
  const made = await through.call("POST", "/bots", { key, body: { name } });
  expect(made.status).toBe(201);
  return made.body.id;
}

/** Until the replica answers reads of this process again. */
async function untilItAnswers(through: Process): Promise<void> {
  const before = (await through.reads()).replica ?? 0;
  await eventually(async () => {
    await through.call("GET", "/bots", { key });
    return ((await through.reads()).replica ?? 0) > before;
  });
}

test("the replica answers reads, and the primary what is written", async () => {
  await untilItAnswers(first());
  const { reads } = first();
  const before = (await reads()).replica ?? 0;
  const id = await makeBot(first(), "Ada");
  expect((await reads()).replica).toBe(before);
  expect(await first().call("GET", `/bots/${id}`, { key })).toMatchObject({ status: 200, body: { name: "Ada" } });
  await untilItAnswers(first());
});

describe("while the replica replays nothing", () => {
  beforeAll(async () => {
    await untilItAnswers(first());
    await untilItAnswers(second());
    await standby.sql("select pg_wal_replay_pause()");
    const paused = async () =>
      (await standby.sql("select pg_get_wal_replay_pause_state() as state"))[0]?.state === "paused";
    await eventually(paused);
  });
  afterAll(async () => {
    await standby.sql("select pg_wal_replay_resume()");
    await untilItAnswers(first());
    await untilItAnswers(second());
  });

  test("what one process wrote is read through the other, by its id and in a list", async () => {
    const before = (await second().reads()).behind ?? 0;
    const id = await makeBot(first(), "Written while it stood still");
    expect(await second().call("GET", `/bots/${id}`, { key })).toMatchObject({ status: 200 });
    const listed = await second().call("GET", "/bots", { key });
    expect(listed.body.data.map((bot: { id: string }) => bot.id)).toContain(id);
    expect((await second().reads()).behind).toBeGreaterThan(before); // it was asked, and did not know
  });

  test("a key that one process revoked is refused by the other at once", async () => {
    const other = await makeKey(db, organisation.id, organisation.ownerId);
    expect((await second().call("GET", "/me", { key: other.text })).status).toBe(200);
    expect((await first().call("DELETE", `/keys/${other.id}`, { key })).status).toBe(200);
    expect((await second().call("GET", "/me", { key: other.text })).status).toBe(401);
  });
});

test("of many who write through one process and read through the other, each finds what it wrote", async () => {
  await untilItAnswers(first());
  await untilItAnswers(second());
  const before = [await first().reads(), await second().reads()];
  const counts = { acknowledged: 0, lost: 0, doubled: 0, unexpected: 0 };
  const each = howMany(25, 500);
  await Promise.all(
    Array.from({ length: 6 }, async (_, caller) => {
      const [writes, reads] = caller % 2 ? [first(), second()] : [second(), first()];
      for (let round = 0; round < each; round += 1) {
        const id = await makeBot(writes, `Bot ${caller} ${round}`);
        counts.acknowledged += 1;
        const [byId, page] = await Promise.all([
          reads.call("GET", `/bots/${id}`, { key }),
          reads.call("GET", "/bots?limit=50", { key }),
        ]);
        const found = page.body.data.filter((bot: { id: string }) => bot.id === id).length;
        if (byId.status !== 200 || found === 0) counts.lost += 1;
        if (found > 1) counts.doubled += 1;
        await reads.call("DELETE", `/bots/${id}`, { key });
        if ((await writes.call("GET", `/bots/${id}`, { key })).status !== 404) counts.unexpected += 1;
      }
    }),
  );
  const after = [await first().reads(), await second().reads()];
  const gained = (outcome: string) =>
    after.reduce((sum, reads, place) => sum + (reads[outcome] ?? 0) - (before[place]?.[outcome] ?? 0), 0);
  const note = `${gained("replica")} reads from the replica, ${gained("behind") + gained("away")} from the primary`;
  tell("Replica: written through one process, read through the other", { ...counts, note });
  expect(counts).toEqual({ acknowledged: 6 * each, lost: 0, doubled: 0, unexpected: 0 });
  expect(gained("replica")).toBeGreaterThan(0);
}, 300_000);

test("a feed goes on where it was, also where that is beyond the transactions of which the replica was told", async () => {
  const primary = await testApi(db);
  try {
    await makeEvents(db, { organisationId: organisation.id }, { count: 2 });
    await untilReadable(db, { organisationId: organisation.id });
    await untilItAnswers(first());
    const before = await first().reads();
    for (let round = 0; round < 20; round += 1) {
      await db.sql("select pg_current_xact_id()"); // it takes a number, and waits for no disk since it wrote nothing
      const { nextCursor } = (await primary.call("GET", "/events", { key })).body;
      const page = await first().call("GET", `/events?after=${nextCursor}`, { key });
      expect([page.status, page.body.data]).toEqual([200, []]);
    }
    expect(await first().reads()).toEqual(before);
  } finally {
    await primary.stop();
  }
});

test("that a key was used is written down, although a replica can't", async () => {
  const { id, text } = await makeKey(db, organisation.id, organisation.ownerId);
  const lastUse = async () =>
    (await db.sql<{ at: Date | null }>("select last_used_at as at from app.api_key_uses where key_id = $1", [id]))[0]
      ?.at;
  const before = (await first().reads()).refused ?? 0;
  expect((await first().call("GET", "/me", { key: text })).status).toBe(200);
  expect(await lastUse()).toEqual(expect.any(Date));
  await db.sql("update app.api_key_uses set last_used_at = now() - interval '2 minutes' where key_id = $1", [id]);
  expect((await first().call("GET", "/me", { key: text })).status).toBe(200);
  expect(Date.now() - Number(await lastUse())).toBeLessThan(60_000);
  expect((await first().reads()).refused).toBeGreaterThan(before);
});

test.each(["SIGKILL", "SIGSTOP"] as const)(
  "after %s of the replica nobody is refused, nobody waits for long, and it is asked again once it is back",
  async (signal) => {
    await untilItAnswers(first());
    if (signal === "SIGKILL") await standby.process.kill();
    else standby.process.signal("SIGSTOP");
    for (let each = 0; each < 10; each += 1) {
      const began = performance.now();
      expect((await first().call("GET", "/bots", { key })).status).toBe(200);
      expect(performance.now() - began).toBeLessThan(5_000);
    }
    expect((await first().reads()).away).toBeGreaterThan(0);
    if (signal === "SIGKILL") await standby.process.start();
    else standby.process.signal("SIGCONT");
    await untilItAnswers(first());
  },
  60_000,
);

test("a read address that leads to the primary is not taken for a replica", async () => {
  const misled = await startProcess(db.adminUrl);
  expect((await misled.call("GET", "/bots", { key })).status).toBe(200);
  const reads = await misled.reads();
  await misled.stop();
  expect(reads).toEqual({ replica: 0, behind: expect.any(Number), away: 0, refused: 0 });
  expect(reads.behind).toBeGreaterThan(0);
});
