/** `/metrics` on the console's port: of all processes that stand together, to whoever may read figures. */
import { Router } from "express";
import { contentType } from "../metrics/endpoint.ts";
import type { Exposition } from "../metrics/siblings.ts";
import type { Admission } from "./admission.ts";
import { Refusal } from "./refusal.ts";

export function metricsRoute(admission: Admission, exposition: Exposition): Router {
  const router = Router();
  router.get("/metrics", async (request, response) => {
    if (!(await admission.mayReadFigures(request)))
      throw new Refusal("unauthenticated", { "www-authenticate": "Bearer" });
    response.set({ "content-type": contentType, "cache-control": "no-store" }).end(await exposition());
  });
  return router;
}
