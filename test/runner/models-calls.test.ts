/** Tool calls in the forms of different services, which number the parts differently. */
import { type ModelBot, withModelServer } from "../support/model-fixture.ts";
import { good, stream, type Turn } from "../support/model-server.ts";

const at = withModelServer();

const note = (subject: string) => ({ kind: "fact", subject, value: `It is ${subject}.` });
type Part = { index?: unknown; id?: unknown; function: { name?: string; arguments?: unknown } };

/** A turn of tool calls from these chunks, each with its parts. */
const chunksOfParts =
  (...sent: Part[][]): Turn =>
  (response, { model }) => {
    const answer = stream(response, model);
    for (const each of sent) answer.delta({ tool_calls: each });
    answer.finish("tool_calls");
    answer.usage(100, 10);
    answer.end();
  };
const parts = (...sent: Part[]) => chunksOfParts(...sent.map((part) => [part]));
const whole = (subject: string) => ({ name: "remember", arguments: JSON.stringify(note(subject)) });
const [begin, end] = ['{"kind":"fact","subject":"on', 'e","value":"It is one."}'];
const [beginTwo, endTwo] = ['{"kind":"fact","subject":"tw', 'o","value":"It is two."}'];

async function subjectsOf(bot: ModelBot): Promise<string[]> {
  const run = await bot.worked();
  expect(run).toMatchObject({ state: "completed", error: null });
  const rows = await at.office.db.sql<{ subject: string }>(
    "select subject from app.memories where run_id = $1 order by id",
    [run.id],
  );
  return rows.map(({ subject }) => subject);
}

test.each<[string, Turn, string[]]>([
  ["has no id", parts({ index: 0, function: whole("one") }), ["one"]],
  ["has an empty id", parts({ index: 0, id: "", function: whole("one") }), ["one"]],
  [
    "has an object as arguments",
    parts({ index: 0, id: "a", function: { name: "remember", arguments: note("one") } }),
    ["one"],
  ],
  [
    "repeats its id and name in each part",
    parts(
      { index: 0, id: "a", function: { name: "remember", arguments: begin } },
      { index: 0, id: "a", function: { name: "remember", arguments: end } },
    ),
    ["one"],
  ],
  [
    "repeats its name without an id",
    parts(
      { index: 0, function: { name: "remember", arguments: begin } },
      { index: 0, function: { name: "remember", arguments: end } },
    ),
    ["one"],
  ],
  [
    "has another id in each part",
    parts(
      { index: 0, id: "a", function: { name: "remember", arguments: begin } },
      { index: 0, id: "b", function: { arguments: end } },
    ),
    ["one"],
  ],
  [
    "is one of two with the index 0",
    parts({ index: 0, id: "a", function: whole("one") }, { index: 0, id: "b", function: whole("two") }),
    ["one", "two"],
  ],
  [
    "is one of two in parts with the index 0",
    parts(
      { index: 0, id: "a", function: { name: "remember", arguments: begin } },
      { index: 0, function: { arguments: end } },
      { index: 0, id: "b", function: { name: "remember", arguments: "" } },
      { index: 0, function: { arguments: JSON.stringify(note("two")) } },
    ),
    ["one", "two"],
  ],
  [
    "is one of two with the index 0 and no id",
    parts({ index: 0, function: whole("one") }, { index: 0, function: whole("two") }),
    ["one", "two"],
  ],
  [
    "is one of two with the same id",
    parts({ index: 0, id: "a", function: whole("one") }, { index: 1, id: "a", function: whole("two") }),
    ["one", "two"],
  ],
  [
    "is one of two with the same id and the index 0",
    parts({ index: 0, id: "a", function: whole("one") }, { index: 0, id: "a", function: whole("two") }),
    ["one", "two"],
  ],
  [
    "is one of two with the same id and the index 0 in one chunk",
    chunksOfParts([
      { index: 0, id: "a", function: whole("one") },
      { index: 0, id: "a", function: whole("two") },
    ]),
    ["one", "two"],
  ],
  [
    "is one of two in parts with the same id and the index 0",
    parts(
      ...[begin, end, beginTwo, endTwo].map((part) => ({
        index: 0,
        id: "a",
        function: { name: "remember", arguments: part },
      })),
    ),
    ["one", "two"],
  ],
  [
    "is one of two with the same id, the index 0 and a first part without arguments",
    parts(
      { index: 0, id: "a", function: { name: "remember", arguments: "" } },
      { index: 0, function: whole("one") },
      { index: 0, id: "a", function: { name: "remember", arguments: "" } },
      { index: 0, function: { arguments: beginTwo } },
      { index: 0, function: { arguments: endTwo } },
    ),
    ["one", "two"],
  ],
  [
    "is one of two with the index 0, in mixed parts with ids",
    parts(
      { index: 0, id: "a", function: { name: "remember", arguments: begin } },
      { index: 0, id: "b", function: { name: "remember", arguments: beginTwo } },
      { index: 0, id: "a", function: { arguments: end } },
      { index: 0, id: "b", function: { arguments: endTwo } },
    ),
    ["one", "two"],
  ],
  [
    "repeats its id and name after its arguments",
    parts(
      { index: 0, id: "a", function: whole("one") },
      { index: 0, id: "a", function: { name: "remember", arguments: "" } },
    ),
    ["one"],
  ],
  [
    "has another id in each part, and repeats its name",
    parts(
      { index: 0, id: "a", function: { name: "remember", arguments: begin } },
      { index: 0, id: "b", function: { name: "remember", arguments: end } },
    ),
    ["one"],
  ],
  [
    "has a number as id",
    parts(
      { index: 0, id: 7, function: { name: "remember", arguments: begin } },
      { index: 0, id: 7, function: { arguments: end } },
    ),
    ["one"],
  ],
  [
    "has a text as index",
    parts(
      { index: "0", id: "a", function: { name: "remember", arguments: begin } },
      { index: "1", id: "b", function: { name: "remember", arguments: beginTwo } },
      { index: "0", function: { arguments: end } },
      { index: "1", function: { arguments: endTwo } },
    ),
    ["one", "two"],
  ],
  [
    "begins with an empty object",
    parts(
      { index: 0, id: "a", function: { name: "remember", arguments: "{}" } },
      { index: 0, function: { arguments: begin } },
      { index: 0, function: { arguments: end } },
    ),
    ["one"],
  ],
  ["is numbered from 1", parts({ index: 1, id: "a", function: whole("one") }), ["one"]],
])("a tool call that %s is executed", async (_what, turn, subjects) => {
  const bot = await at.bot([turn, good]);
  expect(await subjectsOf(bot)).toEqual(subjects);
  const results = bot.requests()[1]?.messages.filter(({ role }) => role === "tool");
  expect(results).toHaveLength(subjects.length);
});
