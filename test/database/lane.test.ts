/** How a lane's connections are shared among those on whose behalf statements are sent. */
import { Client } from "pg";
import { type Lane, openLane } from "../../src/database/lane.ts";
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
  const asked = Array.from({ length: 12 }, () => lane.ask(stuck, ["one"], "one"));
  await eventually(async () => (await standing()) === 7);
  expect(lane.counts.waitingCount).toBe(5);
  for (let each = 0; each < 20; each += 1) expect(await lane.ask(quick, ["other"], "other")).toBe("other");
  asked.push(...Array.from({ length: 5 }, () => lane.ask(stuck, ["other"], "other")));
  await eventually(async () => (await standing()) === 9);
  expect(await lane.ask(quick, ["nobody"])).toBe("nobody");
  await holder.end();
  expect(await Promise.all(asked)).toEqual([...Array(12).fill("one"), ...Array(5).fill("other")]);
  expect(lane.counts).toMatchObject({ idleCount: lane.counts.totalCount, waitingCount: 0 });
});

test("what waited too long for its share is told so when a statement ends, and those behind it go on", async () => {
  const failed: string[] = [];
  const asked = Array.from({ length: 9 }, () =>
    lane.ask(stuck, ["one"], "one").catch((error: Error) => void failed.push(error.message)),
  );
  await eventually(async () => (await standing()) === 7);
  await eventually(async () => {
    await lane.ask(quick, ["other"], "other"); // its end is when the lane looks
    return failed.length === 2;
  });
  expect(new Set(failed)).toEqual(new Set(["timeout exceeded when trying to connect"]));
  expect(await standing()).toBe(7);
  await holder.end();
  await Promise.all(asked);
});

describe("over a line that falls silent", () => {
  let line: Line;
  let far: Lane;
  beforeEach(async () => {
    const url = new URL(db.adminUrl);
    line = await lineTo(Number(url.port));
    url.port = String(line.port);
    far = openLane({ connectionString: url.href, query_timeout: 1_000 }, { connections: 1, each: 1 });
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

  test("its end is not waited for", async () => {
    const began = performance.now();
    await far.close();
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
