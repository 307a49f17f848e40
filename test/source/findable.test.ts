/** `git grep "function api.get_memory"` leads to the text of the function, also where a loop makes it. */
import { operations, pageOperations } from "../../src/contract/operations.ts";
import { readSource, type Source } from "../support/source-rules.ts";

/** Where sql/ names a function in full, except to grant, comment or call it. */
const definitionsOf = (name: string, files: Source): string[] =>
  Object.entries(files).flatMap(([file, text]) => {
    if (!/^sql\/.*\.sql$/.test(file)) return [];
    const named = new RegExp(`(?<!\\bon |execute )function ${name.replaceAll(".", "\\.")}\\b`);
    return text.split("\n").flatMap((line, at) => (named.test(line) ? [`${file}:${at + 1}`] : []));
  });

test("every operation of the contract has one place in sql/ that names its function", () => {
  const source = readSource();
  const places = [...operations, ...pageOperations].map(({ name }) => ({
    name,
    places: definitionsOf(`api.${name}`, source),
  }));
  expect(places.filter(({ places: { length } }) => length !== 1)).toEqual([]);
});

test("definitionsOf finds a plain definition and a row of a loop, but no grant, comment or trigger", () => {
  const text = `create function api.first(input jsonb) returns text
    ('function api.first', 'bots'),
    grant execute on function api.first to tenant;
    comment on function api.first is 'First.';
    execute function api.first();
    create function api.first_page() returns text`;
  expect(definitionsOf("api.first", { "sql/api/some.sql": text })).toEqual([
    "sql/api/some.sql:1",
    "sql/api/some.sql:2",
  ]);
});
