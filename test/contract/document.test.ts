/** Tests the checker of responses: it finds undocumented content in every place. */

import { openApiDocument } from "../../src/api/openapi/document.ts";
import { fieldDescriptions } from "../../src/contract/field-descriptions.ts";
import { exampleEtag } from "../../src/contract/revision.ts";
import type { Json, Reply } from "../support/api.ts";
import { type Documented, readDocument } from "./document.ts";

const { operations, record } = readDocument(openApiDocument("http://127.0.0.1:3000"));
const getKey = operations.find(({ id }) => id === "get_key") as Documented;

/** The example of a response, as HTTP would return it. */
function answer(status: number, change: (reply: Reply<Json>) => void = () => {}): Reply<Json> {
  const content = getKey.responses[status]?.content?.["application/json"] as Json;
  const body = structuredClone(
    content?.example ?? Object.values(content?.examples ?? {}).map((each: Json) => each.value)[0],
  );
  const headers = new Headers({
    "x-request-id": "019aa0e4-5b00-7a00-8000-00000000000e",
    ...(status === 200 ? { etag: exampleEtag } : {}),
  });
  const reply = { status, body, text: "", headers };
  change(reply);
  return reply;
}

test("all examples of the document match their schemas", () => {
  record.check(getKey, answer(200));
  record.check(getKey, answer(404));
  expect([...record.seen]).toEqual(["get_key 200", "get_key 404 not_found"]);
});

test.each<[string, Reply<Json>]>([
  ["a field too many", answer(200, ({ body }) => Object.assign(body, { digest: "00" }))],
  ["a field too few", answer(200, ({ body }) => delete body.lastUsedAt)],
  ["a value of another kind", answer(200, ({ body }) => Object.assign(body, { createdAt: "yesterday" }))],
  ["a value that is not listed", answer(200, ({ body }) => Object.assign(body, { scope: "owner" }))],
  ["a status that is not listed", { ...answer(404), status: 403 }],
  ["a code that belongs to another status", answer(404, ({ body }) => Object.assign(body.error, { code: "conflict" }))],
  ["a field too many in a refusal", answer(404, ({ body }) => Object.assign(body.error, { hint: "look" }))],
  ["a header too many", answer(200, ({ headers }) => headers.set("location", "/keys/1"))],
  ["a header too few", answer(200, ({ headers }) => headers.delete("x-request-id"))],
])("the comparison of a response with the document reports %s", (_name, reply) => {
  expect(() => record.check(getKey, reply)).toThrow(/get_key/);
});

test("white space is reported between values, and ignored inside a string", () => {
  const spaced = (text: string) => record.check(getKey, { ...answer(200), text });
  expect(() => spaced('{"name": "CI"}')).toThrow(/white space/);
  expect(() => spaced('{"name":"CI",\n"id":"1"}')).toThrow(/white space/);
  expect(() => spaced('{"name":"C \\" I"}')).not.toThrow();
});

test("no component has a default, because client generators treat such a field as always present", () => {
  const { schemas } = openApiDocument("http://127.0.0.1:3000").components;
  for (const [name, { properties = {} }] of Object.entries(schemas)) {
    for (const [field, schema] of Object.entries(properties as Json)) {
      expect([name, field, "default" in (schema as object)]).toEqual([name, field, false]);
    }
  }
});

const { paths, components } = openApiDocument("http://127.0.0.1:3000");
const componentOf = ($ref: string) => components.schemas[$ref.slice("#/components/schemas/".length)] as Json;

/** Every field of this part of the document: its path, its name and its schema. */
function* fieldsIn(part: Json, path: string): Generator<[string, string, Json]> {
  if (typeof part !== "object" || part === null) return;
  for (const [key, value] of Object.entries(part)) {
    if (/^examples?$/.test(key)) continue;
    if (key === "properties" && [part.type].flat().includes("object"))
      for (const [name, schema] of Object.entries(value as Json)) yield [`${path}.${name}`, name, schema];
    yield* fieldsIn(value, `${path}.${key}`);
  }
}
const fields = [...fieldsIn({ paths, components }, "")];

test("every field has a description, of its own or of the component that it refers to", () => {
  const isDescribed = (schema: Json): boolean =>
    Boolean(schema.description) ||
    (schema.$ref ? isDescribed(componentOf(schema.$ref)) : (schema.allOf ?? []).some(isDescribed));
  const missing = fields.filter(([, , schema]) => !isDescribed(schema)).map(([path]) => path);
  expect(fields.length).toBeGreaterThan(500);
  expect(missing).toEqual([]);
});

test("every description by name is used", () => {
  const used = new Set(fields.map(([, name, schema]) => `${name}: ${schema.description}`));
  expect(Object.entries(fieldDescriptions).filter(([name, text]) => !used.has(`${name}: ${text}`))).toEqual([]);
});
