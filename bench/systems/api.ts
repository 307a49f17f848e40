/** The API with production settings, except for its rate limits, which are too high to be reached. */

import { startApi } from "../../src/api/server.ts";
import { readConfig } from "../../src/config.ts";
import { makeLog } from "../../src/log.ts";
import { makeRateLimiter } from "../../src/web/rate-limiter.ts";
import { receivedKey } from "./key.ts";
import { system } from "./system.ts";

/** Above any request rate per minute, and within the range of a PostgreSQL integer. */
const unlimited = 2_000_000_000;

/** @param rateLimits `shared` counts requests in the database */
export function api(rateLimits: "process" | "shared"): void {
  system(async ({ adminUrl, masterKey, directory }) => {
    const config = readConfig({
      PORT: "0",
      RATE_LIMITS: rateLimits,
      DIRECTORY_URL: directory?.url ?? "",
      CELL: directory?.cell ?? "",
    });
    const limits = {
      key: unlimited,
      organisation: unlimited,
      platformKey: unlimited,
      hook: unlimited,
      clientDocument: unlimited,
      address: unlimited,
      withoutAddress: unlimited,
    };
    const api = await startApi(config, adminUrl, receivedKey(masterKey), makeLog("warn", "api"), {
      rateLimiter: makeRateLimiter(Date.now, limits),
    });
    return api.url;
  });
}
