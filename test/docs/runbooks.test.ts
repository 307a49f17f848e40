/** Runbooks: each alert has a section, each section an alert, and each query works. */
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { rules } from "../support/ops-files.ts";
import { readPromql } from "../support/promql.ts";
import { blocksOf, runbooks, sections } from "../support/runbooks.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

test("each alert has a section in a runbook, at its runbook_url, and each section has an alert", () => {
  const urls = rules().map(({ annotations }) => annotations.runbook_url);
  expect(urls.toSorted()).toEqual(
    sections()
      .map(({ page, heading }) => `docs/runbooks/${page}#${heading.toLowerCase()}`)
      .toSorted(),
  );
  for (const { alert, annotations } of rules()) expect(annotations.runbook_url).toMatch(`#${alert.toLowerCase()}`);
});

test("the index names every page", () => {
  const index = runbooks.get("README.md") ?? "";
  expect([...runbooks.keys()].filter((page) => page !== "README.md" && !index.includes(`](${page})`))).toEqual([]);
});

test.each(sections().map(({ heading, text }) => [heading, text]))(
  "%s says what the alert means, has a query or a command, and says what to do",
  (_heading, text) => {
    expect(text).toMatch(/^\n[A-Z`](?:.+\n)*?.*\.\n\n/);
    expect(text).toMatch(/\n```\n\n- /);
    expect(["sql", "bash", "promql"].flatMap((language) => blocksOf(text, language))).not.toEqual([]);
  },
);

test.each(sections().flatMap(({ heading, text }) => blocksOf(text, "sql").map((sql) => [heading, sql])))(
  "%s: the statement works: %s",
  async (_heading, sql) => {
    await db.sql(`begin;\n${sql};\nrollback`);
  },
);

test.each(sections().flatMap(({ heading, text }) => blocksOf(text, "promql").map((expr) => [heading, expr])))(
  "%s: the expression is valid: %s",
  (_heading, expr) => {
    expect(readPromql(expr).metrics).not.toEqual([]);
  },
);
