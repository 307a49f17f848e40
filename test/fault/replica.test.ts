/**
 * Reads from a replica show every acknowledged write, through each process and with each key. The tests use two API
 * servers that share no state, and a real replica that they pause, stop and kill.
 */
import { acknowledgeFromDisk, type Standby, startStandbyOfFile } from "../machines/standby.ts";
import { testApi } from "../support/api.ts";
import { startCluster, stopCluster } from "../support/cluster.ts";
import {
  makeExecutor,
  makeKey,
  makeOrganisation,
  type Organisation,
  setLimits,
  type TestDatabase,
  testDatabase,
} from "../support/database.ts";
import { makeEvents } from "../support/events.ts";
import { type Came, expectAll, howMany, reportCounts } from "../support/reliability.ts";
import { eventually } from "../support/worker.ts";
import { withinMs } from "./journal.ts";
import { type Kind, kinds, type Process, type Rows, rowsOf, startProcess } from "./replicated.ts";

let db: TestDatabase;
let standby: Standby;
let processes: Process[];
let organisation: Organisation;
let key: string;
let rows: Rows;

beforeAll(async () => {
  await startCluster();
  db = await testDatabase();
  await acknowledgeFromDisk(db);
  standby = await startStandbyOfFile();
  const readUrl = standby.urlOf(db.adminUrl);
  processes = [await startProcess(db, readUrl), await startProcess(db, readUrl)];
  organisation = await makeOrganisation(db);
  key = (await makeKey(db, organisation.id, organisation.ownerId)).text;
  await makeExecutor(db); // without an executor no run starts
  await setLimits(db, organisation.id, { runStartsPerHour: 100000 });
  const bot = await first().call("POST", "/bots", { key, body: { name: "Eve" } });
  rows = rowsOf(key, bot.body.id);
});
afterAll(async () => {
  await Promise.all((processes ?? []).map(({ stop }) => stop()));
  await db?.drop();
  await stopCluster();
});

const [first, second] = [() => processes[0] as Process, () => processes[1] as Process];

/** Waits until the replica answers reads of this process again. */
async function untilItAnswers(through: Process): Promise<void> {
  const before = (await through.reads()).replica ?? 0;
  await eventually(async () => {
    await through.call("GET", "/bots", { key });
    return ((await through.reads()).replica ?? 0) > before;
  });
}

test("the replica answers reads, and the primary executes writes", async () => {
  await untilItAnswers(first());
  const { reads, call } = first();
  const before = (await reads()).replica;
  const id = await rows.make(first(), kinds.bot);
  const after = (await reads()).replica;
  const { status, body } = await call("GET", `/bots/${id}`, { key });
  await untilItAnswers(first());
  expectAll("Replica: reads from the replica, writes on the primary", [
    [before, after],
    [
      [200, "Ada"],
      [status, body.name],
    ],
  ]);
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

  test.each(Object.keys(kinds) as (keyof typeof kinds)[])(
    "a process reads what the other wrote, by id and in a list: %s",
    async (kind) => {
      const before = (await second().reads()).behind ?? 0;
      const id = await rows.make(first(), kinds[kind]);
      const found = await rows.find(second(), kinds[kind], id);
      expectAll("Replica: replay paused, writes are read at once", [
        [[1, 1], found],
        [true, ((await second().reads()).behind ?? 0) > before], // the replica was behind, so the primary answered
        [false, await rows.unmake([first(), second()], kinds[kind], id)],
      ]);
    },
  );

  test("a key that one process revokes is refused by the other at once", async () => {
    const other = await makeKey(db, organisation.id, organisation.ownerId);
    const me = async () => (await second().call("GET", "/me", { key: other.text })).status;
    const before = await me();
    const revoked = (await first().call("DELETE", `/keys/${other.id}`, { key })).status;
    expectAll("Replica: replay paused, a revoked key is refused", [
      [
        [200, 200, 401],
        [before, revoked, await me()],
      ],
    ]);
  });
});

