/** Turns of a model that a run cannot use, and the bounds of usable turns. */
import { apiKey, logged, withModelServer } from "../support/model-fixture.ts";
import { begins, calls, good, says, stream, type Turn } from "../support/model-server.ts";

const at = withModelServer();

const runaway = begins("So ", (answer, response) => {
  const timer = setInterval(() => answer.delta({ content: "and so on ".repeat(500) }), 1);
  response.once("close", () => clearInterval(timer));
});

const unusable: [string, Turn, RegExp][] = [
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

describe.each(unusable)("a turn that %s", (_what, fault, note) => {
  test("is discarded, and the model gets the reason", async () => {
    const bot = await at.bot([fault, good]);
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
    const bot = await at.bot([fault]);
    expect(await bot.worked()).toMatchObject({ state: "failed", steps: 4, error: { code: "executor_failed" } });
  });
});

test("a good turn resets the count of bad turns", async () => {
  const note = { kind: "fact", subject: "s", value: "v" };
  const empty = says("");
  const bot = await at.bot([empty, empty, calls(["remember", note]), empty, empty, good]);
  expect(await bot.worked()).toMatchObject({ state: "completed" });
});

test("an answer can have 32,000 characters", async () => {
  const answer = "🐟".repeat(32_000);
  const bot = await at.bot([says(answer)]);
  const run = await bot.worked();
  expect((await bot.answer(run.id)).text).toBe(answer);
});

test("characters that PostgreSQL cannot store are removed from an answer", async () => {
  const bot = await at.bot([says("A\0B\ud800C")]);
  const run = await bot.worked();
  expect((await bot.answer(run.id)).text).toBe("AB\ufffdC");
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
  const bot = await at.bot([unnumbered, good]);
  const run = await bot.worked();
  const rows = await at.office.db.sql("select subject from app.memories where run_id = $1 order by id", [run.id]);
  expect(rows).toEqual([{ subject: "one" }, { subject: "two" }]);
});

test("the log contains the faults, but neither the key nor the conversation", () => {
  const log = logged.join("");
  expect(log).toContain("a tool was called wrongly");
  for (const secret of [apiKey, "delete_everything", "harbour office"]) expect(log).not.toContain(secret);
});
