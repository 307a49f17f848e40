/** get_run with `wait`: waiting for a run to settle. (docs/specification/runs.md#waiting) */
import type { Pool } from "pg";
import { startApi } from "../../src/api/server.ts";
import { defaultWatching } from "../../src/api/streams/watching.ts";
import { readConfig } from "../../src/config.ts";
import { makeRegistry } from "../../src/metrics/registry.ts";
import { makeRateLimiter, specified } from "../../src/web/rate-limiter.ts";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import { callerOf, type Reply, type TestApi } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember, setLimits } from "../support/database.ts";
import { log } from "../support/logged.ts";
import { unhurried } from "../support/program.ts";
import { type Watched, watchedRun } from "../support/watched.ts";
import { eventually } from "../support/worker.ts";

const here = apiOfFile();
let pool: Pool;
beforeAll(() => {
  pool = here.db.poolAs("runner");
});

const wait = (
  who: Member,
  { id }: { id: string },
  seconds = 25,
  api: Pick<TestApi, "call"> = here.api,
): Promise<Reply> => api.call("GET", `/runs/${id}?wait=${seconds}`, { key: who.key.text });

/** Asserts that no answer has arrived after another request was answered. */
async function isHeld(answers: Promise<Reply>[]): Promise<void> {
  const other = here.api.call("GET", "/me");
  expect(await Promise.race([...answers, other])).toBe(await other);
}

/** Each moves the run to a settled state. */
const ends: Record<string, (run: Watched, ada: Member) => Promise<unknown>> = {
  completed: async ({ begin, executor }) => executor.finish(await begin()),
  failed: async ({ begin, executor }) => executor.fail(await begin()),
  waiting_approval: async ({ begin, executor }) => executor.ask(await begin()),
  blocked: async ({ begin, executor }) => executor.block(await begin(), "Which of the two?"),
  cancelled: ({ id }, ada) => ada.post(`/runs/${id}/cancel`),
  paused_limit: async ({ begin }, ada) => {
    await setLimits(here.db, ada.organisation.id, { monthlySpendMicroCents: 0 });
    await expect(begin()).rejects.toThrow("no run");
  },
};

test.each(Object.entries(ends))("get_run with `wait` returns when the run is %s", async (state, end) => {
  const ada = await here.owner();
  const run = await watchedRun(here, pool, ada);
  const waiting = wait(ada, run);
  await isHeld([waiting]);
  await end(run, ada);
  const answered = expectAnswer("get_run", await waiting);
  expect(answered.state).toBe(state);
  expect(answered).toEqual((await ada.get(`/runs/${run.id}`)).body);
  expect((await wait(ada, run)).body).toEqual(answered); // a later wait returns at once
});

test("get_run with `wait` does not return for a lease or a step, but after its seconds with the current state", async () => {
  const ada = await here.owner();
  const run = await watchedRun(here, pool, ada);
  const began = performance.now();
  const waiting = wait(ada, run, 2);
  const assignment = await run.begin();
  await run.executor.step(assignment);
  expect(expectAnswer("get_run", await waiting)).toMatchObject({ state: "running", steps: 1 });
  expect(performance.now() - began).toBeGreaterThanOrEqual(2_000);
  expect((await wait(ada, run, 0)).body).toMatchObject({ state: "running" });
});

test.each(["26", "-1", "1.5", "", "ten", "025", "1e1", "%2B5", "٣", "99999999999999999999"])(
  "get_run refuses wait=%s",
  async (seconds) => {
    const ada = await here.owner();
    const run = await watchedRun(here, pool, ada);
    expectRefusal(await ada.get(`/runs/${run.id}?wait=${seconds}`), "invalid_request", ["query.wait"]);
    expectRefusal(await ada.get(`/runs/${run.id}?wait=1&wait=1`), "invalid_request", ["query.wait"]);
  },
);

test("get_run with `wait` returns 404 for an unreadable run, and does not wait in a batch", async () => {
  const [ada, eve] = [await here.owner(), await here.owner()];
  const run = await watchedRun(here, pool, ada);
  expectRefusal(await wait(eve, run), "not_found");
  expectRefusal(await here.api.call("GET", `/runs/${run.id}?wait=25`), "unauthenticated");
  const { body } = await ada.post("/batch", { operations: [{ method: "GET", path: `/runs/${run.id}?wait=25` }] });
  expect(body.results).toMatchObject([{ status: 200, body: { id: run.id, state: "queued" } }]);
});

