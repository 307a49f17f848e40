/** The API as it is started for use, but for its buckets: a benchmark is no caller that has to be held back. */
import { readConfig } from "../../src/config.ts";
import { makeBuckets } from "../../src/http/buckets.ts";
import { startApi } from "../../src/http/server.ts";
import { makeLog } from "../../src/log.ts";
import { contestant } from "./settings.ts";

/** More than is asked in a minute, and an integer of PostgreSQL's still. */
const most = 2_000_000_000;

/** @param rateLimits whether its requests are counted in the database */
export function api(rateLimits: "process" | "shared"): void {
  contestant(async ({ adminUrl, masterKey }) => {
    const config = readConfig({ PORT: "0", RATE_LIMITS: rateLimits });
    const key = {
      sealing: Buffer.from(masterKey.sealing, "base64"),
      password: (role: string) => masterKey.passwords[role] ?? "",
    };
    const limits = {
      key: most,
      organisation: most,
      platformKey: most,
      hook: most,
      address: most,
      withoutAddress: most,
    };
    const api = await startApi(config, adminUrl, key, makeLog("warn", "api"), makeBuckets(Date.now, limits));
    return api.url;
  });
}
