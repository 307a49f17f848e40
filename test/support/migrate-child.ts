// A process that migrates: `node migrate-child.ts <admin's url> <master key>`. Prints each step when it begins.
import { migrate } from "../../src/database/migrate.ts";
import { loadMasterKey } from "../../src/secrets/master-key.ts";

const [adminUrl = "", masterKey = ""] = process.argv.slice(2);
const key = loadMasterKey({ dataDir: "", masterKey });
await migrate({ adminUrl, key, progress: (sentence) => void process.stdout.write(`${sentence}\n`) });
