/** The built-in executor previews the answer of a model while it arrives. (docs/models.md#thoughts) */
import { shownSoFar } from "../../src/runner/engines/models/thoughts.ts";
import { type ModelBot, withModelServer } from "../support/model-fixture.ts";
import { begins, calls, json, says, type Turn } from "../support/model-server.ts";
import { openStream, type Stream } from "../support/watched.ts";
import { eventually } from "../support/worker.ts";

const at = withModelServer();

const first = says("A turn that is long enough to tell whether it begins in a thought.");
const opening = "The harbour office is open from nine to five, ";
const whole = `${opening}and closed on Sundays.`;

/** A turn of this text, which continues once the test resolves `go`. */
function paused(text: string, rest: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const turn: Turn = begins(text, async (answer) => {
    await promise;
    answer.delta({ content: rest });
    answer.finish("stop");
    answer.usage(100, 10);
    answer.end();
  });
  return { turn, go: resolve };
}

async function streamOf(bot: ModelBot): Promise<Stream & { id: string }> {
  const id = await bot.who.run("When is the harbour office open?");
  return Object.assign(await openStream(at.office.api.url, id, { key: bot.who.key, deltas: true }), { id });
}

/** The preview as a client shows it. */
const previewOf = ({ deltas }: Stream) =>
  deltas.reduce((text, { offset, text: piece }) => {
    expect([0, Array.from(text).length]).toContain(offset);
    return (offset === 0 ? "" : text) + piece;
  }, "");

async function withExecutor(bot: ModelBot, work: () => Promise<void>): Promise<void> {
  const executor = await bot.executor();
  try {
    await bot.until(await bot.who.run("Good day!"), "completed");
    await work();
  } finally {
    await executor.stop();
  }
}

test("the answer is previewed as it arrives, in pieces of more than a token, and stored at its end", async () => {
  const { turn, go } = paused(opening, "and closed on Sundays.");
  const bot = await at.bot([first, turn]);
  await withExecutor(bot, async () => {
    const stream = await streamOf(bot);
    await eventually(async () => previewOf(stream) === opening);
    expect((await bot.who.ask("GET", `/runs/${stream.id}`)).body.state).toBe("running");
    go();
    await stream.ended;
    expect((await bot.answer(stream.id)).text).toBe(whole);
    expect(stream.deltas.length).toBeLessThan(5);
    expect(stream.events.at(-2)).toMatchObject({ event: "message", data: { text: whole } });
  });
});

test("the first turn of a model in a process has no preview", async () => {
  const { turn, go } = paused(opening, "and closed on Sundays.");
  const bot = await at.bot([turn]);
  const executor = await bot.executor();
  try {
    const stream = await streamOf(bot);
    await eventually(async () => bot.requests().length === 1);
    await new Promise((resolve) => setTimeout(resolve, 600)); // three intervals of the preview, in which nothing may come
    go();
    await stream.ended;
    expect(stream.deltas).toEqual([]);
  } finally {
    await executor.stop();
  }
});

test("a turn with a call of a tool is previewed without the call, and the next turn begins the preview again", async () => {
  const { turn, go } = paused(opening, "and closed on Sundays.");
  const note = { scope: "bot", kind: "fact", subject: "The pier", value: "It is painted in canary yellow." };
  const bot = await at.bot([first, calls(["remember", note]), turn]);
  await withExecutor(bot, async () => {
    const stream = await streamOf(bot);
    await eventually(async () => previewOf(stream) === opening);
    go();
    await stream.ended;
    expect(JSON.stringify(stream.deltas)).not.toMatch(/canary|remember/);
    expect((await bot.answer(stream.id)).text).toBe(whole);
  });
});

const thoughts: [string, Turn, string][] = [
  ["in its tags", first, "<think>Is it a canary? I had better not say what I think.</think>"],
  [
    "that its template began",
    says("Hm.</think>Good day to you."),
    "Is it a canary? I had better not say.\n</think>\n\n",
  ],
  ["in channels", first, "<|channel|>analysis<|message|>A canary?<|end|><|start|>assistant<|channel|>final<|message|>"],
];

test.each(thoughts)("a preview has no thought %s", async (_what, before, thought) => {
  const { turn, go } = paused(thought + opening, "and closed on Sundays.");
  const bot = await at.bot([before, turn]);
  await withExecutor(bot, async () => {
    const stream = await streamOf(bot);
    await eventually(async () => previewOf(stream).trim() === opening.trim());
    go();
    await stream.ended;
    expect(JSON.stringify(stream.deltas)).not.toMatch(/canary|think|analysis/);
    expect((await bot.answer(stream.id)).text).toBe(whole);
  });
});

test.each([
  ["an open thought", `<think>${"Hm. ".repeat(20)}`],
  ["an incomplete tag at the start", "   <thi"],
  ["a thought whose code mentions its end", `<think>${"Hm. ".repeat(20)}\n\`\`\`\n</think>\nnot yet`],
  ["an unmarked channel of harmony", `analysis${"Is it? ".repeat(9)}`],
])("nothing is shown of %s", (_what, text) => {
  expect(shownSoFar(text, false)).toBe("");
});

test("a text of a model whose texts begin within a thought is shown only after its closing tag", () => {
  expect(shownSoFar(whole, true)).toBe("");
  expect(shownSoFar(`Hm.</think>${whole}`, true)).toBe(whole);
  expect(shownSoFar(`${whole} <|re`, false)).toBe(`${whole} `);
  expect(shownSoFar(`${whole} \ud83c`, false)).toBe(`${whole} `);
});

test("a service that does not stream is answered without a preview", async () => {
  const inOnePiece: Turn = (response) =>
    json(200, {
      choices: [{ index: 0, message: { role: "assistant", content: whole }, finish_reason: "stop" }],
      usage: { prompt_tokens: 100, completion_tokens: 10 },
    })(response);
  const bot = await at.bot([first, inOnePiece]);
  await withExecutor(bot, async () => {
    const stream = await streamOf(bot);
    await stream.ended;
    expect((await bot.answer(stream.id)).text).toBe(whole);
    expect(whole.startsWith(previewOf(stream))).toBe(true);
  });
});