test("concurrent clients that write through one process read their writes through the other", async () => {
  await untilItAnswers(first());
  await untilItAnswers(second());
  const before = [await first().reads(), await second().reads()];
  const counts = { acknowledged: 0, lost: 0, doubled: 0, unexpected: 0 };
  const each = howMany(25, 500);
  const all: Kind[] = Object.values(kinds);
  await Promise.all(
    Array.from({ length: 6 }, async (_, caller) => {
      const [writes, reads] = caller % 2 ? [first(), second()] : [second(), first()];
      for (let round = 0; round < each; round += 1) {
        const kind = all[(round + caller) % all.length] as Kind;
        const id = await rows.make(writes, kind);
        counts.acknowledged += 1;
        const [byId, listed] = await rows.find(reads, kind, id);
        if (byId === 0 || listed === 0) counts.lost += 1;
        if (listed > 1) counts.doubled += 1;
        if (await rows.unmake([reads, writes], kind, id)) counts.unexpected += 1;
      }
    }),
  );
  const after = [await first().reads(), await second().reads()];
  const gained = (outcome: string) =>
    after.reduce((sum, reads, place) => sum + (reads[outcome] ?? 0) - (before[place]?.[outcome] ?? 0), 0);
  const note = `${gained("replica")} reads from the replica, ${gained("behind") + gained("away")} from the primary`;
  reportCounts("Replica: writes through one process, reads through the other", { ...counts, note });
  expect(counts).toEqual({ acknowledged: 6 * each, lost: 0, doubled: 0, unexpected: 0 });
  expect(gained("replica")).toBeGreaterThan(0);
});

test("a feed continues at its cursor, even if the replica has not replayed that transaction yet", async () => {
  const primary = await testApi(db);
  try {
    const { id: organisationId, ownerId } = await makeOrganisation(db);
    const { text: key } = await makeKey(db, organisationId, ownerId);
    await makeEvents(db, { organisationId }, { count: 2 });
    await untilItAnswers(first());
    const before = await first().reads();
    const came: Came = [];
    for (let round = 0; round < 20; round += 1) {
      await db.sql("select pg_current_xact_id()"); // assigns a transaction id without a write, so it waits for no disk
      const { position } = (await primary.call("GET", "/events", { key })).body;
      const page = await first().call("GET", `/events?after=${position}`, { key });
      came.push([
        [200, []],
        [page.status, page.body.data],
      ]);
    }
    expectAll("Replica: the event feed continues at its cursor", [...came, [before, await first().reads()]]);
  } finally {
    await primary.stop();
  }
});

test("the API records the use of a key, although a replica cannot write", async () => {
  await untilItAnswers(first());
  const { id, text } = await makeKey(db, organisation.id, organisation.ownerId);
  const lastUse = async () =>
    (await db.sql<{ at: Date | null }>("select last_used_at as at from app.api_key_uses where key_id = $1", [id]))[0]
      ?.at;
  const before = (await first().reads()).refused ?? 0;
  const use = async () => (await first().call("GET", "/me", { key: text })).status;
  const used = [await use(), await use()];
  expectAll("Replica: the use of a key is recorded", [
    [[200, 200], used],
    [true, Date.now() - Number(await lastUse()) < 60_000],
    [true, ((await first().reads()).refused ?? 0) > before],
  ]);
});

test.each(["SIGKILL", "SIGSTOP"] as const)(
  "after %s of the replica no call is refused or slow, and reads return to it once it is back",
  async (signal) => {
    await untilItAnswers(first());
    if (signal === "SIGKILL") await standby.process.kill();
    else standby.process.signal("SIGSTOP");
    const came: Came = [];
    for (let each = 0; each < 10; each += 1) {
      const began = performance.now();
      const { status } = await first().call("GET", "/bots", { key });
      came.push([
        [200, true],
        [status, performance.now() - began < withinMs],
      ]);
    }
    const { away = 0 } = await first().reads();
    if (signal === "SIGKILL") await standby.process.start();
    else standby.process.signal("SIGCONT");
    await untilItAnswers(first());
    expectAll(`Replica: ${signal}`, [...came, [true, away > 0]]);
  },
);

test("a read URL that leads to the primary does not count as a replica", async () => {
  const misled = await startProcess(db, db.adminUrl);
  const { status } = await misled.call("GET", "/bots", { key });
  const { behind = 0, ...others } = await misled.reads();
  await misled.stop();
  expectAll("Replica: the read URL is that of the primary", [
    [200, status],
    [true, behind > 0],
    [{ replica: 0, away: 0, refused: 0 }, others],
  ]);
});
