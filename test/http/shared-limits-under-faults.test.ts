/** Shared rate limits while rows are locked, sessions are lost and a process is killed. */
import { expectRefusal } from "../support/answers.ts";
import type { Reply, TestApi } from "../support/api.ts";
import { ownApiOfFile } from "../support/callers.ts";
import { allLeft, left, sharedLimitsOf, statuses } from "../support/shared-limits.ts";
import { begun, lockWaits } from "../support/transactions.ts";
import { eventually } from "../support/worker.ts";

const here = ownApiOfFile();
const at = sharedLimitsOf(here);

test("While the counts of one organisation are locked, other organisations are served", async () => {
  const [ada, eve] = [await here.owner("read"), await here.owner("read")];
  for (const who of [ada, eve]) await at.me(who);
  const holder = await begun(here.db, "owner");
  await holder.query("select from app.request_counts where organisation_id = $1 for update", [ada.organisation.id]);
  const waits = at.me(ada);
  await eventually(async () => (await lockWaits(here.db)) === 1);
  const served = await Promise.all([eve, eve, eve].map((who) => at.me(who)));
  expect(allLeft(served, 0)).toEqual([298, 297, 296]);
  await eventually(async () => (await lockWaits(here.db)) === 1); // the other process still waits, now alone
  await holder.query("rollback");
  expect(left(await waits, 0)).toBe(298);
});

test("A process that is killed in the middle of its calls leaves counts that are exact for the others", async () => {
  const ada = await here.owner("read");
  const { program, call } = await at.startFar();
  const both = at.far;
  try {
    at.far = [call, both[1] as TestApi["call"]];
    const killed = at.crowd(340, (by) =>
      at.me(ada, by).catch(() => ({ status: 0, headers: new Headers(), body: {}, text: "" }) as unknown as Reply),
    );
    await eventually(async () => ((await at.counts(ada))[0]?.requests ?? 0) > 40);
    await program.kill();
    const served = statuses(await killed)[200] ?? 0;
    const [, ofKey] = (await at.counts(ada)) as [unknown, { requests: number }];
    expect(served).toBeLessThanOrEqual(ofKey.requests);
    expect(left(await at.me(ada), 0)).toBe(Math.max(299 - ofKey.requests, 0));
  } finally {
    at.far = both;
  }
});

test("While sessions of the API are lost, no request passes uncounted, and later ones succeed", async () => {
  const ada = await here.owner("read");
  const answers = at.crowd(280, (call) => at.me(ada, call));
  await eventually(async () => ((await at.counts(ada))[0]?.requests ?? 0) > 40);
  await here.db.sql(
    "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'server' and datname = current_database()",
  );
  const { 200: served = 0, ...others } = statuses(await answers);
  expect(Object.keys(others).filter((status) => status !== "503")).toEqual([]);
  const [, ofKey] = (await at.counts(ada)) as [unknown, { requests: number }];
  expect(served).toBeLessThanOrEqual(ofKey.requests);
  expect(ofKey.requests).toBeLessThanOrEqual(280);
  expect(left(await at.me(ada), 0)).toBe(299 - ofKey.requests);
});

test("A request that waits for a lock is counted and does not block other requests of the key", async () => {
  const ada = await here.owner();
  const { id } = (await at.near.call("POST", "/bots", { key: ada.key.text, body: { name: "Ada" } })).body;
  const holder = await here.db.poolAs("owner", 1).connect();
  try {
    await holder.query("begin");
    await holder.query("select from app.bots where id = $1 for update", [id]);
    const waits = at.near.call("PATCH", `/bots/${id}`, { key: ada.key.text, body: { name: "Guide" } });
    await eventually(async () => (await lockWaits(here.db)) === 1);
    expect(left(await at.me(ada, at.far[0]), 0)).toBe(297);
    expect(left(await at.near.call("POST", "/bots", { key: ada.key.text, body: { name: "Eve" } }), 0)).toBe(296);
    await holder.query("rollback");
    const answered = await waits;
    expect([answered.status, left(answered, 0)]).toEqual([200, 298]);
  } finally {
    holder.release();
  }
});

test("While the counts are locked, requests return 503 without effect, and succeed afterwards", async () => {
  const ada = await here.owner();
  const make = () => at.near.call("POST", "/bots", { key: ada.key.text, body: { name: "Ada" } });
  const holder = await here.db.poolAs("owner", 1).connect();
  try {
    await holder.query("begin; lock table app.request_counts in exclusive mode");
    const refused = await Promise.all([make(), at.me(ada)]);
    for (const answer of refused) expectRefusal(answer, "unavailable");
    await holder.query("rollback");
  } finally {
    holder.release();
  }
  expect(await at.counts(ada)).toEqual([]);
  expect((await at.near.call("GET", "/bots", { key: ada.key.text })).body.data).toEqual([]);
  expect(left(await make(), 0)).toBe(298);
});
