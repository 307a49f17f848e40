/**
 * Models: which are served, and what happens to bots of others. (docs/specification/models.md#served-models; docs/models.md)
 */
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import { type Member, ownApiOfFile } from "../support/callers.ts";
import { makeExecutor, noteModels } from "../support/database.ts";
import { priceModel } from "../support/model-fixture.ts";

const here = ownApiOfFile();
let pool: Pool;
let worker: Pool;

beforeAll(() => {
  pool = here.db.poolAs("runner", 2);
  worker = here.db.poolAs("worker", 2);
});
beforeEach(async () => {
  await here.db.sql("delete from app.executors");
  await here.db.sql("delete from app.models");
  await makeExecutor(here.db, ["recall"]);
});

const list = async (by: Member) => expectAnswer("list_models", await by.get("/models")).data;
const leaseRun = async (by: string) => (await pool.query("select runner.lease_run($1) as run", [by])).rows[0].run;
/** Runs the worker's maintenance step. Returns whether it failed any run. */
const failWithdrawn = async () =>
  (await worker.query("select jobs.fail_runs_of_withdrawn_models() as some")).rows[0].some;
const withdraw = (model: string) => here.db.sql("select operator.withdraw_model($1, 'A test')", [model]);
const leave = (id: string) => here.db.sql("select runner.deregister($1)", [id]);
/** Sets when the model was last served, while other executors were alive. */
const silent = (model: string, since: string) =>
  here.db.sql("update app.models set last_served_at = now() - $2::interval where name = $1", [model, since]);

/** An owner with a bot whose model is served, and its executor. */
async function withBot(): Promise<{ ada: Member; botId: string; model: string; server: string }> {
  const model = `m-${randomUUID()}`;
  const server = await makeExecutor(here.db, [model]);
  const ada = await here.owner();
  const { id } = expectAnswer("create_bot", await ada.post("/bots", { name: "Ada", model }));
  return { ada, botId: id, model, server };
}
const start = (ada: Member, botId: string) => ada.post("/runs", { botId, message: "Hi" });

test("list_models returns recall and served models by name, with whether an executor is alive", async () => {
  const ada = await here.owner("read");
  expect(await list(ada)).toEqual([{ id: "recall", available: true }]);
  const other = await makeExecutor(here.db, ["zebra", "apple"]);
  const [apple, builtIn, zebra] = ["apple", "recall", "zebra"].map((id) => ({ id, available: true }));
  expect(await list(ada)).toEqual([apple, builtIn, zebra]);
  await leave(other);
  expect(await list(ada)).toEqual([{ ...apple, available: false }, builtIn, { ...zebra, available: false }]);
});

test("list_models returns recall, unavailable, if no executor was ever alive", async () => {
  await here.db.sql("delete from app.executors");
  await here.db.sql("delete from app.models");
  expect(await list(await here.owner("read"))).toEqual([{ id: "recall", available: false }]);
});

test("create_bot and update_bot return 400 for a model that is not served, and write nothing", async () => {
  const { ada, botId, model } = await withBot();
  const before = expectAnswer("get_bot", await ada.get(`/bots/${botId}`));
  expectRefusal(await ada.post("/bots", { name: "B", model: "invented" }), "invalid_request", ["body.model"]);
  expectRefusal(await ada.patch(`/bots/${botId}`, { name: "B", model: "invented" }), "invalid_request", ["body.model"]);
  expect(expectAnswer("list_bots", await ada.get("/bots")).data).toEqual([before]);
  await silent(model, "25 hours");
  await here.db.sql("delete from app.executors where $1 = any (models)", [model]);
  expectRefusal(await ada.post("/bots", { name: "B", model }), "invalid_request", ["body.model"]);
  expectAnswer("update_bot", await ada.patch(`/bots/${botId}`, { name: "C", model }));
});

test("A withdrawn model is not served, although its executor is alive, until it is priced again", async () => {
  const { ada, botId, model } = await withBot();
  await priceModel(here.db, model);
  expect(await list(ada)).toContainEqual({ id: model, available: true });
  const queued = expectAnswer("start_run", await start(ada, botId));
  await withdraw(model);
  expect(await list(ada)).toEqual([{ id: "recall", available: true }]);
  expectRefusal(await ada.post("/bots", { name: "B", model }), "invalid_request", ["body.model"]);
  const late = expectAnswer("start_run", await start(ada, botId));
  expect([await failWithdrawn(), await failWithdrawn()]).toEqual([true, false]);
  for (const { id } of [queued, late]) {
    const run = expectAnswer("get_run", await ada.get(`/runs/${id}`));
    expect(run).toMatchObject({ state: "failed", error: { code: "refused" } });
  }
  await priceModel(here.db, model);
  expectAnswer("create_bot", await ada.post("/bots", { name: "B", model }));
});

test("lease_run fails a run of a withdrawn model instead of leasing it", async () => {
  const { ada, botId, model, server } = await withBot();
  await priceModel(here.db, model);
  const { id } = expectAnswer("start_run", await start(ada, botId));
  await withdraw(model);
  expect(await leaseRun(server)).toBeNull();
  expect(expectAnswer("get_run", await ada.get(`/runs/${id}`))).toMatchObject({
    state: "failed",
    error: { code: "refused" },
  });
});

