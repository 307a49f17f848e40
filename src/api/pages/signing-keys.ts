/** The public keys of deliveries, as a JSON Web Key Set. (docs/specification/deliveries.md#public-keys) */
import { Router } from "express";
import { faultOf, type Log } from "../../log.ts";
import { jsonWebKeyOf } from "../../secrets/json-web-key.ts";
import type { Databases } from "../one-database.ts";
import { callSigningKeys } from "../own-calls.ts";
import { refusal, send } from "../stages/respond.ts";
import { only } from "./methods.ts";
import { shared } from "./shared.ts";

const path = "/.well-known/webhooks.json";

/** How long a process answers without asking the database. */
const freshMs = 1_000;

const headers = {
  "cache-control": "public, max-age=300",
  "x-content-type-options": "nosniff",
};

export function signingKeyPages(databases: Databases, log: Log): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const published = shared(() => keysOf(databases), freshMs);
  router.get(path, async (_request, response) => {
    try {
      const keys = (await published()).map((key) => jsonWebKeyOf(Buffer.from(key, "base64")));
      response.set(headers).json({ keys });
    } catch (error) {
      log.warn({ error: faultOf(error) }, "reading the public keys failed, the next call reads again");
      send(response, refusal("unavailable", response.locals.requestId));
    }
  });
  router.all(path, only("get"));
  return router;
}

/** Each cell has its own keys, and a receiver cannot know the cell of a delivery. One cell that is away makes it a 503. */
async function keysOf(databases: Databases): Promise<string[]> {
  const all = [...(await databases.all()).values()];
  return (await Promise.all(all.map(({ pools }) => callSigningKeys(pools)))).flat();
}
