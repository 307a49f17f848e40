/** The generated GraphQL schema of the console. */
import { readFileSync } from "node:fs";
import { exportedSchema, schemaFile } from "../../tools/console/schema/exported.ts";
import { testDatabase } from "../support/database.ts";

test("src/console/generated/schema.js matches the views of the database", async () => {
  const db = await testDatabase();
  const [exported, stored] = [await exportedSchema(db.poolAs("operator", 1)), readFileSync(schemaFile, "utf8")];
  if (exported !== stored) throw new Error("The stored schema differs: run `npm run console:schema`.");
});
