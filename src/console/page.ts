/** The operators' page: one document for all its routes. Its data comes from /graphql. */
import { Router } from "express";
import { frontDocument, frontPolicy } from "../web/front/programs.ts";

/** Routes of the page; src/front/console/app.tsx maps them to page components. */
const routes = [
  "/",
  "/search",
  "/organisations{/:id}",
  "/endpoints/:id",
  "/deliveries/:id",
  "/runs/:id",
  "/deliveries-and-runs",
  "/email",
  "/operator-log",
  "/people/:id",
  "/requests/:id",
  "/graphiql",
];

/** The document; the router serves it to signed-in operators only. */
export function consolePage(): Router {
  const headers = { "content-security-policy": `${frontPolicy()}; frame-src 'self'`, "cache-control": "no-store" };
  const router = Router();
  router.get(routes, async (_request, response) => {
    response
      .set(headers)
      .type("html")
      .end(await frontDocument("console/main.tsx", "Botstead console"));
  });
  return router;
}
