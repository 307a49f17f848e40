/** Probes of the process and of its readiness. */
import { type Response, Router } from "express";
import type { ApiPools } from "../../database/connections/api-pools.ts";
import { refusedLogin } from "../../database/logins.ts";
import { faultOf, type Log } from "../../log.ts";
import { callReadiness } from "../handle.ts";
import { only } from "./methods.ts";
import { shared } from "./shared.ts";

/**
 * `/healthz`: the process runs. `/readyz`: it can serve: database, definitions, worker. (docs/specification/service.md#health)
 *
 * @param definitions the digest of the SQL definitions at the start of this process
 */
export function healthPages(pools: ApiPools, definitions: string, log: Log): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const state = shared(() => readiness(pools, definitions, log));
  router.get("/healthz", (_request, response) => plain(response, 200, { status: "ok" }));
  router.get("/readyz", async (_request, response) => {
    const found = await state();
    plain(response, Object.values(found).every((part) => part === "ok") ? 200 : 503, found);
  });
  router.all(["/healthz", "/readyz"], only("get"));
  return router;
}

/** The page has no credential, so it names the kind of fault only. The log has the sentence. */
async function readiness(
  pools: ApiPools,
  definitions: string,
  log: Log,
): Promise<{ database: string; migrations: string; worker: string }> {
  try {
    const found = await callReadiness(pools);
    return {
      database: "ok",
      migrations: found.definitions === definitions ? "ok" : "another version",
      worker: found.worker ? "ok" : "silent",
    };
  } catch (error) {
    log.warn({ error: faultOf(error) }, "readiness check failed, the next call checks again");
    const database = refusedLogin(error) === undefined ? "away" : "login refused";
    return { database, migrations: "unknown", worker: "unknown" };
  }
}

function plain(response: Response, status: number, body: object): void {
  response.status(status).set({ "cache-control": "no-store", "x-content-type-options": "nosniff" }).json(body);
}
