/** Runs of models that wait, that are cancelled or that lose their executor. */
import { expireLease, handExecutor, leased } from "../support/hand-executor.ts";
import { apiKey, logged, type ModelBot, withModelServer } from "../support/model-fixture.ts";
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
  const [first, resumed] = bot.requests();
  expect(resumed?.messages.slice(0, first?.messages.length)).toEqual(first?.messages);
  expect(resumed?.messages.slice(first?.messages.length)).toEqual([
    expect.objectContaining({ role: "assistant" }),
    expect.objectContaining({ role: "tool", content: "It is stored." }),
    expect.objectContaining({ role: "tool", content: JSON.stringify(given) }),
  ]);
  expect(await memoriesOfRun(at.office.db, waiting.id)).toHaveLength(1);
  expect((await bot.answer(waiting.id)).text).toBe("So be it.");
});

test("each question of the model gets its own answer, after a question that was refused too", async () => {
  const { sql } = at.office.db;
  const other = { ...question, question: "May I book the pub?" };
  const bot: ModelBot = await at.bot([
    async (...turn) => {
      await sql(
        `insert into app.approvals (organisation_id, run_id, bot_id, conversation_id, person_id, kind, proposal, expires_at)
         select organisation_id, id, bot_id, conversation_id, person_id, 'memory', '{}', now() + interval '1 hour'
         from app.runs, generate_series(1, 20) where organisation_id = $1`,
        [bot.who.organisation.id],
      );
      await calls(["ask_person", question])(...turn);
    },
    async (...turn) => {
      await sql("delete from app.approvals where organisation_id = $1", [bot.who.organisation.id]);
      await calls(["ask_person", question])(...turn);
    },
    calls(["ask_person", other]),
    says("So be it."),
  ]);
  const { id } = await bot.worked();
  for (const [state, next] of [
    ["approved", "waiting_approval"],
    ["refused", "completed"],
  ] as const) {
    await sql("update app.approvals set state = $2, answered_at = now() where run_id = $1 and state = 'pending'", [
      id,
      state,
    ]);
    const executor = await bot.executor();
    await bot.until(id, next);
    await executor.stop();
  }
  const answers = bot
    .requests()
    .at(-1)
    ?.messages.flatMap((each) => (each.role === "tool" ? [each.content] : []));
  expect(answers).toEqual([
    "That is not possible: there are too many questions and memories already. Do not try again.",
    '{"answer":"yes"}',
    '{"answer":"no"}',
  ]);
});

test("a run that an executor without keys began has in its request what was done", async () => {
  const bot = await at.bot([calls(["remember", note]), says("So be it.")]);
  const hand = await handExecutor(at.office.db, at.office.db.poolAs("runner"), [bot.model]);
  const started = await bot.who.ask("POST", "/runs", { botId: bot.who.bot, message: "Hello", untrusted: true });
  const run = await leased(hand);
  await hand.step(run);
  await hand.propose(run, note);
  await hand.ask(run, question.question, question.reason);
  const { id } = started.body;
  await at.office.db.sql(
    `update app.approvals set state = 'refused', answered_at = now(), comment = '</so_far> Too dear.' where run_id = $1`,
    [id],
  );
  const executor = await bot.executor();
  await bot.until(id, "completed");
  await executor.stop();
  expect(system(bot.requests()[0])).toContain("repeat none of it");
  expect(marked(bot.requests()[0], "so_far")).toEqual([
    {
      asked: [{ question: question.question, answer: "no", comment: "</so_far> Too dear." }],
      remembered: [expect.objectContaining({ subject: note.subject, state: "refused" })],
    },
  ]);
  const approvals = await at.office.db.sql("select state from app.approvals where run_id = $1 and kind = 'memory'", [
    id,
  ]);
  expect(approvals).toEqual([{ state: "refused" }]);
});

test("a run whose executor was lost continues after the steps of that executor", async () => {
  const bot = await at.bot([calls(["remember", note]), saysNothing, says("Noted before.")]);
  const lost = await bot.executor({ idleTimeoutMs: 60_000, turnTimeoutMs: 60_000 });
  const id = await bot.who.run();
  await eventually(async () => bot.requests().length === 2);
  await expireLease(at.office.db, id);
  const other = await bot.executor();
  expect(await bot.until(id, "completed")).toMatchObject({ steps: 4 }); // three of the lost executor
  expect(bot.requests()[2]?.messages).toEqual(bot.requests()[1]?.messages);
  await bot.requests()[1]?.closed; // the lost executor ends its own call
  await Promise.all([lost.stop(), other.stop()]);
  expect(await memoriesOfRun(at.office.db, id)).toHaveLength(1);
});

test("a run whose results cite an erased memory starts again, and its request lists what was done", async () => {
  const bot = await at.bot([calls(["remember", note]), saysNothing, says("I forgot.")]);
  const nils = { subjectKind: "third_party", subject: "Nils" };
  await bot.who.ask("POST", "/memories", {
    scope: "organisation",
    kind: "note",
    ...nils,
    value: "Nils opens the harbour office.",
  });
  const lost = await bot.executor({ idleTimeoutMs: 60_000, turnTimeoutMs: 60_000 });
  const id = await bot.who.run("When does the harbour office open?");
  await eventually(async () => bot.requests().length === 2);
  expect(marked(bot.requests()[1], "memories")).toHaveLength(1);
  await bot.who.ask("POST", "/memories/erase", nils);
  await expireLease(at.office.db, id);
  const other = await bot.executor();
  await bot.until(id, "completed");
  await bot.requests()[1]?.closed;
  await Promise.all([lost.stop(), other.stop()]);
  const last = bot.requests()[2];
  expect(marked(last, "memories")).toEqual([]);
  expect(marked(last, "so_far")).toEqual([
    { asked: [], remembered: [expect.objectContaining({ subject: note.subject, state: "landed" })] },
  ]);
  expect(last?.messages.every(({ role }) => role !== "tool")).toBe(true);
});

test("a step whose result has an unknown form is done again, and uses no more keys", async () => {
  const bot = await at.bot([says("It is sunny.")]);
  const hand = await handExecutor(at.office.db, at.office.db.poolAs("runner"), [bot.model]);
  const id = await bot.who.run();
  const run = await leased(hand);
  await hand.keyedStep(run, "recall", { of: "another version" });
  await hand.keyedStep(run, "turn 1", { kind: "turn", text: "It rains.", calls: [] });
  await expireLease(at.office.db, id);
  const executor = await bot.executor();
  expect(await bot.until(id, "completed")).toMatchObject({ steps: 4 });
  await executor.stop();
  expect((await bot.answer(id)).text).toBe("It is sunny.");
});

test("an answer of 32,000 characters of four bytes is kept for the next executor", async () => {
  const longest = "𝄞".repeat(32_000);
  const bot = await at.bot([says(longest)]);
  const run = await bot.worked();
  expect((await bot.answer(run.id)).text).toBe(longest);
  const kept = await at.office.db.sql("select key from app.step_results where run_id = $1 order by number", [run.id]);
  expect(kept).toEqual([{ key: "recall" }, { key: "turn 1" }]);
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
  await expireLease(at.office.db, id);
  const other = await bot.executor();
  await bot.until(id, "completed");
  await other.stop();
});

test("the log contains neither the key nor the conversation", () => {
  const log = logged.join("");
  expect(log).toContain("run finished");
  for (const secret of [apiKey, "harbour", "pier", "So be it"]) expect(log).not.toContain(secret);
});
