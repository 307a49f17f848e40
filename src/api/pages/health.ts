/** Probes of the process and of its readiness. */
import { type Response, Router } from "express";
import type { ApiPools } from "../../database/connections/api-pools.ts";
import { refusedLogin } from "../../database/logins.ts";
import { faultOf, type Log } from "../../log.ts";
import type { Databases } from "../one-database.ts";
import { callReadiness } from "../own-calls.ts";
import { only } from "./methods.ts";
import { shared } from "./shared.ts";

type Readiness = { database: string; migrations: string; worker: string };

const isReady = (found: Readiness): boolean => Object.values(found).every((part) => part === "ok");

/**
 * `/healthz`: the process runs. `/readyz`: it can serve: database, definitions, worker. With several cells it can serve if one
 * of them can. The page has no credential, so it counts cells and does not name them. (docs/specification/service.md#health)
 *
 * @param definitions the digest of the SQL definitions at the start of this process
 */
export function healthPages(databases: Databases, definitions: string, log: Log): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const { checkDirectory, ownName } = databases;
  const state = shared(async () => {
    const [directory, found] = await Promise.all([
      checkDirectory?.().then(
        () => "ok",
        () => "away",
      ),
      readinessOf(databases, definitions, log),
    ]);
    const own = found[ownName] as Readiness; // its cell is open from the start
    const parts = Object.values(found);
    const ready = parts.filter(isReady).length;
    return { ready: ready > 0, found: directory ? { ...own, directory, cells: { ready, known: parts.length } } : own };
  });
  router.get("/healthz", (_request, response) => plain(response, 200, { status: "ok" }));
  router.get("/readyz", async (_request, response) => {
    const { found, ready } = await state();
    plain(response, ready ? 200 : 503, found);
  });
  router.all(["/healthz", "/readyz"], only("get"));
  return router;
}

async function readinessOf(databases: Databases, definitions: string, log: Log): Promise<Record<string, Readiness>> {
  const known = await databases.all().catch(() => databases.opened());
  const found = [...known].map(async ([name, { pools }]): Promise<[string, Readiness]> => {
    return [name, await readiness(pools, definitions, log.child({ cell: name }))];
  });
  return Object.fromEntries(await Promise.all(found));
}

/** The page has no credential, so it names the kind of fault only. The log has the sentence. */
async function readiness(pools: ApiPools, definitions: string, log: Log): Promise<Readiness> {
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
