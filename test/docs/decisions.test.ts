/** Decision records keep one form, and the index lists each of them. */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("../../", import.meta.url));
const folder = fileURLToPath(new URL("../../docs/decisions/", import.meta.url));
const read = (file: string) => readFileSync(folder + file, "utf8");
const records = globSync("[0-9]*.md", { cwd: folder }).toSorted();

test.each(records)("%s has the form of a record and at most 25 lines", (file) => {
  const lines = read(file).trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(25);
  expect(lines[0]).toMatch(new RegExp(`^# ${file.slice(0, 4)}\\. \\S`));
  expect(lines.filter((line) => line.startsWith("## "))).toEqual(["## Context", "## Decision", "## Consequences"]);
});

test("the index lists every record once, by its title", () => {
  const listed = [...read("README.md").matchAll(/^\| [^|]+ \| \[(.+?)\]\((\d{4}-[\w-]+\.md)\) \| \S/gm)];
  expect(listed.map(([, , file]) => file).toSorted()).toEqual(records);
  for (const [, title, file = ""] of listed) expect(read(file).split("\n")[0]).toBe(`# ${title}`);
});

test("records are numbered without a gap", () => {
  expect(records.map((file) => Number(file.slice(0, 4)))).toEqual(records.map((_, index) => index + 1));
});

/** Links whose text has the number of another record than their target. */
const misnumbered = (markdown: string) =>
  [...markdown.matchAll(/\[[^\]]*?(\d{4})[^\]]*\]\([^)]*?(\d{4})-[\w-]+\.md/g)]
    .filter(([, text, target]) => text !== target)
    .map(([link]) => link);

test("a link to a record has the number of that record", () => {
  const pages = globSync("{*.md,{docs,examples,ops,bench}/**/*.md}", { cwd: project });
  expect(pages.flatMap((page) => misnumbered(readFileSync(project + page, "utf8")))).toEqual([]);
});

test("misnumbered finds a link with the number of another record", () => {
  const links = "[0001](0001-a.md), [decision 0002](0003-b.md)";
  expect(misnumbered(links)).toEqual(["[decision 0002](0003-b.md"]);
});
