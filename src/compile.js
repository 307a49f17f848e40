// Imports every part once, to fill Node's compile cache in the folder of the first argument.
import { enableCompileCache } from "node:module";

enableCompileCache(process.argv[2]);
await Promise.all([
  import("./cli.ts"),
  import("./cli/processes.ts"),
  import("./processes/start.ts"),
  import("./http/server.ts"),
  import("./worker/worker.ts"),
  import("./console/server.ts"),
  import("./database/migrate.ts"),
  import("nodemailer"),
]);
