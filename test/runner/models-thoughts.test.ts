/** Thoughts of models in the text of an answer. They are charged, but neither shown nor sent back. (docs/models.md#thoughts) */
import { withModelServer } from "../support/model-fixture.ts";
import { good, says, stream, type Turn } from "../support/model-server.ts";

const at = withModelServer();

const answer = "It is sunny.";
const harmony = (...messages: [channel: string, text: string][]) =>
  messages.map(([channel, text]) => `<|channel|>${channel}<|message|>${text}`).join("<|end|><|start|>assistant");

const thoughtful: [string, string][] = [
  ["a thought", `<think>\nIs it? It rained.\n</think>\n\n${answer}`],
  ["two thoughts", `<think>One.</think>\n<think>Two.</think>${answer}`],
  ["an empty thought", `<think>\n\n</think>\n\n${answer}`],
  ["a thought in <thinking>", `<thinking>Is it?</thinking>${answer}`],
  ["a thought in <thought>", `<thought>Is it?</thought>${answer}`],
  ["a thought in <reasoning>", `<Reasoning>Is it?</Reasoning>\n${answer}`],
  ["a thought in <seed:think>", `<seed:think>Is it?</seed:think>${answer}`],
  ["a thought in [THINK]", `[THINK]Is it?[/THINK]${answer}`],
  ["a thought of 100,000 characters", `<think>${"Hm. ".repeat(25_000)}</think>${answer}`],
  ["a thought with letters of a longer lower case", `<think>${"İ".repeat(9)}</think>${answer}`],
  ["a thought that mentions its tag", `<think>Does \`</think>\` end it? Yes.</think>${answer}`],
  ["a thought that its template began", `Is it? It rained.\n</think>\n\n${answer}`],
  ["a thought that its template began, and a tag within a line", `Is it? It rained. </think>${answer}`],
  ["a thought that its template began, with code", `It is \`sun\`:\n\`\`\`\nsun()\n\`\`\`\n</think>${answer}`],
  ["an empty thought that its template began", `</think>\n\n${answer}`],
  ["a thought in harmony's channels", harmony(["analysis", "Is it?"], ["final", answer])],
  ["two thoughts in harmony's channels", harmony(["analysis", "One."], ["commentary", "Two."], ["final", answer])],
  ["no thought in harmony's channels", `<|start|>assistant<|channel|>final<|message|>${answer}<|return|>`],
  ["a thought in harmony's channels without their marks", `analysisIs it? It rained.assistantfinal${answer}`],
];

/** Sends this text in parts of two characters, so that each tag is split. */
const split =
  (text: string): Turn =>
  (response, { model }) => {
    const sent = stream(response, model);
    for (const part of text.match(/.{1,2}/gsu) ?? []) sent.delta({ content: part });
    sent.finish("stop");
    sent.end();
  };

test.each(thoughtful)("an answer after %s is shown without it", async (_what, text) => {
  const bot = await at.bot([text.length > 1_000 ? says(text) : split(text)]);
  const run = await bot.worked();
  expect(run).toMatchObject({ state: "completed", steps: 2 });
  expect((await bot.answer(run.id)).text).toBe(answer);
});

test("a long answer after a long thought that its template began is shown", async () => {
  const long = "Yes. ".repeat(6_000).trim();
  const bot = await at.bot([says(`${"Hm. ".repeat(10_000)}</think>${long}`)]);
  const run = await bot.worked();
  expect(run).toMatchObject({ state: "completed", steps: 2 });
  expect((await bot.answer(run.id)).text).toBe(long);
});

test.each([
  "Close it with `</think>`, after <think>.",
  "A thought ends with `</think>`.",
  "A thought ends with ``</think> `` in two backticks.",
  "A template:\n\n```\nIs it?\n</think>\nIt is.\n```\n",
  "```xml\n<thought>Is it?</thought>\n```",
  "`<think>` begins a thought, and </think> ends it.",
  "It begins with <think>, and </think> ends it.",
  "The marks are <|channel|>final<|message|>.",
  "analysis and assistantfinal are names.",
])("the tags of a thought within the answer %j stay", async (text) => {
  const bot = await at.bot([says(text)]);
  const run = await bot.worked();
  expect(run).toMatchObject({ state: "completed", steps: 2 });
  expect((await bot.answer(run.id)).text).toBe(text);
});

test.each(["<think>It is sunny.", "<reasoning>It is sunny.", harmony(["analysis", "It is sunny."])])(
  "the thought %j, which does not end, is no answer",
  async (text) => {
    const bot = await at.bot([says(text), good]);
    const run = await bot.worked();
    expect(run).toMatchObject({ state: "completed", steps: 3 });
    expect(bot.requests()[1]?.messages.at(-1)?.content).toMatch(/it was empty/);
  },
);

test.each(["<think>It is sunny.</think>", "It is sunny. </think>\n\n", harmony(["analysis", "It is sunny."])])(
  "the thought %j before tool calls is not sent back",
  async (text) => {
    const note = { kind: "fact", subject: "The pier", value: "It is blue." };
    const called: Turn = (response, { model }) => {
      const sent = stream(response, model);
      for (const part of text.match(/.{1,2}/gsu) ?? []) sent.delta({ content: part });
      const call = { name: "remember", arguments: JSON.stringify(note) };
      sent.delta({ tool_calls: [{ index: 0, id: "a", type: "function", function: call }] });
      sent.finish("tool_calls");
      sent.end();
    };
    const bot = await at.bot([called, good]);
    expect(await bot.worked()).toMatchObject({ state: "completed", steps: 4 });
    const turn = bot.requests()[1]?.messages.find(({ role }) => role === "assistant");
    expect(turn).toMatchObject({ content: null, tool_calls: [{ id: "a" }] });
  },
);
