/** A database whose walls are all there to be examined. */
import { Client } from "pg";
import { ensureDatabase } from "../../src/database/roles.ts";
import { type TestDatabase, testDatabase } from "./database.ts";

/** A clone has not what its template grants on the whole of itself: it is given as migrating does. */
export async function auditedDatabase(): Promise<TestDatabase> {
  const db = await testDatabase();
  const admin = new Client({ connectionString: db.adminUrl });
  await admin.connect();
  await ensureDatabase(admin);
  await admin.end();
  return db;
}
