/** docs/tables shows the tables, and where they are defined. */
import { readdirSync, readFileSync } from "node:fs";
import { tablePages, tablesFolder } from "../../tools/tables/pages.ts";
import { testDatabase } from "../support/database.ts";

test("docs/tables has the pages that `npm run docs:tables` writes", async () => {
  const db = await testDatabase();
  const pages = await tablePages(db.adminPool({ max: 1 }));
  await db.drop();
  const stored = Object.fromEntries(
    readdirSync(tablesFolder).map((file) => [file, readFileSync(new URL(file, tablesFolder), "utf8")]),
  );
  const stale = [...new Set([...Object.keys(pages), ...Object.keys(stored)])].filter(
    (file) => pages[file] !== stored[file],
  );
  expect({ run: "npm run docs:tables", stale }).toEqual({ run: "npm run docs:tables", stale: [] });
});
