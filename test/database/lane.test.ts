/** How a lane's connections are shared among those on whose behalf statements are sent. */
import { Client } from "pg";
import { type Lane, openLane } from "../../src/database/lane.ts";
import { isOutage } from "../../src/database/outage.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { type Line, lineTo } from "../support/line.ts";
import { eventually } from "../support/worker.ts";

let db: TestDatabase;
let holder: Client;
let lane: Lane;

beforeAll(async () => {
  db = await testDatabase();
});
beforeEach(async () => {
  holder = new Client({ connectionString: db.adminUrl });
  await holder.connect();
  await holder.query("select pg_advisory_lock(1)");
  lane = openLane({ connectionString: db.adminUrl, query_timeout: 3_200 }, { connections: 10, each: 1 });
});
afterEach(async () => {
  await holder.end();
  await lane.close();
});
afterAll(() => db.drop());

/** Stands still for as long as the holder is there; its value names on whose behalf. */
const stuck = { name: "stuck", text: "select $1::text from (select pg_advisory_xact_lock_shared(1)) waited" };
const quick = { name: "quick", text: "select $1::text" };

async function standing(): Promise<number> {
  const rows = await db.sql(
    `select from pg_locks
     where locktype = 'advisory' and not granted
       and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows.length;
}

test("one owner takes seven of ten, whoever comes then has room, and one without an owner takes what is left", async () => {
  const asked = Array.from({ length: 12 }, () => lane.ask(stuck, ["one"], { owner: "one" }));
  await eventually(async () => (await standing()) === 7);
  expect(lane.counts.waitingCount).toBe(5);
  for (let each = 0; each < 20; each += 1) expect(await lane.ask(quick, ["other"], { owner: "other" })).toBe("other");
  asked.push(...Array.from({ length: 5 }, () => lane.ask(stuck, ["other"], { owner: "other" })));
  await eventually(async () => (await standing()) === 9);
  expect(await lane.ask(quick, ["nobody"])).toBe("nobody");
  await holder.end();
  expect(await Promise.all(asked)).toEqual([...Array(12).fill("one"), ...Array(5).fill("other")]);
  expect(lane.counts).toMatchObject({ idleCount: lane.counts.totalCount, waitingCount: 0 });
});

test("what waited too long for its share is told so when a statement ends, and those behind it go on", async () => {
  const failed: string[] = [];
  const asked = Array.from({ length: 9 }, () =>
    lane.ask(stuck, ["one"], { owner: "one" }).catch((error: Error) => void failed.push(error.message)),
  );
  await eventually(async () => (await standing()) === 7);
  await eventually(async () => {
    await lane.ask(quick, ["other"], { owner: "other" }); // its end is when the lane looks
    return failed.length === 2;
  });
  expect(new Set(failed)).toEqual(new Set(["timeout exceeded when trying to connect"]));
  expect(await standing()).toBe(7);
  await holder.end();
  await Promise.all(asked);
});

test("who is sent behind the first of a statement that can't be had now is told the same kind: to ask again", async () => {
  const shared = openLane({ connectionString: db.adminUrl }, { connections: 1, each: Number.POSITIVE_INFINITY });
  await shared.ask(quick, ["connected"]);
  const missing = { name: "missing", text: "select public.not_there_yet($1)" };
  const told = await Promise.all(
    [1, 2, 3].map(() => shared.ask(missing, ["x"]).catch((error: Error & { code?: string }) => error)),
  );
  expect(told.map((error) => (error as { code?: string }).code)).toEqual(["42883", "26000", "26000"]);
  expect(told.map(isOutage)).toEqual([true, true, true]);
  await db.sql("create function public.not_there_yet(text) returns text language sql as 'select $1'");
  expect(await shared.ask(missing, ["there"])).toBe("there");
  await shared.close();
});

/** Sessions of a lane that are open. */
async function theirs(): Promise<number> {
  const rows = await db.sql(
    "select from pg_stat_activity where datname = current_database() and application_name = 'far'",
  );
  return rows.length;
}

describe("over a line that falls silent", () => {
  let line: Line;
  let far: Lane;
  beforeEach(async () => {
    const url = new URL(db.adminUrl);
    line = await lineTo(Number(url.port));
    url.port = String(line.port);
    far = openLane(
      { connectionString: url.href, application_name: "far", query_timeout: 1_000 },
      { connections: 1, each: 1 },
    );
    expect(await far.ask(quick, ["before"])).toBe("before");
    line.silence(true);
  });
  afterEach(async () => {
    await far.close();
    await line.close();
  });

  test("who waited behind what was never answered is answered over a new connection", async () => {
    const lost = far.ask(quick, ["lost"]).catch((error: Error) => error.message);
    const behind = far.ask(quick, ["behind"]);
    expect(await lost).toBe("Query read timeout");
    expect(await behind).toBe("behind");
  });

  test("what nobody waits for any longer is not sent, and what was sent and not heard by then is taken back", async () => {
    await db.sql("create table public.heard (what text)");
    const write = { name: "write", text: "insert into public.heard values ($1) returning what" };
    const began = performance.now();
    const told = (what: string, until: number) =>
      far.ask(write, [what], { until }).catch((error: Error) => `${error.message}: ${performance.now() - began < 900}`);
    // Of the second that a statement has here, the caller of this one has half.
    const unheard = told("unheard", began + 500);
    const unsent = [told("behind it", began + 200), told("too late", began - 1)];
    expect(await unheard).toBe("Query read timeout: true");
    const notSent = "timeout exceeded when trying to connect: true";
    expect(await Promise.all(unsent)).toEqual([notSent, notSent]);
    expect(await far.ask(write, ["in time"], { until: performance.now() + 1_000 })).toBe("in time");
    line.silence(false);
    await eventually(async () => (await theirs()) === 1);
    expect(await db.sql("select what from public.heard")).toEqual([{ what: "in time" }]);
  });

  test("what nobody waits for any longer once there is a connection is not sent by it", async () => {
    const { hostname, port, username, password, pathname } = new URL(db.adminUrl);
    const settings = { host: hostname, port: Number(port), user: username, database: pathname.slice(1) };
    const slow = async () => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return decodeURIComponent(password);
    };
    const lane = openLane({ ...settings, password: slow }, { connections: 1, each: 1 });
    await db.sql("create sequence public.sent");
    const next = { name: "next", text: "select nextval('public.sent')::text" };
    await expect(lane.ask(next, [], { until: performance.now() + 100 })).rejects.toThrow("timeout exceeded");
    expect(await lane.ask(next, [], { until: performance.now() + 5_000 })).toBe("1");
    await lane.close();
  });

  test("its end is not waited for", async () => {
    const began = performance.now();
    await far.close();
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
