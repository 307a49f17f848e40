/** What all pages have in common: their links lead somewhere, and what they repeat of the code is what the code says. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { settingNames } from "../../src/config.ts";

const project = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, project), "utf8");
const pages = globSync("{*.md,{docs,examples,ops}/**/*.md}", { cwd: fileURLToPath(project) });

/** As GitHub makes them of headings. */
function anchors(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-"),
  );
}

/** What of a page leads nowhere. */
function deadLinks(page: string, markdown: string): string[] {
  const links = [...markdown.matchAll(/\]\(([^)\s]+)\)|<img src="([^"]+)"/g)].map(
    ([, link, image]) => link ?? image ?? "",
  );
  return links.filter((link) => {
    if (/^https?:/.test(link)) return false;
    const { href, hash, pathname } = new URL(link, new URL(page, project));
    if (!href.startsWith(project.href) || !existsSync(new URL(pathname, project))) return true;
    return hash !== "" && !anchors(readFileSync(new URL(pathname, project), "utf8")).includes(hash.slice(1));
  });
}

test.each(pages)("%s: every link leads somewhere", (page) => {
  expect(deadLinks(page, read(page))).toEqual([]);
});

test("a link that leads nowhere is found", () => {
  const links = '[a](nowhere.md) [b](README.md#no-such-heading) [c](../outside.md) <img src="none.png">';
  expect(deadLinks("README.md", links)).toHaveLength(4);
});

test("README: the policy that it shows is the one in force", () => {
  const [, shown = ""] = /```sql\n([\s\S]*?)```/.exec(read("README.md")) ?? [];
  expect(shown).toMatch(/^create policy /);
  expect(read("sql/policies/memories.sql")).toContain(shown);
});

test.each([
  ["docs/settings.md", /^\| (.+?) \|/gm],
  [".env.example", /^#?([A-Z_]+)=/gm],
])("%s lists the settings that are read", (page, row) => {
  const listed = [...read(page).matchAll(row)].flatMap(([, names = ""]) => names.match(/[A-Z][A-Z_]+/g) ?? []);
  expect(listed.filter((name) => name !== "POSTGRES_PASSWORD").sort()).toEqual([...settingNames].sort());
});
