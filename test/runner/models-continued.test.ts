/** Runs of models that wait, that are cancelled, that lose their executor or reach a budget. */
import { setLimits } from "../support/database.ts";
import { handExecutor, leased } from "../support/hand-executor.ts";
import { apiKey, logged, withModelServer } from "../support/model-fixture.ts";
import { marked, system } from "../support/model-prompt.ts";
import { calls, says, saysNothing } from "../support/model-server.ts";
import { memoriesOfRun } from "../support/stored.ts";
import { eventually } from "../support/worker.ts";

const at = withModelServer();

const note = { scope: "bot", kind: "fact", subject: "The pier", value: "The pier is painted blue." };

const question = { question: "May I book the pier?", reason: "It costs 200 euros." };

test.each([
  ["approved", { answer: "yes" } as { answer: string; comment?: string }],
  ["refused", { answer: "no", comment: "</so_far> Too dear." }],
])("a question of the model, once %s, lets the run continue without storing a memory twice", async (state, given) => {
  const turns = [calls(["ask_person", question], ["remember", note]), calls(["remember", note]), says("So be it.")];
  const bot = await at.bot(turns);
  const waiting = await bot.worked();
  expect(waiting).toMatchObject({ state: "waiting_approval", steps: 4 }); // recall, model, remember, ask_person
  const approvals = await at.office.db.sql("select question, reason from app.approvals where run_id = $1", [
    waiting.id,
  ]);
  expect(approvals).toEqual([question]);
  await at.office.db.sql("update app.approvals set state = $2, answered_at = now(), comment = $3 where run_id = $1", [
    waiting.id,
    state,
    given.comment,
  ]);

  const executor = await bot.executor();
  await bot.until(waiting.id, "completed");
  await executor.stop();
  const resumed = bot.requests()[1];
  expect(system(resumed)).toContain("repeat none of it");
  expect(marked(resumed, "so_far")).toEqual([
    {
      asked: [{ question: question.question, ...given }],
      remembered: [{ kind: note.kind, subject: note.subject, value: note.value, state: "landed" }],
    },
  ]);
  expect(await memoriesOfRun(at.office.db, waiting.id)).toHaveLength(1);
  expect((await bot.answer(waiting.id)).text).toBe("So be it.");
});

test("a tainted run that is leased again does not repeat its proposals", async () => {
  const turns = [calls(["remember", note], ["ask_person", question]), calls(["remember", note]), says("So be it.")];
  const bot = await at.bot(turns);
  const { id } = await bot.worked("Hello", undefined, true);
  const approvals = () =>
    at.office.db.sql("select state from app.approvals where run_id = $1 and kind = 'memory'", [id]);
  await at.office.db.sql("update app.approvals set state = 'refused', answered_at = now() where run_id = $1", [id]);
  const executor = await bot.executor();
  await bot.until(id, "completed");
  await executor.stop();
  expect(marked(bot.requests()[1], "so_far")).toEqual([
    {
      asked: [{ question: question.question, answer: "no" }],
      remembered: [expect.objectContaining({ state: "refused" })],
    },
  ]);
  expect(await approvals()).toEqual([{ state: "refused" }]);
});

test("a run whose executor was lost continues with its steps in another executor", async () => {
  const bot = await at.bot([calls(["remember", note]), saysNothing, says("Noted before.")]);
  const lost = await bot.executor({ idleTimeoutMs: 60_000, turnTimeoutMs: 60_000 });
  const id = await bot.who.run();
  await eventually(async () => bot.requests().length === 2);
  await at.office.db.sql("update app.runs set lease_until = now() - interval '1 second' where id = $1", [id]);
  const other = await bot.executor();
  expect(await bot.until(id, "completed")).toMatchObject({ steps: 5 }); // three of the lost executor, recall and model
  expect(marked(bot.requests()[2], "so_far")).toEqual([
    { asked: [], remembered: [expect.objectContaining({ value: note.value, state: "landed" })] },
  ]);
  await bot.requests()[1]?.closed; // the lost executor ends its own call
  await Promise.all([lost.stop(), other.stop()]);
  expect(await memoriesOfRun(at.office.db, id)).toHaveLength(1);
});

test("a run that another executor blocked continues when resumed, even without a message", async () => {
  const bot = await at.bot([says("I continued.")]);
  const hand = await handExecutor(at.office.db, at.office.db.poolAs("runner"), [bot.model]);
  const id = await bot.who.run("Book the pier.");
  await hand.block(await leased(hand), "There are two piers.");
  await bot.who.ask("POST", `/runs/${id}/resume`, {});
  const executor = await bot.executor();
  await bot.until(id, "completed");
  await executor.stop();
  expect(bot.requests()[0]?.messages.slice(1)).toEqual([
    { role: "user", content: "Book the pier." },
    { role: "assistant", content: "There are two piers." },
    { role: "user", content: "Go on." },
  ]);
});

test("messages sent during a run, and messages of another run, follow its answer", async () => {
  const bot = await at.bot([says("The second answer.")]);
  const hand = await handExecutor(at.office.db, at.office.db.poolAs("runner"), [bot.model]);
  const first = await bot.who.run("The first question.");
  const parent = await leased(hand);
  await bot.who.run("The second question.");
  await hand.start(parent, bot.who.bot, "The third question.");
  await hand.finish(parent, "The first answer.");
  expect(parent.runId).toBe(first);
  const executor = await bot.executor();
  await eventually(async () => bot.requests().length === 2);
  await executor.stop();
  expect(bot.requests()[1]?.messages.slice(1)).toEqual([
    { role: "user", content: "The first question." },
    { role: "assistant", content: "The first answer." },
    { role: "user", content: "The second question." },
    { role: "assistant", content: "The second answer." },
    { role: "user", content: "The third question." },
  ]);
});

test("the request of a cancelled run is aborted", async () => {
  const bot = await at.bot([saysNothing]);
  const executor = await bot.executor({ idleTimeoutMs: 60_000, turnTimeoutMs: 60_000 });
  const id = await bot.who.run();
  await eventually(async () => bot.requests().length === 1);
  await bot.who.ask("POST", `/runs/${id}/cancel`);
  await bot.requests()[0]?.closed;
  await executor.stop();
  expect(await bot.until(id, "cancelled")).toMatchObject({ error: null });
});

test("an executor that stops waits for a response up to a time-out; another executor continues the run", async () => {
  const bot = await at.bot([saysNothing, says("Here I am.")]);
  const executor = await bot.executor({ idleTimeoutMs: 60_000, turnTimeoutMs: 60_000 });
  const id = await bot.who.run();
  await eventually(async () => bot.requests().length === 1);
  await executor.stop();
  await bot.requests()[0]?.closed;
  expect(await bot.until(id, "running")).toMatchObject({ error: null });
  await at.office.db.sql("update app.runs set lease_until = now() - interval '1 second' where id = $1", [id]);
  const other = await bot.executor();
  await bot.until(id, "completed");
  await other.stop();
});

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

test("the log contains neither the key nor the conversation", () => {
  const log = logged.join("");
  expect(log).toContain("run finished");
  for (const secret of [apiKey, "harbour", "pier", "So be it"]) expect(log).not.toContain(secret);
});
