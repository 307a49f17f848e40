/** Credentials that the process does not know, in front of two cells: the rate limit of their address comes before any look-up. */
import { setTimeout as sleep } from "node:timers/promises";
import { digestOf, makeCredential } from "../../src/secrets/credentials.ts";
import { makeRateLimiter, specified } from "../../src/web/rate-limiter.ts";
import type { TestApi } from "../support/api.ts";
import { makeKey, makeOrganisation, setLimits } from "../support/database.ts";
import { type DirectedCells, directedCells, keyIn } from "../support/directory.ts";

/** A minute that does not end. */
const limiter = makeRateLimiter(() => 0);
let cells: DirectedCells;
let api: TestApi;

beforeAll(async () => {
  cells = await directedCells();
  api = await cells.api("one", { TRUSTED_PROXIES: "127.0.0.1" }, limiter);
});
afterAll(async () => {
  await api?.stop();
  await cells?.end();
});

const from = (address: string) => ({ "x-forwarded-for": address });

/** Transactions of the directory and both cells since they started. Idle sessions report theirs within 10 s. */
async function transactions(): Promise<number> {
  const counted =
    "select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()";
  const counts = async () => {
    const found = [
      await cells.directory.rows<{ count: string }>(counted),
      await cells.source.sql<{ count: string }>(counted),
      await cells.target.sql<{ count: string }>(counted),
    ];
    return found.reduce((sum, [row]) => sum + Number(row?.count), 0);
  };
  await sleep(11_000); // what a session did in its last second is reported 10 s later
  return counts();
}

const platformPath = "/platform/organisations/01a22507-6fb8-7f8b-8a47-ec066fb7e924";

type Count = Record<number, number>;

async function flood(count: number, path: string, kind: "bsk" | "bsp", address: string): Promise<Count> {
  const statuses: Count = {};
  const one = async () => {
    const { status } = await api.call("GET", path, { key: makeCredential(kind).text, headers: from(address) });
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  await Promise.all(Array.from({ length: count }, one));
  return statuses;
}

test("a flood of unknown keys from one address is looked up at most as often as its limit allows", async () => {
  const inTwo = await keyIn(cells.target);
  const address = "192.0.2.1";
  expect((await api.call("GET", "/me", { key: inTwo, headers: from(address) })).status).toBe(200);
  const before = await transactions();
  // A call may also find no connection on a busy machine, and then it is not counted.
  let refused = 0;
  while (refused < specified.address) refused += (await flood(400, "/me", "bsk", address))[401] ?? 0;
  expect(refused).toBe(specified.address);
  expect(await flood(400, "/me", "bsk", address)).toEqual({ 429: 400 });
  expect(await flood(400, platformPath, "bsp", address)).toEqual({ 429: 400 });
  const during = (await transactions()) - before; // 2,505 for 800 requests when look-ups came first
  expect(during).toBeGreaterThan(specified.address);
  expect(during).toBeLessThan(specified.address * 6);

  // A known key is accepted, an unknown one is not, and other addresses are as before.
  const another = await keyIn(cells.target);
  expect((await api.call("GET", "/me", { key: inTwo, headers: from(address) })).status).toBe(200);
  expect((await api.call("GET", "/me", { key: another, headers: from(address) })).status).toBe(429);
  expect((await api.call("GET", "/me", { key: another, headers: from("192.0.2.2") })).status).toBe(200);
  expect((await api.call("GET", "/me", { key: another, headers: from(address) })).status).toBe(200);
});

test("more new keys than the limit of their address are all accepted at once", async () => {
  const organisation = await makeOrganisation(cells.target);
  await setLimits(cells.target, organisation.id, { liveKeys: 1_000 });
  const keys = [];
  for (let each = 0; each < 100; each += 1) {
    keys.push((await makeKey(cells.target, organisation.id, organisation.ownerId)).text);
  }
  const replies = await Promise.all(keys.map((key) => api.call("GET", "/me", { key, headers: from("192.0.2.4") })));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
});

test("a revoked key is recorded in the database of its cell, and unknown keys in the database of the process, also by the limit of their address", async () => {
  const own = await cells.api(
    "one",
    { TRUSTED_PROXIES: "127.0.0.1" },
    makeRateLimiter(() => 0),
  );
  const revoked = await keyIn(cells.target);
  await cells.target.sql("update app.api_keys set revoked_at = now() where digest = $1", [digestOf(revoked)]);
  const address = "192.0.2.5";
  const headers = from(address);
  expect((await own.call("GET", "/me", { key: revoked, headers })).status).toBe(401);
  const statuses: Count = {};
  while ((statuses[429] ?? 0) < 4) {
    const { status } = await own.call("GET", "/me", { key: makeCredential("bsk").text, headers });
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  await own.stop(); // stopping stores the counts
  const recorded = (cell: typeof cells.source) =>
    cell.sql<{ reason: string; requests: number }>(
      `select reason, sum(requests)::integer as requests from app.refused_credentials
       where address = $1 group by 1 order by 1`,
      [address],
    );
  expect(await recorded(cells.target)).toEqual([{ reason: "revoked", requests: 1 }]);
  const inOwn = await recorded(cells.source);
  const total = inOwn.reduce((sum, { requests }) => sum + requests, 0);
  expect(total).toBe((statuses[401] ?? 0) + (statuses[429] ?? 0));
  expect(["not looked up", "unknown"]).toEqual(expect.arrayContaining(inOwn.map(({ reason }) => reason)));
});
