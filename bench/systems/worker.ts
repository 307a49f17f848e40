/** The worker with production settings, and allowed to reach the receivers of the benchmark. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../src/config.ts";
import { makeLog } from "../../src/log.ts";
import { deriveInvitationKey } from "../../src/secrets/master-key.ts";
import { startWorker } from "../../src/worker/worker.ts";
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
  const sealing = Buffer.from(masterKey.sealing, "base64");
  const key = {
    sealing,
    invitations: deriveInvitationKey(sealing),
    checkpoints: Buffer.from(masterKey.checkpoints, "base64"),
    password: (role: string) => masterKey.passwords[role] ?? "",
  };
  await startWorker(config, adminUrl, key, makeLog("warn", "worker"));
  return "";
});
