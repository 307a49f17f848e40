/** `npm run docs:tables`: writes docs/tables from a new database. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { startCluster, stopCluster } from "../../test/support/cluster.ts";
import { testDatabase } from "../../test/support/database.ts";
import { tablePages, tablesFolder } from "./pages.ts";

await startCluster();
const db = await testDatabase();
const pages = await tablePages(db.adminPool({ max: 1 }));
rmSync(tablesFolder, { recursive: true, force: true });
mkdirSync(tablesFolder);
for (const [file, text] of Object.entries(pages)) writeFileSync(new URL(file, tablesFolder), text);
await db.drop();
await stopCluster();
