/** The end of a model's answer: only a known good end completes a run. (docs/models.md#errors) */
import { withModelServer } from "../support/model-fixture.ts";
import { begins, calls, good, says, stream, type Turn } from "../support/model-server.ts";

const at = withModelServer();

const half = "The office opens at";
const endsWith = (reason: string) => says(half, { finish: reason });
const withoutReason =
  (end: (answer: ReturnType<typeof stream>, response: Parameters<Turn>[0]) => unknown): Turn =>
  (response, { model }) => {
    const answer = stream(response, model);
    answer.delta({ content: half });
    return end(answer, response);
  };

test.each<[string, Turn]>([
  ["an empty reason", endsWith("")],
  ["abort", endsWith("abort")],
  ["error", endsWith("error")],
  ["an unknown reason", endsWith("because_i_say_so")],
  ["OTHER", endsWith("OTHER")],
  ["no reason and no mark of the end", withoutReason((_answer, response) => response.end())],
  ["tool_calls, without a call", endsWith("tool_calls")],
  ["error after stop", begins(half, (answer) => [answer.finish("stop"), answer.finish("error"), answer.end()])],
])("an answer that ends with %s is requested again", async (_what, fault) => {
  const bot = await at.bot([fault, good]);
  const run = await bot.worked();
  expect(run).toMatchObject({ state: "completed", steps: 3 });
  expect((await bot.answer(run.id)).text).toBe("It is sunny.");
});

test.each(["abort", "", "unknown"])("a run whose answers all end with %j fails, without an answer", async (reason) => {
  const bot = await at.bot([endsWith(reason)]);
  const run = await bot.worked();
  expect(run).toMatchObject({ state: "failed", error: { code: "executor_failed" } });
  expect(bot.requests()).toHaveLength(3);
  expect((await bot.answer(run.id)).author).toBe("person");
});

test.each(["MAX_TOKENS", "max_tokens", "model_length", "length"])(
  "an answer that ends with %s is too long, and the model gets the reason",
  async (reason) => {
    const bot = await at.bot([endsWith(reason), good]);
    expect(await bot.worked()).toMatchObject({ state: "completed", steps: 3 });
    expect(bot.requests()[1]?.messages.at(-1)?.content).toMatch(/it was too long/);
  },
);

test.each(["SAFETY", "content_filter", "RECITATION", "PROHIBITED_CONTENT"])(
  "a run whose answer ends with %s fails with refused",
  async (reason) => {
    const bot = await at.bot([endsWith(reason)]);
    expect(await bot.worked()).toMatchObject({ state: "failed", error: { code: "refused" } });
  },
);

test.each<[string, Turn]>([
  ["stop", says("It is sunny.")],
  ["STOP", says("It is sunny.", { finish: "STOP" })],
  ["eos", says("It is sunny.", { finish: "eos" })],
  ["the mark of the end alone", begins("It is sunny.", (answer) => answer.end())],
  ["stop and no mark", begins("It is sunny.", (answer, response) => [answer.finish("stop"), response.end()])],
  [
    "stop, before the connection breaks",
    begins("It is sunny.", (answer, response) => {
      answer.finish("stop");
      setTimeout(() => response.destroy(), 20);
    }),
  ],
  [
    "stop, with an empty reason in each part",
    begins("It is ", (answer) => {
      answer.finish("");
      answer.delta({ content: "sunny." });
      answer.finish("stop");
      answer.finish("");
      answer.end();
    }),
  ],
])("an answer that ends with %s completes the run", async (_what, turn) => {
  const bot = await at.bot([turn]);
  const run = await bot.worked();
  expect(run).toMatchObject({ state: "completed", steps: 2 });
  expect((await bot.answer(run.id)).text).toBe("It is sunny.");
});

test("tool calls that end with stop are executed", async () => {
  const note = { kind: "fact", subject: "s", value: "v" };
  const called: Turn = (response, request) => {
    const answer = stream(response, request.model);
    const call = { name: "remember", arguments: JSON.stringify(note) };
    answer.delta({ tool_calls: [{ index: 0, id: "c-1", type: "function", function: call }] });
    answer.finish("stop");
    answer.end();
  };
  for (const turn of [called, calls(["remember", note])]) {
    const bot = await at.bot([turn, good]);
    expect(await bot.worked()).toMatchObject({ state: "completed", steps: 4 });
  }
});
