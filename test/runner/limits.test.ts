/** When a run is refused, when it waits, and what happens to it when its bot is deleted. */
import type { Pool } from "pg";
import { makeExecutor, setLimits } from "../support/database.ts";
import { leased, workplace } from "../support/hand-executor.ts";
import { customer, officeOfFile } from "../support/post-office.ts";

let pool: Pool;
const office = officeOfFile();
beforeAll(async () => {
  pool = office.db.poolAs("runner");
});

test("start_run returns unavailable and writes nothing if no live executor serves the bot's model", async () => {
  const model = "rare";
  const who = await customer(office, model);
  const start = () => who.ask("POST", "/runs", { botId: who.bot, message: "Hello" }, "mayFail");
  const refused = async () => {
    const reply = await start();
    expect([reply.status, reply.body.error?.code]).toEqual([503, "unavailable"]);
    const traces = await office.db.sql(
      `select id from app.runs where organisation_id = $1 union all
       select id from app.messages where organisation_id = $1 union all
       select id from app.conversations where organisation_id = $1`,
      [who.organisation.id],
    );
    expect(traces).toEqual([]);
  };
  await refused(); // no executor exists
  await makeExecutor(office.db, ["recall", "common"]);
  await refused(); // an executor exists, for other models
  const silent = await makeExecutor(office.db, [model]);
  await office.db.sql("update app.executors set last_seen_at = now() - interval '61 seconds' where id = $1", [silent]);
  await refused(); // an executor existed
  await office.db.sql("update app.executors set last_seen_at = now() - interval '50 seconds' where id = $1", [silent]);
  expect((await start()).status).toBe(202);
});

describe("the spending limit of a month", () => {
  const limit = (organisation: string, microCents: number | null) =>
    setLimits(office.db, organisation, { monthlySpendMicroCents: microCents });

  /** Moves spending to the previous month, and ends the pauses of that month. */
  const turnOfMonth = (organisation: string) =>
    office.db.sql(
      `with spent as (
         update app.monthly_usage set month = month - interval '1 month' where organisation_id = $1
       )
       update app.runs set paused_until = now() where organisation_id = $1 and state = 'paused_limit'`,
      [organisation],
    );

  /** An organisation that has reached its monthly limit, and a run started after that. */
  async function exhausted() {
    const at = await workplace(office, pool);
    const organisation = at.who.organisation.id;
    await limit(organisation, 1_000);
    await at.who.run();
    const first = await leased(at.executor);
    await at.executor.step(first, 1_000);
    await at.executor.finish(first);
    const id = await at.who.run();
    const state = async () => (await at.who.ask("GET", `/runs/${id}`)).body.state as string;
    return { ...at, organisation, id, state };
  }

  test("pauses queued runs once it is reached", async () => {
    const at = await exhausted();
    expect(await at.state()).toBe("queued");
    expect(await at.executor.lease()).toBeNull();
    expect(await at.state()).toBe("paused_limit");
    expect(await at.executor.lease()).toBeNull(); // and it stays paused
    expect(await at.state()).toBe("paused_limit");
  });

  test("does not pause below it", async () => {
    const at = await exhausted();
    await limit(at.organisation, 1_001);
    expect((await leased(at.executor)).runId).toBe(at.id);
  });

  test("lets runs continue in the next month", async () => {
    const at = await exhausted();
    await at.executor.lease();
    await turnOfMonth(at.organisation);
    const run = await leased(at.executor);
    expect(run.runId).toBe(at.id);
    expect(await at.executor.finish(run)).toBe("completed");
  });

  test.each([
    ["raised", 2_000],
    ["lifted", null],
  ])("lets runs continue when it is %s", async (_how, to) => {
    const at = await exhausted();
    await at.executor.lease();
    await limit(at.organisation, to);
    expect((await leased(at.executor)).runId).toBe(at.id);
  });

  test("reached again in the next month pauses the same runs again", async () => {
    const at = await exhausted();
    await at.executor.lease();
    await office.db.sql("update app.runs set paused_until = now() where id = $1", [at.id]);
    expect(await at.executor.lease()).toBeNull();
    const [run] = await office.db.sql(
      `select state, paused_until = (date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC'
         as "untilNext" from app.runs where id = $1`,
      [at.id],
    );
    expect(run).toEqual({ state: "paused_limit", untilNext: true });
  });

  test("lets runs continue at once when it is raised", async () => {
    const at = await exhausted();
    await at.executor.lease();
    await limit(at.organisation, 1_000); // unchanged
    expect(await at.state()).toBe("paused_limit");
    await limit(at.organisation, 1_001);
    expect(await at.state()).toBe("queued");
  });

  /** A running run of an organisation with this limit, and another run behind it. */
  async function working(microCents: number) {
    const at = await workplace(office, pool);
    await limit(at.who.organisation.id, microCents);
    const [id, behind] = [await at.who.run(), await at.who.run()];
    const row = async (of = id) => (await at.who.ask("GET", `/runs/${of}`)).body;
    return { ...at, organisation: at.who.organisation.id, id, behind, row, run: await leased(at.executor) };
  }

  test("can be reached by a running run, which continues without cost and completes", async () => {
    const at = await working(1_000);
    expect(await at.executor.step(at.run, 999)).toBe("running");
    expect(await at.executor.step(at.run, 1)).toBe("running");
    expect(await at.executor.step(at.run, 0)).toBe("running");
    expect(await at.executor.finish(at.run)).toBe("completed");
    expect(await at.executor.lease()).toBeNull();
    expect((await at.row(at.behind)).state).toBe("paused_limit");
  });

  test("exceeded by a step pauses the run, which keeps its steps and continues in the next month", async () => {
    const at = await working(1_000);
    expect(await at.executor.step(at.run, 1_000)).toBe("running");
    expect(await at.executor.step(at.run, 1)).toBe("paused_limit");
    await expect(at.executor.step(at.run)).rejects.toMatchObject({ code: "OA002" });
    await expect(at.executor.finish(at.run)).rejects.toMatchObject({ code: "OA002" });
    expect(await at.row()).toMatchObject({ state: "paused_limit", steps: 2, spendMicroCents: 1_001, error: null });
    expect(await at.executor.lease()).toBeNull(); // the run behind it does not start either
    expect((await at.row(at.behind)).state).toBe("paused_limit");

    await turnOfMonth(at.organisation);
    const again = await leased(at.executor); // without a trigger, and before the run behind it
    expect(again).toMatchObject({ runId: at.id, steps: 2, left: { steps: 48, spendMicroCents: 199_998_999 } });
    expect(await at.executor.step(again, 5)).toBe("running");
    await at.executor.finish(again);
    expect(await at.row()).toMatchObject({ state: "completed", steps: 3, spendMicroCents: 1_006 });
    expect((await leased(at.executor)).runId).toBe(at.behind);
  });

  test("exceeded together with the run's own budget fails the run", async () => {
    const at = await working(200_000_000);
    expect(await at.executor.step(at.run, 200_000_001)).toBe("failed");
    expect(await at.row()).toMatchObject({ state: "failed", error: { code: "budget_spend" } });
  });

  test("exceeded by two concurrent runs pauses the later one", async () => {
    const at = await working(1_000);
    const bot = (await at.who.ask("POST", "/bots", { name: "Second", model: at.model })).body.id;
    const beside = (await at.who.ask("POST", "/runs", { botId: bot, message: "Hello" })).body.id;
    const other = await leased(at.executor);
    expect(other.runId).toBe(beside);
    const states = await Promise.all([at.executor.step(at.run, 600), at.executor.step(other, 600)]);
    expect(states.sort()).toEqual(["paused_limit", "running"]);
  });

  test("of one organisation does not affect another", async () => {
    const at = await exhausted();
    const other = await workplace(office, pool);
    const id = await other.who.run();
    await at.executor.lease();
    expect(await at.state()).toBe("paused_limit");
    expect((await leased(other.executor)).runId).toBe(id);
  });

  test("allows the cancellation of a paused run", async () => {
    const at = await exhausted();
    await at.executor.lease();
    expect((await at.who.ask("POST", `/runs/${at.id}/cancel`)).body.state).toBe("cancelled");
  });
});

