// Loads every part once, so that what Node compiled of it is kept in the folder that the first argument names.
import { enableCompileCache } from "node:module";

enableCompileCache(process.argv[2]);
await Promise.all([
  import("./cli.ts"),
  import("./main.ts"),
  import("./http/server.ts"),
  import("./worker/worker.ts"),
  import("./console/server.ts"),
  import("./database/migrate.ts"),
]);
