/** Faults of model services, each over a real connection, and the result of the run. */
import { refusals } from "../../src/contract/refusals.ts";
import { apiKey, logged, short, usual, withModelServer } from "../support/model-fixture.ts";
import {
  begins,
  good,
  hangsUp,
  json,
  says,
  saysNothing,
  startModelServer,
  type Turn,
} from "../support/model-server.ts";

const at = withModelServer();

/** Texts that must never be logged. */
const words = "Everything the harbour says";
const refuses = (status: number, code: string | null = null, headers: Record<string, string> = {}): Turn =>
  json(status, { error: { message: `${words}: no`, type: "error", code } }, headers);
const html: Turn = (response) =>
  response.writeHead(200, { "content-type": "text/html" }).end(`<html><body>${words}</body></html>`);

const cutOff = begins(words, (_answer, response) => setTimeout(() => response.destroy(), 20));
const endsEarly = begins(words, (_answer, response) => response.end());
const fallsSilent = begins(words, () => {});
const drips = begins(words, (answer, response) => {
  const timer = setInterval(() => answer.delta({ content: "." }), 50);
  response.once("close", () => clearInterval(timer));
});
const breaksItsJson = begins(words, (_answer, response) => response.end(`data: {"choices": [{"delta": "${words}\n\n`));
const saysError = begins(words, (_answer, response) =>
  response.end(`data: ${JSON.stringify({ error: { message: words, code: "overloaded" } })}\n\n`),
);
const saysNoParts = begins(words, (_answer, response) => response.end('data: {"choices": "none"}\n\ndata: [DONE]\n\n'));

describe("a request is sent again, at most twice,", () => {
  test.each<[string, Turn]>([
    ["is busy (429), and says when to ask", refuses(429, "rate_limit_exceeded", { "retry-after": "1" })],
    ["fails (500)", refuses(500)],
    ["is away for a moment (503)", refuses(503)],
    ["hangs up", hangsUp],
    ["says nothing", saysNothing],
  ])("if the service %s: the run is completed with one step per turn", async (_what, fault) => {
    const bot = await at.bot([fault, good]);
    const timeouts = fault === saysNothing ? { ...usual, idleTimeoutMs: 1_000 } : usual;
    expect(await bot.worked(undefined, timeouts)).toMatchObject({ state: "completed", steps: 2, error: null });
    expect(bot.requests()).toHaveLength(2);
  });

  test.each<[string, Turn]>([
    ["is busy (429)", refuses(429)],
    ["fails (500)", refuses(500)],
    ["hangs up", hangsUp],
    ["says nothing", saysNothing],
  ])("if the service always %s: the run fails", async (_what, fault) => {
    const bot = await at.bot([fault]);
    const run = await bot.worked(undefined, fault === saysNothing ? { ...usual, idleTimeoutMs: 1_000 } : usual);
    expect(run).toMatchObject({ state: "failed", spendMicroCents: 0, error: { code: "executor_failed" } });
    expect(bot.requests()).toHaveLength(3);
  });

  test.each(["3600", new Date(Date.now() + 3_600_000).toUTCString()])("unless Retry-After is %s", async (wait) => {
    const bot = await at.bot([refuses(429, null, { "retry-after": wait }), good]);
    expect(await bot.worked()).toMatchObject({ state: "failed", error: { code: "executor_failed" } });
    expect(bot.requests()).toHaveLength(1);
  });

  test("unless Retry-After exceeds the time-out of a turn", async () => {
    const bot = await at.bot([refuses(429, null, { "retry-after": "50" }), good]);
    const run = await bot.worked(undefined, { ...usual, turnTimeoutMs: 2_000 });
    expect(run).toMatchObject({ state: "failed", error: { code: "executor_failed" } });
    expect(bot.requests()).toHaveLength(1);
  });
});

test.each([400, 401, 403, 404, 422])("a run fails at once if the service answers %d", async (status) => {
  const bot = await at.bot([refuses(status), good]);
  expect(await bot.worked()).toMatchObject({ state: "failed", error: { code: "executor_failed" } });
  expect(bot.requests()).toHaveLength(1);
});

test("a redirect of a service is not followed", async () => {
  const elsewhere = await startModelServer();
  const bot = await at.bot([json(307, {}, { location: `${elsewhere.url}/chat/completions` })]);
  elsewhere.scripts.set(bot.model, [good]);
  expect(await bot.worked()).toMatchObject({ state: "failed", error: { code: "executor_failed" } });
  expect(elsewhere.requests(bot.model)).toEqual([]);
  await elsewhere.close();
});

describe("a run fails with `refused`", () => {
  test.each<[string, Turn]>([
    ["a filter in its answer", says("I", { finish: "content_filter" })],
    ["a filter before it", refuses(400, "content_filter")],
    [
      "a refusal in its own words",
      begins(words, (answer) => {
        answer.delta({ refusal: "I can't help with that." });
        answer.finish("stop");
        answer.usage(100, 10);
        answer.end();
      }),
    ],
  ])("after %s", async (_how, fault) => {
    const bot = await at.bot([fault]);
    const error = { code: "refused", message: "The model refused to answer, or is no longer served." };
    expect(await bot.worked()).toMatchObject({ state: "failed", error });
    expect(bot.requests()).toHaveLength(1);
  });
});

const breaking: [string, Turn][] = [
  ["is cut off", cutOff],
  ["ends in the middle", endsEarly],
  ["falls silent", fallsSilent],
  ["never ends", drips],
  ["is no JSON", breaksItsJson],
  ["becomes an error", saysError],
  ["has parts of another shape", saysNoParts],
  ["is a page of HTML", html],
];

const unread = new Set([breaksItsJson, saysNoParts, html]);

describe.each(breaking)("a response that %s", (_what, fault) => {
  const timeouts = fault === fallsSilent || fault === drips ? short : usual;

  test("is requested again, and charged if the model's text could be read", async () => {
    const bot = await at.bot([fault, good]);
    const run = await bot.worked(undefined, timeouts);
    expect(run).toMatchObject({ state: "completed", steps: 3 });
    expect((await bot.answer(run.id)).text).toBe("It is sunny.");
    const [, broken, whole] = await bot.steps(run.id);
    if (unread.has(fault)) expect(broken).toMatchObject({ input: 0, output: 0 });
    else expect(broken?.input).toBeGreaterThan(200); // estimated from the sent bytes
    expect(whole).toMatchObject({ input: 100, output: 10 });
    expect(bot.requests()[1]?.messages).toEqual(bot.requests()[0]?.messages);
    await bot.requests()[0]?.closed;
  });

  test("fails the run after three in a row", async () => {
    const bot = await at.bot([fault]);
    const run = await bot.worked(undefined, timeouts);
    expect(run).toMatchObject({ state: "failed", steps: 4, error: { code: "executor_failed" } });
    expect(bot.requests()).toHaveLength(3);
  });
});

test("the log contains the faults, but neither the key nor the conversation", () => {
  const log = logged.join("");
  for (const printed of ["the model service answered 401", "broke off its answer"]) expect(log).toContain(printed);
  for (const secret of [apiKey, words, "harbour office", refusals.internal.message]) expect(log).not.toContain(secret);
});
