/** Every page: links resolve, and what a page repeats of the code is true. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { settingNames } from "../../src/config.ts";
import { anchorsOf } from "../support/anchors.ts";

const project = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, project), "utf8");
const pages = globSync("{*.md,{docs,examples,ops,bench}/**/*.md}", {
  cwd: fileURLToPath(project),
  exclude: ["**/node_modules/**"], // of commands such as the bench
});

/** Links of a page that do not resolve. */
function deadLinks(page: string, markdown: string): string[] {
  const links = [...markdown.matchAll(/\]\(([^)\s]+)\)|<img src="([^"]+)"/g)].map(
    ([, link, image]) => link ?? image ?? "",
  );
  return links.filter((link) => {
    if (/^https?:/.test(link)) return false;
    const { href, hash, pathname } = new URL(link, new URL(page, project));
    if (!href.startsWith(project.href) || !existsSync(new URL(pathname, project))) return true;
    return hash !== "" && !anchorsOf(readFileSync(new URL(pathname, project), "utf8")).has(hash.slice(1));
  });
}

test.each(pages)("every link of %s resolves", (page) => {
  expect(deadLinks(page, read(page))).toEqual([]);
});

test("deadLinks finds links that do not resolve", () => {
  const links = '[a](nowhere.md) [b](README.md#no-such-heading) [c](../outside.md) <img src="none.png">';
  expect(deadLinks("README.md", links)).toHaveLength(4);
});

test("every curl line with an Idempotency-Key creates a new one", () => {
  const shown = pages.flatMap((page) =>
    [...read(page).matchAll(/^.*-H .idempotency-key: .*$/gm)].map(([line]) => line),
  );
  expect(shown.length).toBeGreaterThan(6);
  expect(shown.filter((line) => !line.includes('"idempotency-key: $(od -An -N8 -tx8 /dev/urandom)"'))).toEqual([]);
});

test("the policy in README is in force", () => {
  const [, shown = ""] = /```sql\n([\s\S]*?)```/.exec(read("README.md")) ?? [];
  expect(shown).toMatch(/^create policy /);
  expect(read("sql/policies/memories.sql")).toContain(shown);
});

test(".env.example lists every setting", () => {
  const listed = [...read(".env.example").matchAll(/^#?([A-Z_]+)=/gm)].map(([, name = ""]) => name);
  expect(listed.filter((name) => name !== "POSTGRES_PASSWORD").sort()).toEqual([...settingNames].sort());
});
