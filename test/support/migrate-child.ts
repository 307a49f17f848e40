// A process that migrates: `node migrate-child.ts <admin's url> <master key> [new]`. Prints each step when it begins.
import { migrate } from "../../src/database/migrate.ts";
import { loadMasterKey } from "../../src/secrets/master-key.ts";

const [adminUrl = "", masterKey = "", age] = process.argv.slice(2);
const key = loadMasterKey({ dataDir: "", masterKey });
await migrate({
  ...{ adminUrl, key, isNew: age === "new" },
  progress: (sentence) => void process.stdout.write(`${sentence}\n`),
});
