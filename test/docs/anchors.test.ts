/** Every citation of a documentation page, in code and in Markdown, leads to a page and an anchor that exist. */
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { anchorsOf, deadCitations } from "../support/anchors.ts";

const project = fileURLToPath(new URL("../../", import.meta.url));
const files = globSync(
  [
    "*.md",
    "{docs,examples,ops}/**/*.md",
    "{src,sql,test,bench,tools,migrations,examples,ops}/**/*",
    "{.env.example,Dockerfile,docker-compose.yml,.ci/run}",
  ],
  { cwd: project, exclude: ["**/node_modules/**"] },
).filter((file) => statSync(project + file).isFile() && !/\.(png|svg|ico|woff2)$/.test(file));
/** A committed migration is never edited, so it may name a decision record that was merged into another since. */
const formerRecord = /docs\/decisions\/\d{4}-[\w-]+\.md/g;
function textOf(file: string): string {
  const text = readFileSync(project + file, "utf8");
  return file.startsWith("migrations/committed/") ? text.replace(formerRecord, "") : text;
}
const readPage = (page: string) => (existsSync(project + page) ? readFileSync(project + page, "utf8") : undefined);

test("citations in code and Markdown resolve to a page and an anchor", () => {
  const dead = files.flatMap((file) => deadCitations(textOf(file), readPage).map((cited) => `${file}: ${cited}`));
  expect(dead).toEqual([]);
});

test("deadCitations finds a planted anchor and a planted page that do not exist", () => {
  const page = "docs/specification/memories.md";
  const planted = ["#visibility", "#no-such-rule"].map((anchor) => `-- Specification: ${page}${anchor}`);
  const text = [...planted, page, `docs/${"no-such-page"}.md`].join("\n");
  expect(deadCitations(text, readPage)).toEqual([`${page}#no-such-rule`, `docs/${"no-such-page"}.md`]);
});

test("anchorsOf numbers equal headings, takes explicit ids and ignores code blocks", () => {
  const page = ["# A `b`, c", "## A b c", '- <a id="rule"></a>x', "```sh", "# comment", "```", "## [Text](x.md)"].join(
    "\n",
  );
  expect([...anchorsOf(page)]).toEqual(["a-b-c", "a-b-c-1", "text", "rule"]);
});

test("the README of the specification names every page", () => {
  const pages = globSync("*.md", { cwd: `${project}docs/specification` }).filter((page) => page !== "README.md");
  const readme = readPage("docs/specification/README.md") ?? "";
  expect(pages.filter((page) => !readme.includes(`](${page})`))).toEqual([]);
});
