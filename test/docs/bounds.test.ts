/** Pages that must stay short, and the form of the changelog's entries. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("../../", import.meta.url));
const linesOf = (page: string) =>
  readFileSync(project + page, "utf8")
    .trimEnd()
    .split("\n");

test.each([
  ["README.md", 100],
  ["docs/performance.md", 60],
])("%s has at most %i lines", (page, max) => {
  expect(linesOf(page).length).toBeLessThanOrEqual(max);
});

/** What is wrong with the releases of a changelog: an entry of several lines, or a heading twice in a release. */
function changelogFaults(lines: string[]): string[] {
  let release = "";
  let headings = new Set<string>();
  return lines.flatMap((line) => {
    if (line.startsWith("## ")) {
      release = line;
      headings = new Set();
    } else if (line.startsWith("### ")) {
      if (headings.has(line)) return [`${line} twice`];
      headings.add(line);
    } else if (release && line !== "" && !line.startsWith("- ")) return [line];
    return [];
  });
}

test("CHANGELOG.md has one line for each entry, and each heading once in a release", () => {
  expect(changelogFaults(linesOf("CHANGELOG.md"))).toEqual([]);
});

test("changelogFaults finds an entry of two lines and a repeated heading", () => {
  const planted = [
    "# Changelog",
    "",
    "Text.",
    "## [1]",
    "### Added",
    "- One",
    "  more",
    "### Added",
    "## [0]",
    "### Added",
  ];
  expect(changelogFaults(planted)).toEqual(["  more", "### Added twice"]);
});
