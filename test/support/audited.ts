/** A test database with every grant that the security audit checks. */
import { Client } from "pg";
import { ensureDatabase } from "../../src/database/ensure-database.ts";
import { type TestDatabase, testDatabase } from "./database.ts";

/** A clone lacks the template's grants on the database itself, so they are granted as a migration does. */
export async function auditedDatabase(): Promise<TestDatabase> {
  const db = await testDatabase();
  const admin = new Client({ connectionString: db.adminUrl });
  await admin.connect();
  await ensureDatabase(admin);
  await admin.end();
  return db;
}
