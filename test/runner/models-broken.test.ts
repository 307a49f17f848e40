/** Faults of model services and models, each over a real connection, and the result of the run. */
import { refusals } from "../../src/contract/refusals.ts";
import { apiKey, logged, modelBot, short, usual } from "../support/model-fixture.ts";
import {
  calls,
  hangsUp,
  json,
  type ModelRequest,
  type ModelServer,
  says,
  saysNothing,
  startModelServer,
  stream,
  type Turn,
} from "../support/model-server.ts";
import { openPostOffice, type PostOffice } from "../support/post-office.ts";

let office: PostOffice;
let server: ModelServer;

beforeAll(async () => {
  office = await openPostOffice({ worker: false });
  server = await startModelServer();
});
afterAll(async () => {
  await server.close();
  await office.close();
});
afterEach(() => expect(server.faults).toEqual([]));

/** Texts that must never be logged. */
const words = "Everything the harbour says";
const good = says("It is sunny.");
const refuses = (status: number, code: string | null = null, headers: Record<string, string> = {}): Turn =>
  json(status, { error: { message: `${words}: no`, type: "error", code } }, headers);
const html: Turn = (response) =>
  response.writeHead(200, { "content-type": "text/html" }).end(`<html><body>${words}</body></html>`);
/** Starts a response that the test continues. */
const begins =
  (go: (answer: ReturnType<typeof stream>, response: Parameters<Turn>[0]) => unknown): Turn =>
  (response, { model }) => {
    const answer = stream(response, model);
    answer.delta({ role: "assistant", content: words });
    return go(answer, response);
  };

const cutOff = begins((_answer, response) => setTimeout(() => response.destroy(), 20));
const endsEarly = begins((_answer, response) => response.end());
const fallsSilent = begins(() => {});
const drips = begins((answer, response) => {
  const timer = setInterval(() => answer.delta({ content: "." }), 50);
  response.once("close", () => clearInterval(timer));
});
const breaksItsJson = begins((_answer, response) => response.end(`data: {"choices": [{"delta": "${words}\n\n`));
const saysError = begins((_answer, response) =>
  response.end(`data: ${JSON.stringify({ error: { message: words, code: "overloaded" } })}\n\n`),
);
const saysNoParts = begins((_answer, response) => response.end('data: {"choices": "none"}\n\ndata: [DONE]\n\n'));
const noStream: Turn = json(200, {
  id: "c-1",
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: words }, finish_reason: "stop" }],
});

describe("the SDK sends a request again, at most twice,", () => {
  test.each<[string, Turn]>([
    ["is busy (429), and says when to ask", refuses(429, "rate_limit_exceeded", { "retry-after": "1" })],
    ["fails (500)", refuses(500)],
    ["is away for a moment (503)", refuses(503)],
    ["hangs up", hangsUp],
    ["says nothing", saysNothing],
  ])("if the service %s: the run is completed with one step per turn", async (_what, fault) => {
    const bot = await modelBot(office, server, [fault, good]);
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
    const bot = await modelBot(office, server, [fault]);
    const run = await bot.worked(undefined, fault === saysNothing ? { ...usual, idleTimeoutMs: 1_000 } : usual);
    expect(run).toMatchObject({ state: "failed", spendMicroCents: 0, error: { code: "executor_failed" } });
    expect(bot.requests()).toHaveLength(3);
  });

  test.each(["3600", new Date(Date.now() + 3_600_000).toUTCString()])("unless Retry-After is %s", async (wait) => {
    const bot = await modelBot(office, server, [refuses(429, null, { "retry-after": wait }), good]);
    expect(await bot.worked()).toMatchObject({ state: "failed", error: { code: "executor_failed" } });
    expect(bot.requests()).toHaveLength(1);
  });

  test("unless Retry-After exceeds the time-out of a turn", async () => {
    const bot = await modelBot(office, server, [refuses(429, null, { "retry-after": "50" }), good]);
    const run = await bot.worked(undefined, { ...usual, turnTimeoutMs: 2_000 });
    expect(run).toMatchObject({ state: "failed", error: { code: "executor_failed" } });
    expect(bot.requests()).toHaveLength(1);
  });
});

