/** The public keys of deliveries, as a JSON Web Key Set. (docs/specification/deliveries.md#public-keys) */
import { Router } from "express";
import type { ApiPools } from "../../database/connections/api-pools.ts";
import { faultOf, type Log } from "../../log.ts";
import { jsonWebKeyOf } from "../../secrets/json-web-key.ts";
import { refusal, send } from "../answer/answer.ts";
import { callSigningKeys } from "../handle.ts";
import { only } from "./methods.ts";
import { shared } from "./shared.ts";

const path = "/.well-known/webhooks.json";

/** How long a process answers without asking the database. */
const freshMs = 1_000;

const headers = {
  "cache-control": "public, max-age=300",
  "x-content-type-options": "nosniff",
};

export function signingKeyPages(pools: ApiPools, log: Log): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const published = shared(() => callSigningKeys(pools), freshMs);
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
