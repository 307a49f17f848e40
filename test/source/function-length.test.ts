/** Functions of sql/ fit on a screen. */
import { readSource, type Source } from "../support/source-rules.ts";

const maxLines = 40;

/** Functions and procedures that are longer, from `create` to the end of the statement. */
const longFunctions = (files: Source): string[] =>
  Object.entries(files).flatMap(([file, text]) =>
    [...text.matchAll(/^create (?:function|procedure) ([\w.]+)[^$]*?(?:\$\$.*?\$\$|\nreturn[^;]*);$/gms)]
      .map(([statement, name]) => ({ name, lines: statement.split("\n").length }))
      .filter(({ lines }) => /^sql\/.*\.sql$/.test(file) && lines > maxLines)
      .map(({ name, lines }) => `${file}: ${name} has ${lines} lines`),
  );

test(`no function of sql/ is longer than ${maxLines} lines`, () => {
  expect(longFunctions(readSource())).toEqual([]);
});

test("a longer function is found beside a shorter one", () => {
  const named = (name: string, lines: number) =>
    `create function api.${name}() returns text\nlanguage sql\nas $$\n${"  select '';\n".repeat(lines - 4)}$$;\n`;
  const text = `${named("first", maxLines)}comment on function api.first is 'First.';\n\n${named("second", maxLines + 1)}`;
  expect(longFunctions({ "sql/api/some.sql": text })).toEqual([
    `sql/api/some.sql: api.second has ${maxLines + 1} lines`,
  ]);
});
