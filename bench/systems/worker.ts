/** The worker with production settings, and allowed to reach the receivers of the benchmark. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../src/config.ts";
import { workerExtensions as extensions } from "../../src/extensions/worker.ts";
import { makeLog } from "../../src/log.ts";
import { startWorker } from "../../src/worker/worker.ts";
import { receivedKey } from "./key.ts";
import { system } from "./system.ts";

system(async ({ adminUrl, masterKey, receivers }) => {
  const { folder = "", ca = "" } = receivers ?? {};
  const caFile = join(folder, "receivers-ca.pem");
  writeFileSync(caFile, ca);
  const config = readConfig({
    DATA_DIR: folder,
    WEBHOOK_ALLOW_RANGES: "127.0.0.0/8,::1/128",
    WEBHOOK_CA_FILE: caFile,
  });
  await startWorker(config, adminUrl, receivedKey(masterKey), makeLog("warn", "worker"), { extensions });
  return "";
});
