/** A test database with every grant that the security audit checks, and without findings. */
import { Client } from "pg";
import { ensureDatabase } from "../../src/database/ensure-database.ts";
import { type TestDatabase, testDatabase } from "./database.ts";

/** Of a database on the cluster of all tests, which may lose its last writes (cluster.ts), and has standbys of other tests. */
export const findingsOnTestCluster = `select * from audit.findings
  where object not in ('setting fsync', 'setting synchronous_commit') and object not like 'replication slot botstead_standby_%'`;

/** A clone lacks the template's grants on the database itself, so they are granted as a migration does. */
export async function auditedDatabase(): Promise<TestDatabase> {
  const db = await testDatabase();
  const admin = new Client({ connectionString: db.adminUrl });
  await admin.connect();
  await ensureDatabase(admin);
  await admin.query(
    `select operator.accept_finding(
       audit.finding_id(rule, kind || ' ' || name, detail), rule, kind || ' ' || name, detail, 'Tests', 'Test data may be lost.'
     )
     from audit.violations_of_settings where name in ('fsync', 'synchronous_commit')`, // off in test/support/cluster.ts
  );
  await admin.end();
  return db;
}
