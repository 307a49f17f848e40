/** Functions and views of sql/ fit on a screen. */
import { readSource, type Source } from "../support/source-rules.ts";

const maxLines = 40;

/**
 * Functions, procedures and views that are longer, from `create` to the end of the statement. Views of sql/audit are lists:
 * of rows, or of one query for each rule.
 */
const longDefinitions = (files: Source): string[] =>
  Object.entries(files).flatMap(([file, text]) =>
    [
      ...text.matchAll(
        /^create (?:(?:function|procedure) ([\w.]+)[^$]*?(?:\$\$.*?\$\$|\nreturn[^;]*)|view ((?!audit\.)[\w.]+).*?);$/gms,
      ),
    ]
      .map(([statement, name, view]) => ({ name: name ?? view, lines: statement.split("\n").length }))
      .filter(({ lines }) => /^sql\/.*\.sql$/.test(file) && lines > maxLines)
      .map(({ name, lines }) => `${file}: ${name} has ${lines} lines`),
  );

test(`no function or view of sql/ is longer than ${maxLines} lines`, () => {
  expect(longDefinitions(readSource())).toEqual([]);
});

test("longDefinitions finds a longer function beside a shorter one", () => {
  const named = (name: string, lines: number) =>
    `create function api.${name}() returns text\nlanguage sql\nas $$\n${"  select '';\n".repeat(lines - 4)}$$;\n`;
  const text = `${named("first", maxLines)}comment on function api.first is 'First.';\n\n${named("second", maxLines + 1)}`;
  expect(longDefinitions({ "sql/api/some.sql": text })).toEqual([
    `sql/api/some.sql: api.second has ${maxLines + 1} lines`,
  ]);
  const view = `create view rows.third as\n${"select 1 union all\n".repeat(maxLines - 1)}select 1;\n`;
  expect(longDefinitions({ "sql/rows/some.sql": view })).toEqual([
    `sql/rows/some.sql: rows.third has ${maxLines + 1} lines`,
  ]);
});
