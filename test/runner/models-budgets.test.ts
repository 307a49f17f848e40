/** Runs of models that reach a budget. */
import { setLimits } from "../support/database.ts";
import { withModelServer } from "../support/model-fixture.ts";
import { calls, says, saysNothing } from "../support/model-server.ts";
import { memoriesOfRun } from "../support/stored.ts";
import { eventually } from "../support/worker.ts";

const at = withModelServer();

const note = { scope: "bot", kind: "fact", subject: "The pier", value: "The pier is painted blue." };

describe("a budget ends a run", () => {
  test("of steps, if the model calls a tool forever", async () => {
    const bot = await at.bot([calls(["remember", note])]);
    const run = await bot.worked();
    expect(run).toMatchObject({ state: "failed", steps: 50, error: { code: "budget_steps" } });
    expect(bot.requests()).toHaveLength(25); // 50 together with recall and remember
    expect(await memoriesOfRun(at.office.db, run.id)).toHaveLength(1);
  });

  test.each([
    [50_000_000_000, "completed", null],
    [50_000_000_001, "failed", "budget_spend"],
  ])("of spending: at a price of %d for 4,000 tokens the run is %s", async (input, state, code) => {
    const bot = await at.bot([says("Dear.", { usage: [4000, 0] })], { input });
    const run = await bot.worked();
    expect(run).toMatchObject({ state, spendMicroCents: Math.ceil(input / 250) });
    expect(run.error?.code ?? null).toBe(code);
  });

  test("of time, if the response is late", async () => {
    const bot = await at.bot([saysNothing]);
    const executor = await bot.executor({ idleTimeoutMs: 60_000, turnTimeoutMs: 60_000 });
    const id = await bot.who.run();
    await eventually(async () => bot.requests().length === 1);
    await at.office.db.sql("update app.runs set working = interval '10 minutes' where id = $1", [id]);
    expect(await bot.until(id, "failed")).toMatchObject({ error: { code: "budget_time" } });
    await bot.requests()[0]?.closed;
    await executor.stop();
  });

  test("of the month, which pauses the run and keeps its cost", async () => {
    const bot = await at.bot([says("Dear.", { usage: [1000, 0] })]);
    await setLimits(at.office.db, bot.who.organisation.id, { monthlySpendMicroCents: 1 });
    expect(await bot.worked()).toMatchObject({ state: "paused_limit", spendMicroCents: 3000, steps: 2 });
  });
});
