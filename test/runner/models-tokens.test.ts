/** Token counts of model services: estimated from bytes where they are missing or implausible. */
import { logged, withModelServer } from "../support/model-fixture.ts";
import { type ModelRequest, says } from "../support/model-server.ts";

const at = withModelServer();

/** The request as the model received it, and its messages. */
function bytesSent(sent: ModelRequest | undefined) {
  const { authorization: _1, closed: _2, stream: _3, stream_options: _4, ...request } = sent ?? ({} as ModelRequest);
  return { request: bytes(JSON.stringify(request)), messages: bytes(JSON.stringify(request.messages)) };
}
const bytes = (text: string) => Buffer.byteLength(text);

test.each<[string, [unknown, unknown] | null]>([
  ["none", null],
  ["less than none", [-1, -1]],
  ["words", ["many", "few"]],
  ["more than there can be", [1e12, 1e12]],
])("tokens are estimated from bytes, one for three, if a service reports %s", async (_what, usage) => {
  const bot = await at.bot([says("It is sunny.", { usage })]);
  const run = await bot.worked();
  const [, step] = await bot.steps(run.id);
  const input = Math.ceil(bytesSent(bot.requests()[0]).request / 3);
  expect(step).toMatchObject({ input, output: 4 });
  expect(run.spendMicroCents).toBe(input * 3 + 4 * 15);
});

describe("token counts that the bytes rule out", () => {
  const long = "It is sunny. ".repeat(100);

  test("are replaced by the possible maximum if too high, which is logged", async () => {
    const max = 2_147_483_647;
    const bot = await at.bot([says("hi", { usage: [max, max] })]);
    const requestedAt = performance.now();
    const run = await bot.worked();
    const [, step] = await bot.steps(run.id);
    expect(step?.input).toBe(bytesSent(bot.requests()[0]).request + 2_000);
    expect(step?.output).toBeLessThan(3 + performance.now() - requestedAt); // hidden reasoning: 1,000 tokens a second
    expect(run).toMatchObject({ state: "completed", error: null });
    expect(logged.join("")).toContain("token counts of the model service are implausible");
  });

  test.each([
    [0, 0],
    [1, 1],
  ])("are estimated if too low, as %d and %d", async (...usage) => {
    const bot = await at.bot([says(long, { usage })]);
    const run = await bot.worked();
    const [, step] = await bot.steps(run.id);
    const input = Math.ceil(bytesSent(bot.requests()[0]).request / 3);
    expect(step).toMatchObject({ input, output: Math.ceil(long.length / 3) });
  });

  test("are estimated if zero, so that the budget applies", async () => {
    const turns = [says(long, { usage: [0, 0] })];
    const bot = await at.bot(turns, { input: 1_000_000_000_000 });
    expect(await bot.worked()).toMatchObject({ state: "failed", error: { code: "budget_spend" } });
  });

  test("are accepted at the possible minimum and maximum", async () => {
    const first = await at.bot([says(long)]);
    await first.worked();
    const sent = bytesSent(first.requests()[0]);
    const extremes = [
      [Math.floor(sent.messages / 16), Math.floor(long.length / 16)],
      [sent.request + 2_000, long.length],
    ] as const;
    for (const usage of extremes) {
      const bot = await at.bot([says(long, { usage: [...usage] })]);
      const run = await bot.worked();
      const [, step] = await bot.steps(run.id);
      expect([step?.input, step?.output]).toEqual(usage);
    }
  });
});