test.each([400, 401, 403, 404, 422])("a run fails at once if the service answers %d", async (status) => {
  const bot = await modelBot(office, server, [refuses(status), good]);
  expect(await bot.worked()).toMatchObject({ state: "failed", error: { code: "executor_failed" } });
  expect(bot.requests()).toHaveLength(1);
});

test("a redirect of a service is not followed", async () => {
  const elsewhere = await startModelServer();
  const bot = await modelBot(office, server, [json(307, {}, { location: `${elsewhere.url}/chat/completions` })]);
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
      begins((answer) => {
        answer.delta({ refusal: "I can't help with that." });
        answer.finish("stop");
        answer.usage(100, 10);
        answer.end();
      }),
    ],
  ])("after %s", async (_how, fault) => {
    const bot = await modelBot(office, server, [fault]);
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
  ["is no stream", noStream],
];

describe.each(breaking)("a response that %s", (_what, fault) => {
  const timeouts = fault === fallsSilent || fault === drips ? short : usual;

  test("is requested again, and its tokens are charged", async () => {
    const bot = await modelBot(office, server, [fault, good]);
    const run = await bot.worked(undefined, timeouts);
    expect(run).toMatchObject({ state: "completed", steps: 3 });
    expect((await bot.answer(run.id)).text).toBe("It is sunny.");
    const [, broken, whole] = await bot.steps(run.id);
    expect(broken?.input).toBeGreaterThan(200); // estimated from the sent bytes
    expect(whole).toMatchObject({ input: 100, output: 10 });
    expect(bot.requests()[1]?.messages).toEqual(bot.requests()[0]?.messages);
    await bot.requests()[0]?.closed;
  });

  test("fails the run after three in a row", async () => {
    const bot = await modelBot(office, server, [fault]);
    const run = await bot.worked(undefined, timeouts);
    expect(run).toMatchObject({ state: "failed", steps: 4, error: { code: "executor_failed" } });
    expect(bot.requests()).toHaveLength(3);
  });
});

const runaway = begins((answer, response) => {
  const timer = setInterval(() => answer.delta({ content: "and so on ".repeat(500) }), 1);
  response.once("close", () => clearInterval(timer));
});

const useless: [string, Turn, RegExp][] = [
  ["is empty", says(" \n"), /it was empty/],
  ["is cut at the model's limit", says("Because", { finish: "length" }), /too long.*at most 32,000 characters/],
  ["has 32,001 characters", says("🐟".repeat(32_001)), /too long/],
  ["does not end", runaway, /too long/],
  ["calls a tool that there is not", calls(["delete_everything", {}]), /an unknown tool/],
  ["calls a tool with what is no JSON", calls(["remember", '{"kind": ']), /the arguments of remember are invalid/],
  [
    "calls a tool with what does not fit",
    calls(["remember", { kind: "" }]),
    /kind must have 1 to 60 characters; subject/,
  ],
  [
    "asks for what Postgres can't hold",
    calls(["ask_person", { question: "\0", reason: "r" }]),
    /question must not contain/,
  ],
];

describe.each(useless)("a turn that %s", (_what, fault, note) => {
  test("is discarded, and the model gets the reason", async () => {
    const bot = await modelBot(office, server, [fault, good]);
    const run = await bot.worked();
    expect(run).toMatchObject({ state: "completed", steps: 3 });
    expect((await bot.answer(run.id)).text).toBe("It is sunny.");
    const [first, second] = bot.requests();
    expect(second?.messages.slice(0, -1)).toEqual(first?.messages.slice(0, -1));
    const [before, after] = [first, second].map((each) => each?.messages.at(-1)?.content ?? "");
    expect(after?.startsWith(`${before}\n\n`)).toBe(true);
    expect(after?.slice(before?.length)).toMatch(note);
    await first?.closed;
  });

  test("fails the run after three in a row", async () => {
    const bot = await modelBot(office, server, [fault]);
    expect(await bot.worked()).toMatchObject({ state: "failed", steps: 4, error: { code: "executor_failed" } });
  });
});

test("a good turn resets the count of bad turns", async () => {
  const note = { kind: "fact", subject: "s", value: "v" };
  const empty = says("");
  const bot = await modelBot(office, server, [empty, empty, calls(["remember", note]), empty, empty, good]);
  expect(await bot.worked()).toMatchObject({ state: "completed" });
});

test("an answer can have 32,000 characters", async () => {
  const answer = "🐟".repeat(32_000);
  const bot = await modelBot(office, server, [says(answer)]);
  const run = await bot.worked();
  expect((await bot.answer(run.id)).text).toBe(answer);
});

test("characters that PostgreSQL cannot store are removed from an answer", async () => {
  const bot = await modelBot(office, server, [says("A\0B\ud800C")]);
  const run = await bot.worked();
  expect((await bot.answer(run.id)).text).toBe("AB\ufffdC");
});

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
  const bot = await modelBot(office, server, [says("It is sunny.", { usage })]);
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
    const bot = await modelBot(office, server, [says("hi", { usage: [max, max] })]);
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
    const bot = await modelBot(office, server, [says(long, { usage })]);
    const run = await bot.worked();
    const [, step] = await bot.steps(run.id);
    const input = Math.ceil(bytesSent(bot.requests()[0]).request / 3);
    expect(step).toMatchObject({ input, output: Math.ceil(long.length / 3) });
  });

  test("are estimated if zero, so that the budget applies", async () => {
    const turns = [says(long, { usage: [0, 0] })];
    const bot = await modelBot(office, server, turns, { input: 1_000_000_000_000 });
    expect(await bot.worked()).toMatchObject({ state: "failed", error: { code: "budget_spend" } });
  });

  test("are accepted at the possible minimum and maximum", async () => {
    const first = await modelBot(office, server, [says(long)]);
    await first.worked();
    const sent = bytesSent(first.requests()[0]);
    const extremes = [
      [Math.floor(sent.messages / 16), Math.floor(long.length / 16)],
      [sent.request + 2_000, long.length],
    ] as const;
    for (const usage of extremes) {
      const bot = await modelBot(office, server, [says(long, { usage: [...usage] })]);
      const run = await bot.worked();
      const [, step] = await bot.steps(run.id);
      expect([step?.input, step?.output]).toEqual(usage);
    }
  });
});