test("delete_bot cancels its open runs with events and deletes its memories", async () => {
  const at = await workplace(office, pool);
  const hook = office.hook();
  const endpoint = await at.who.subscribe(hook);
  const [done, working, queued] = [await at.who.run(), await at.who.run(), await at.who.run()];
  const first = await leased(at.executor);
  await at.executor.finish(first);
  const lease = await leased(at.executor);
  expect([first.runId, lease.runId]).toEqual([done, working]);
  const remember = (scope: object) =>
    at.who.ask("POST", "/memories", { kind: "fact", subject: "S", value: "V", ...scope }).then(({ body }) => body.id);
  const own = await remember({ scope: "bot", botId: at.who.bot });
  const common = await remember({ scope: "organisation" });

  expect((await at.who.ask("DELETE", `/bots/${at.who.bot}`)).body).toEqual({ id: at.who.bot, deleted: true });

  const runs = await office.db.sql("select id, state from app.runs where bot_id = $1 order by id", [at.who.bot]);
  expect(runs).toEqual([
    { id: done, state: "completed" },
    { id: working, state: "cancelled" },
    { id: queued, state: "cancelled" },
  ]);
  const announced = await office.db.sql<{ run: string; state: string }>(
    `select event.data ->> 'runId' as run, event.data ->> 'state' as state
     from app.deliveries delivery join app.events event on event.id = delivery.event_id
     where delivery.endpoint_id = $1 order by event.data ->> 'runId'`,
    [endpoint.id],
  );
  expect(announced).toEqual([
    { run: done, state: "completed" },
    { run: working, state: "cancelled" },
    { run: queued, state: "cancelled" },
  ]);
  await expect(at.executor.finish(lease)).rejects.toMatchObject({ code: "OA002" });
  const memories = await office.db.sql("select id from app.memories where id = any ($1)", [[own, common]]);
  expect(memories).toEqual([{ id: common }]);
  const reply = await at.who.ask("POST", "/runs", { botId: at.who.bot, message: "Still there?" }, "mayFail");
  expect([reply.status, reply.body.error.code]).toEqual([404, "not_found"]);
});
