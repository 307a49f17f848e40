/** Which changes of the contract break a client: each kind is planted in a small contract and must be classified. */
import { compareContracts, type Document } from "../../tools/contract/changes.ts";
import { readSurface, surfaceOf, writeSurface } from "../../tools/contract/surface.ts";
import type { Json } from "../support/api.ts";
import { released } from "./small-contract.ts";

const surface = readSurface(writeSurface(surfaceOf(released() as Document)));

/** The report for a change of the released contract. The repository has only its surface. */
function after(change: (contract: Json) => void, before = surface): string[] {
  const current = released();
  change(current);
  return compareContracts(before, current).map(
    ({ breaking, at, what }) => `${breaking ? "breaks" : "adds"}: ${at} ${what}`,
  );
}

const schemas = (contract: Json): Json => contract.components.schemas;

test("the comparison of equal contracts reports nothing", () => {
  expect(after(() => {})).toEqual([]);
});

const breaking: [string, (contract: Json) => void, string][] = [
  ["a path is removed", (c) => delete c.paths["/bots"], "breaks: GET /bots was removed"],
  ["an operation is removed", (c) => delete c.paths["/bots"].post, "breaks: POST /bots was removed"],
  [
    "a scope no longer reaches",
    (c) => c.paths["/bots"].get.security.shift(),
    "breaks: GET /bots no longer accepts readKey",
  ],
  ["a status is removed", (c) => delete c.paths["/bots"].get.responses[404], "breaks: GET /bots 404 was removed"],
  [
    "a header is removed",
    (c) => delete c.paths["/bots"].get.responses[200].headers["X-Request-Id"],
    "breaks: GET /bots 200 header X-Request-Id was removed",
  ],
  ["a parameter is removed", (c) => c.paths["/bots"].get.parameters.pop(), "breaks: GET /bots query state was removed"],
  [
    "a parameter is required from now on",
    (c) => Object.assign(c.components.parameters.Limit, { required: true }),
    "breaks: GET /bots query limit is required",
  ],
  [
    "a required parameter is added",
    (c) => c.paths["/bots"].get.parameters.push({ name: "of", in: "query", required: true, schema: {} }),
    "breaks: GET /bots query of was added and is required",
  ],
  [
    "a parameter's bound is narrowed",
    (c) => Object.assign(c.components.parameters.Limit.schema, { maximum: 100 }),
    "breaks: GET /bots query limit maximum is 100, was 200",
  ],
  [
    "a body is required",
    (c) => Object.assign(c.paths["/bots"].post.requestBody, { required: true }),
    "breaks: POST /bots body is required",
  ],
  [
    "a required field of a request is added",
    (c) => {
      schemas(c).NewBot.properties.model = { type: "string" };
      schemas(c).NewBot.required.push("model");
    },
    "breaks: POST /bots body.model was added and is required",
  ],
  [
    "a field of a request is required",
    (c) => schemas(c).NewBot.required.push("note"),
    "breaks: POST /bots body.note is required",
  ],
  [
    "a field of a request is removed",
    (c) => delete schemas(c).NewBot.properties.note,
    "breaks: POST /bots body.note was removed",
  ],
  [
    "a text is to be longer",
    (c) => Object.assign(schemas(c).NewBot.properties.name, { minLength: 2 }),
    "breaks: POST /bots body.name minLength is 2, was 1",
  ],
  [
    "a text is to have a form",
    (c) => Object.assign(schemas(c).NewBot.properties.name, { pattern: "^a" }),
    "breaks: POST /bots body.name pattern is ^a, was none",
  ],
  [
    "null is no longer taken",
    (c) => Object.assign(schemas(c).NewBot.properties.note, { type: "string" }),
    "breaks: POST /bots body.note is string, was string or null",
  ],
  [
    "a value is no longer taken",
    (c) => schemas(c).State.enum.pop(),
    "breaks: POST /bots body.state lost the value paused",
  ],
  [
    "a field of an answer is removed",
    (c) => delete schemas(c).Bot.properties.owner,
    "breaks: GET /bots 200.owner was removed",
  ],
  [
    "a field deep in an answer is removed",
    (c) => delete schemas(c).Bot.properties.tags.items.properties.name,
    "breaks: GET /bots 200.tags[].name was removed",
  ],
  [
    "a field of an answer may be absent",
    (c) => schemas(c).Bot.required.pop(),
    "breaks: GET /bots 200.state may be absent",
  ],
  [
    "a field of an answer may be null",
    (c) => Object.assign(schemas(c).Bot.properties.id, { type: ["string", "null"] }),
    "breaks: GET /bots 200.id is string or null, was string",
  ],
  [
    "a field of an answer is of another type",
    (c) => Object.assign(schemas(c).Bot.properties.id, { type: "integer" }),
    "breaks: GET /bots 200.id is integer, was string",
  ],
  [
    "a field of an answer may be one thing more",
    (c) => schemas(c).Bot.properties.whose.anyOf.push({ type: "integer" }),
    "breaks: GET /bots 200.whose has more choices",
  ],
  [
    "a field of a refusal is removed",
    (c) => delete schemas(c).Refusal.properties.code,
    "breaks: GET /bots 404.code was removed",
  ],
  ["an event is removed", (c) => delete c.webhooks["bot.made"], "breaks: POST bot.made was removed"],
  [
    "a field of an event is removed",
    (c) => delete schemas(c).Bot.properties.owner,
    "breaks: POST bot.made body.owner was removed",
  ],
  [
    "a header of an event is removed",
    (c) => c.webhooks["bot.made"].post.parameters.pop(),
    "breaks: POST bot.made header X-Signature was removed",
  ],
];

