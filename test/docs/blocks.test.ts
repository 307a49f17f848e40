/** Each code block of each page is run by a test, or listed with the reason why not. (block-ways.ts) */
import { existsSync, globSync, readFileSync } from "node:fs";
import { docBlocks, inProject } from "../support/doc-blocks.ts";
import { type Way, wayOf, ways } from "./block-ways.ts";

const blocks = docBlocks();
const named = ({ page, text }: { page: string; text: string }) => `${page}: ${text.split("\n")[0]}`;

test("each block has a way, and each way has a block", () => {
  expect(blocks.length).toBeGreaterThan(120);
  expect(blocks.filter(({ page, text }) => !wayOf(page, text)).map(named)).toEqual([]);
  const used = new Set<Way | undefined>(blocks.map(({ page, text }) => wayOf(page, text)));
  const unused = Object.entries(ways).flatMap(([page, of]) =>
    Object.entries(of)
      .filter(([, way]) => !used.has(way))
      .map(([begin]) => `${page}: ${begin}`),
  );
  expect(unused).toEqual([]);
});

test("the test files that run blocks exist, and each reason is a sentence", () => {
  for (const way of Object.values(ways).flatMap((of) => Object.values(of))) {
    if ("by" in way) for (const file of way.by) expect([file, existsSync(inProject(file))]).toEqual([file, true]);
    if ("not" in way) expect(way.not).toMatch(/^[A-Z].*\.$/);
  }
});

test("each npm script and each path of the repository in a command exists", () => {
  const { scripts } = JSON.parse(readFileSync(inProject("package.json"), "utf8"));
  const commands = blocks.filter(({ language }) => /^(ba)?sh$/.test(language));
  const found = (pattern: RegExp) =>
    commands.flatMap(({ text }) => [...text.matchAll(pattern)].map(([, name = ""]) => name));
  const named = found(/npm run (?:--silent )?([\w:-]+)/g);
  const paths = found(/(?<![\w/.-])((?:bench|docs|examples|ops|sql|src|test)\/[\w./-]*\w)/g);
  expect([named.length > 15, paths.length > 20]).toEqual([true, true]);
  expect(named.filter((name) => !scripts[name])).toEqual([]);
  expect(paths.filter((path) => globSync(`${inProject(path)}*`).length === 0)).toEqual([]);
});

test("wayOf finds a planted block of a page and a planted page that have none", () => {
  expect(wayOf("docs/backups.md", "rm -rf /srv/botstead\n")).toBeUndefined();
  expect(wayOf(`docs/${"nowhere"}.md`, "npx botstead status\n")).toBeUndefined();
});

test("each statement to run by psql is preceded by its login", () => {
  const statements = blocks.filter(
    ({ page, language }) => language === "sql" && /^docs\/(?!auditing|runbooks)/.test(page),
  );
  expect(statements.length).toBeGreaterThan(1);
  expect(
    statements.filter(({ before }) => !/psql "\$\(npx botstead database-url.*\)"/.test(before)).map(named),
  ).toEqual([]);
  const shown = blocks.filter(({ language, text }) => language === "bash" && /^psql\b/m.test(text));
  expect(shown.filter(({ text }) => !/database-url|postgres:\/\//.test(text)).map(named)).toEqual([]);
});
