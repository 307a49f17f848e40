/** `/metrics` on the console's port, with the metrics of all processes of this installation. */
import { Router } from "express";
import { contentType } from "../metrics/endpoint.ts";
import type { Exposition } from "../metrics/siblings.ts";
import type { Authentication } from "./authentication.ts";
import { Refusal } from "./refusal.ts";

export function metricsRoute(authentication: Authentication, exposition: Exposition): Router {
  const router = Router();
  router.get("/metrics", async (request, response) => {
    if (!(await authentication.canReadMetrics(request)))
      throw new Refusal("unauthenticated", { "www-authenticate": "Bearer" });
    response.set({ "content-type": contentType, "cache-control": "no-store" }).end(await exposition());
  });
  return router;
}