test.each(breaking)("the comparison reports a breaking change when %s", (_name, change, expected) => {
  expect(after(change)).toContain(expected);
});

const additive: [string, (contract: Json) => void, string][] = [
  ["a path is added", (c) => (c.paths["/me"] = { get: { responses: {} } }), "adds: GET /me was added"],
  [
    "an optional parameter is added",
    (c) => c.paths["/bots"].get.parameters.push({ name: "q", in: "query", schema: {} }),
    "adds: GET /bots query q was added",
  ],
  [
    "an optional field of a request is added",
    (c) => (schemas(c).NewBot.properties.model = { type: "string" }),
    "adds: POST /bots body.model was added",
  ],
  ["a status is added", (c) => (c.paths["/bots"].get.responses[503] = {}), "adds: GET /bots 503 was added"],
  ["an event is added", (c) => (c.webhooks["bot.gone"] = { post: { responses: {} } }), "adds: POST bot.gone was added"],
  [
    "a field of an answer is added",
    (c) => (schemas(c).Bot.properties.model = { type: "string" }),
    "adds: GET /bots 200.model was added",
  ],
  [
    "an answer may have a value more",
    (c) => schemas(c).State.enum.push("archived"),
    "adds: GET /bots 200.state gained the value archived",
  ],
  [
    "an answer may be a kind of thing more",
    (c) => schemas(c).Bot.properties.event.oneOf.push({ type: "object", properties: { kind: { type: "string" } } }),
    "adds: GET /bots 200.event has more choices",
  ],
  [
    "an answer is never null any more",
    (c) => Object.assign(schemas(c).Bot.properties.owner, { type: "string" }),
    "adds: GET /bots 200.owner is string, was string or null",
  ],
];

test.each(additive)("the comparison reports no breaking change when %s", (_name, change, expected) => {
  const changes = after(change);
  expect(changes).toContain(expected);
  expect(changes.filter((each) => each.startsWith("breaks"))).toEqual([]);
});

test.each<[string, (contract: Json) => void]>([
  ["a bound is widened", (c) => Object.assign(schemas(c).NewBot.properties.name, { maxLength: 120 })],
  ["a field of a request need not be given any more", (c) => schemas(c).NewBot.required.pop()],
  ["a description is written", (c) => Object.assign(c.paths["/bots"].get, { description: "Bots." })],
  [
    "a schema is named that was not",
    (c) => {
      schemas(c).Note = schemas(c).NewBot.properties.note;
      schemas(c).NewBot.properties.note = { $ref: "#/components/schemas/Note" };
    },
  ],
])("no change is reported when %s", (_name, change) => {
  expect(after(change)).toEqual([]);
});

/** The path of each member of the small contract. */
function* membersOf(part: Json, path: string[] = []): Generator<string[]> {
  if (typeof part !== "object" || part === null) return;
  for (const [name, value] of Object.entries(part)) {
    yield [...path, name];
    yield* membersOf(value, [...path, name]);
  }
}

/** A contract without a needed part, such as a component that is referred to, cannot be compared. */
function reportWithout(path: string[], before: Document): string[] | "invalid" {
  const name = path.at(-1) as string;
  const remove = (contract: Json) => {
    const parent = path.slice(0, -1).reduce((part, each) => part[each], contract);
    if (Array.isArray(parent)) parent.splice(Number(name), 1);
    else delete parent[name];
  };
  try {
    return after(remove, before);
  } catch {
    return "invalid";
  }
}

test("for each removed member, the comparisons with the surface and with the whole contract report the same", () => {
  const whole = released() as Document;
  const paths = [...membersOf(whole)];
  const reports = paths.map((path) => [path, reportWithout(path, surface)] as const);
  expect(reports).toEqual(paths.map((path) => [path, reportWithout(path, whole)]));
  expect(reports.filter(([, report]) => report.length > 0 && report !== "invalid").length).toBeGreaterThan(50);
});