test("parts of a tool call without an index are joined", async () => {
  const note = { kind: "fact", subject: "The pier", value: "It is blue." };
  const unnumbered: Turn = (response, { model }) => {
    const answer = stream(response, model);
    for (const id of ["one", "two"]) {
      answer.delta({ tool_calls: [{ id, function: { name: "remember", arguments: "" } }] });
      for (const part of JSON.stringify({ ...note, subject: id }).match(/.{1,9}/g) ?? []) {
        answer.delta({ tool_calls: [{ function: { arguments: part } }] });
      }
    }
    answer.finish("tool_calls");
    answer.usage(1, 1);
    answer.end();
  };
  const bot = await modelBot(office, server, [unnumbered, good]);
  const run = await bot.worked();
  const rows = await office.db.sql("select subject from app.memories where run_id = $1 order by id", [run.id]);
  expect(rows).toEqual([{ subject: "one" }, { subject: "two" }]);
});

test("the log contains the faults, but neither the key nor the conversation", () => {
  const log = logged.join("");
  for (const printed of ["the model service answered 401", "broke off its answer", "a tool was called wrongly"]) {
    expect(log).toContain(printed);
  }
  for (const secret of [apiKey, words, "delete_everything", "harbour office", refusals.internal.message]) {
    expect(log).not.toContain(secret);
  }
});