test("Runs of a model unserved for a day fail in every conversation; other runs stay queued", async () => {
  const { ada, botId, model, server } = await withBot();
  const other = await withBot();
  const waiting = [await start(ada, botId), await start(ada, botId)].map(({ body }) => body.id as string);
  const { id: beside } = expectAnswer("start_run", await start(other.ada, other.botId));
  await leave(server);
  await silent(model, "23 hours");
  expect(await failWithdrawn()).toBe(false);
  expect(expectAnswer("get_run", await ada.get(`/runs/${waiting[0]}`)).state).toBe("queued");
  await silent(model, "25 hours");
  waiting.push(expectAnswer("start_run", await start(ada, botId)).id);
  expect([await failWithdrawn(), await failWithdrawn()]).toEqual([true, false]);
  for (const id of waiting) {
    expect(expectAnswer("get_run", await ada.get(`/runs/${id}`))).toMatchObject({
      state: "failed",
      error: { code: "refused" },
    });
  }
  expect(expectAnswer("get_run", await other.ada.get(`/runs/${beside}`)).state).toBe("queued");
});

test("A run survives the restart of its executor and is leased by the next one", async () => {
  const { ada, botId, model, server } = await withBot();
  const { id } = expectAnswer("start_run", await start(ada, botId));
  await leave(server);
  expect(await failWithdrawn()).toBe(false);
  expect(await list(ada)).toContainEqual({ id: model, available: false });
  expectRefusal(await start(ada, botId), "unavailable");
  expectAnswer("create_bot", await ada.post("/bots", { name: "B", model }));
  expect(await leaseRun(await makeExecutor(here.db, [model]))).toMatchObject({ runId: id, model });
});

test("start_run returns 503 for a withdrawn model if no executor is alive", async () => {
  const { ada, botId, model } = await withBot();
  await priceModel(here.db, model);
  await withdraw(model);
  await here.db.sql("update app.executors set last_seen_at = now() - interval '61 seconds'");
  expectRefusal(await start(ada, botId), "unavailable");
});

test("No model is withdrawn while no executor is alive; the next heartbeat shifts last_served_at by that time", async () => {
  const { ada, botId, model } = await withBot();
  const { id } = expectAnswer("start_run", await start(ada, botId));
  await silent("recall", "5 days");
  await silent(model, "5 days 2 hours");
  await here.db.sql("delete from app.executors");
  expect(await list(ada)).toEqual([model, "recall"].map((each) => ({ id: each, available: false })));
  await makeExecutor(here.db, ["recall"]);
  expect(await failWithdrawn()).toBe(false);
  expect(expectAnswer("get_run", await ada.get(`/runs/${id}`)).state).toBe("queued");
  const served = await here.db.sql(
    "select now() - last_served_at between interval '119 minutes' and interval '121 minutes' as kept from app.models where name = $1",
    [model],
  );
  expect(served).toEqual([{ kept: true }]);
});

test("start_run returns 503 for a model that was never served, and does not withdraw it", async () => {
  const { ada, botId } = await withBot();
  await here.db.sql("update app.bots set model = 'of long ago' where id = $1", [botId]);
  expectRefusal(await start(ada, botId), "unavailable");
});

test("heartbeat records a model at most once a minute, and keeps the 2,000 models served last", async () => {
  const [version] = await here.db.sql("select xmin from app.models where name = 'recall'");
  await makeExecutor(here.db, ["recall"]);
  expect(await here.db.sql("select xmin from app.models where name = 'recall'")).toEqual([version]);
  await silent("recall", "61 seconds");
  await makeExecutor(here.db, ["recall"]);
  const [fresh] = await here.db.sql("select last_served_at > now() - interval '1 minute' as fresh from app.models");
  expect(fresh).toEqual({ fresh: true });
  for (const batch of ["a", "b", "c"]) {
    await silent("recall", "30 seconds");
    await noteModels(here.db, ...Array.from({ length: 1000 }, (_, number) => `${batch}-${number}`));
  }
  expect(await here.db.sql("select count(*)::integer from app.models")).toEqual([{ count: 2000 }]);
  const models = await list(await here.owner("read"));
  expect(models).toContainEqual({ id: "recall", available: true });
  expect(models).toContainEqual({ id: "c-999", available: false });
});

test("Ten first heartbeats at once with the same models record all of them", async () => {
  const names = Array.from({ length: 200 }, (_, number) => `at-once-${number}`);
  const heartbeats = Array.from({ length: 10 }, (_, each) =>
    here.db.sql("select runner.heartbeat($1, 'test', $2)", [randomUUID(), each % 2 ? names : names.toReversed()]),
  );
  await Promise.all(heartbeats);
  expect(await here.db.sql("select count(*)::integer from app.models where name like 'at-once-%'")).toEqual([
    { count: 200 },
  ]);
});
