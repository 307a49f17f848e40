/** Services that are nearly OpenAI's: their differences are accepted, and a turn that cannot be read is not charged. */
import { usual, withModelServer } from "../support/model-fixture.ts";
import { begins, good, json, stream, type Turn } from "../support/model-server.ts";

const at = withModelServer();

const chunks =
  (...sent: object[]): Turn =>
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const each of sent) response.write(`data:${JSON.stringify(each)}\n\n`);
    response.end("data:[DONE]"); // no line after it
  };
const choice = (delta: object, finish_reason: string | null = null) => ({ choices: [{ delta, finish_reason }] });

test.each<[string, Turn]>([
  [
    "in a list of parts",
    chunks(
      choice({ content: [{ type: "text", text: "It is " }] }),
      choice({
        content: [
          { type: "thinking", text: "Hm." },
          { type: "text", text: "sunny." },
        ],
      }),
      choice({}, "stop"),
    ),
  ],
  [
    "beside other choices",
    chunks(
      { choices: [{ index: 1, delta: { content: "It rains." }, finish_reason: null }] },
      {
        choices: [
          { index: 1, delta: { content: "It rains." }, finish_reason: "content_filter" },
          { index: 0, delta: { content: "It is " } },
        ],
      },
      { choices: [{ index: "0", delta: { content: "sunny." }, finish_reason: "stop" }] },
      { choices: [{ index: 1, delta: { content: "It rains." }, finish_reason: "length" }] },
    ),
  ],
  ["as texts in a list", chunks(choice({ content: ["It is ", "sunny."] }, "stop"))],
  ["after a chunk without choices", chunks({ object: "ping" }, choice({ content: "It is sunny." }, "stop"))],
  [
    "in one piece, without a stream",
    json(200, {
      choices: [{ index: 0, message: { role: "assistant", content: "It is sunny." }, finish_reason: "stop" }],
    }),
  ],
  [
    "after thoughts in a field",
    chunks(choice({ reasoning_content: "Hm." }), choice({ content: "It is sunny." }, "stop")),
  ],
])("an answer %s is used", async (_what, turn) => {
  const bot = await at.bot([turn]);
  const run = await bot.worked();
  expect(run).toMatchObject({ state: "completed", steps: 2 });
  expect((await bot.answer(run.id)).text).toBe("It is sunny.");
});

test.each([400, 422])("stream_options refused with %d is left out from then on", async (status) => {
  let refusals = 0;
  const turn: Turn = (response, request) => {
    if (!request.stream_options) return good(response, request);
    refusals += 1;
    const detail = [
      { type: "extra_forbidden", loc: ["body", "stream_options"], msg: "Extra inputs are not permitted" },
    ];
    return json(status, { detail })(response);
  };
  const bot = await at.bot([turn]);
  const executor = await bot.executor();
  for (const message of ["One", "Two"]) {
    const { body } = await bot.who.ask("POST", "/runs", { botId: bot.who.bot, message });
    expect(await bot.until(body.id, "completed", "failed")).toMatchObject({ state: "completed", steps: 2 });
  }
  await executor.stop();
  expect(refusals).toBe(1);
});

test("the first message after the system's is the user's, in a conversation longer than the model receives", async () => {
  const bot = await at.bot([good]);
  const executor = await bot.executor();
  for (let number = 1; number <= 28; number += 1) {
    const { body } = await bot.who.ask("POST", "/runs", { botId: bot.who.bot, message: `Question ${number}` });
    expect(await bot.until(body.id, "completed", "failed")).toMatchObject({ state: "completed" });
  }
  await executor.stop();
  expect(bot.requests().map(({ messages }) => messages[1]?.role)).toEqual(Array(28).fill("user"));
});

test("comments that keep the connection alive extend the idle time-out, before and within an answer", async () => {
  const alive: Turn = async (response, { model }) => {
    const answer = stream(response, model);
    const waits = async () => {
      for (let number = 0; number < 8; number += 1) {
        response.write(": keep-alive\n\n");
        await new Promise((resolve) => setTimeout(resolve, 250)); // the pause between two comments
      }
    };
    await waits();
    answer.delta({ content: "It is " });
    await waits();
    answer.delta({ content: "sunny." });
    answer.finish("stop");
    answer.end();
  };
  const bot = await at.bot([alive]);
  const run = await bot.worked(undefined, { ...usual, idleTimeoutMs: 1_500 });
  expect(run).toMatchObject({ state: "completed", steps: 2 });
  expect(bot.requests()).toHaveLength(1);
});

test("an answer is used if the service does not close its stream after the end", async () => {
  const bot = await at.bot([begins("It is sunny.", (answer) => answer.finish("stop"))]);
  const run = await bot.worked(undefined, { ...usual, idleTimeoutMs: 1_000 });
  expect(run).toMatchObject({ state: "completed", steps: 2 });
});

test.each<[string, Turn]>([
  ["of an unknown shape", begins("It is", (_answer, response) => response.end('data: {"choices": "none"}\n\n'))],
  ["that is no JSON", begins("It is", (_answer, response) => response.end("data: {choices}\n\n"))],
  ["that is a page", (response) => response.writeHead(200, { "content-type": "text/html" }).end("<html></html>")],
  ["with an error before any text", chunks({ error: { message: "overloaded" } })],
])("an answer %s is not charged", async (_what, fault) => {
  const bot = await at.bot([fault, good]);
  const run = await bot.worked();
  expect(run).toMatchObject({ state: "completed", steps: 3 });
  expect((await bot.steps(run.id)).map(({ spend }) => spend)).toEqual([0, 0, 100 * 3 + 10 * 15]);
});