test("Sixty waits hold no connection, block no other request, and all return at the run's end", async () => {
  const ada = await here.owner();
  const run = await watchedRun(here, pool, ada);
  const waiting = Array.from({ length: 60 }, () => wait(ada, run));
  await isHeld(waiting);
  expectAnswer("list_runs", await ada.get("/runs"));
  expectAnswer("get_run", await ada.get(`/runs/${run.id}`));
  const busy = () =>
    here.db.sql(
      `select from pg_stat_activity
       where datname = current_database() and application_name like 'botstead api%' and state <> 'idle'`,
    );
  await eventually(async () => (await busy()).length === 0); // the answered calls have committed
  await ada.post(`/runs/${run.id}/cancel`);
  for (const answer of await Promise.all(waiting)) expect(answer.body).toMatchObject({ state: "cancelled" });
});

test("A waiting read counts once for the rate limit, however often it reads the run", async () => {
  const ada = await here.owner();
  const run = await watchedRun(here, pool, ada);
  const waiting = wait(ada, run);
  await isHeld([waiting]);
  const before = (await ada.get("/me")).headers.get("ratelimit");
  const assignment = await run.begin();
  for (let step = 0; step < 5; step += 1) await run.executor.step(assignment);
  await run.executor.finish(assignment);
  const answered = (await waiting).headers.get("ratelimit");
  const left = (header: string | null) => Number(/"key";r=(\d+)/.exec(header ?? "")?.[1]);
  expect(left(answered)).toBe(left(before));
});

test("A wait whose key is revoked is unauthenticated, and one whose run becomes unreadable is 404", async () => {
  const ada = await here.owner();
  const bob = await here.another(ada, "admin", await makeMember(here.db, ada.organisation.id, "admin"));
  const [first, second] = [await watchedRun(here, pool, ada), await watchedRun(here, pool, ada)];
  const waiting = [wait(bob, first), wait(ada, first, 1), wait(bob, second)] as const;
  await isHeld([...waiting]);
  const [{ bot_id: botId } = { bot_id: "" }] = await here.db.sql<{ bot_id: string }>(
    "select bot_id from app.runs where id = $1",
    [second.id],
  );
  await ada.patch(`/bots/${botId}`, { visibility: "personal" });
  await ada.post(`/runs/${second.id}/cancel`);
  expectRefusal(await waiting[2], "not_found");
  await ada.delete(`/keys/${bob.key.id}`);
  expectAnswer("get_run", await waiting[1]);
  await ada.post(`/runs/${first.id}/cancel`);
  expectRefusal(await waiting[0], "unauthenticated");
});

test("A key has a limited number of waits; a disconnect frees its slot, and a stopping process answers all", async () => {
  const ada = await here.owner();
  const slots = { perKey: 2, perProcess: 3, shareOfFree: 100 };
  const limiter = makeRateLimiter(Date.now, specified);
  const registry = makeRegistry("api");
  const config = readConfig({ PORT: "0", DATA_DIR: here.db.dataDir, ...unhurried });
  const { adminUrl, key } = here.db;
  const { url, stop } = await startApi(config, adminUrl, key, log, {
    rateLimiter: limiter,
    watching: { ...defaultWatching, slots },
    registry,
  });
  const api = { url, call: callerOf(url), stop: () => stop(0) };
  const used = async () => (await registry.getSingleMetric("botstead_open_requests")?.get())?.values[0]?.value;
  let stopping: Promise<void> | undefined;
  try {
    const [other, run] = [await here.another(ada), await watchedRun(here, pool, ada)];
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${ada.key.text}` };
    const left = fetch(`${api.url}/api/v1/runs/${run.id}?wait=25`, { headers, signal: leaving.signal });
    const isLeft = expect(left).rejects.toThrow();
    const stays = wait(ada, run, 25, api);
    // Else a third wait could take a slot before these two.
    await eventually(async () => (await used()) === 2);
    const full = async (who: Member) => (await wait(who, run, 1, api)).status === 429;
    expectRefusal(await wait(ada, run, 1, api), "rate_limited");
    expect((await wait(ada, run, 0, api)).status).toBe(200);
    const others = wait(other, run, 25, api); // the last slot of the process
    await eventually(async () => (await used()) === 3);
    expect(await full(other)).toBe(true);
    leaving.abort();
    await isLeft;
    await eventually(async () => !(await full(ada)));
    stopping = api.stop();
    await stopping;
    for (const answer of [stays, others]) expect((await answer).body).toMatchObject({ id: run.id, state: "queued" });
  } finally {
    await (stopping ?? api.stop());
  }
});

test("A run that ends while nothing listens is returned once the API listens again", async () => {
  const ada = await here.owner();
  const run = await watchedRun(here, pool, ada);
  const waiting = wait(ada, run);
  await isHeld([waiting]);
  const listening = "datname = current_database() and application_name = 'botstead api, listening'";
  // The transaction that ends the run first terminates the listener, so that no notification reaches it.
  await here.db.sql(`
    begin;
    select pg_terminate_backend(pid, 5000) from pg_stat_activity where ${listening};
    update app.runs set state = 'cancelled' where id = '${run.id}';
    commit`);
  expect(expectAnswer("get_run", await waiting).state).toBe("cancelled");
});
