/** A database with a row of every kind, and queries of the console on it. */
import { type Seeded, seedOrganisation, seedService } from "../sql/seed.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { ofFile } from "../support/of-file.ts";
import { type Asker, askerOf } from "../support/saved-queries.ts";

export type SeededConsole = { db: TestDatabase; asker: Asker; seeded: Seeded };

/**
 * Opened before the file's tests and closed after them.
 *
 * @param prepare adds rows before the first query
 * @param explains also reads the plans of queries
 */
export function seededConsoleOfFile(
  prepare: (here: SeededConsole) => Promise<void> = async () => {},
  explains = false,
): SeededConsole {
  return ofFile(
    async (here) => {
      here.db = await testDatabase();
      await seedService(here.db);
      here.seeded = await seedOrganisation(here.db);
      await prepare(here);
      here.asker = await askerOf(here.db, explains);
    },
    async ({ asker, db }) => {
      await asker?.end();
      await db?.drop();
    },
  );
}
