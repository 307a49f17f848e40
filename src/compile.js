// Imports every part once, to fill Node's compile cache in the folder of the first argument. What serves the first call
// comes first, and a message says when it is written. One TypeScript file outside the cache costs a process 10 MB, since
// Node then loads its compiler.
import { enableCompileCache, flushCompileCache } from "node:module";
import { setPriority } from "node:os";

enableCompileCache(process.argv[2]);
await Promise.all([
  import("./tenant/commands.ts"),
  import("./cli.ts"),
  import("./cli/processes.ts"),
  import("./processes/start.ts"),
  import("./api/server.ts"),
  import("./extensions/api.ts"),
  import("./database/migrate.ts"),
]);
flushCompileCache();
process.send?.("served");
setPriority(19); // the rest is needed after the first call
await Promise.all([
  import("./worker/worker.ts"),
  import("./extensions/worker.ts"),
  import("./console/server.ts"),
  import("nodemailer"),
]);
