/** `npm run console:schema`: writes the GraphQL schema of the console, from a new database, to src/console/generated. */
import { writeFileSync } from "node:fs";
import { startCluster, stopCluster } from "../../test/support/cluster.ts";
import { testDatabase } from "../../test/support/database.ts";
import { exportedSchema, schemaFile } from "./schema/exported.ts";

await startCluster();
const db = await testDatabase();
writeFileSync(schemaFile, await exportedSchema(db.poolAs("operator", 1)));
await db.drop();
await stopCluster();
