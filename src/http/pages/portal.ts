/** The portal: one document for all its routes. Its data comes from the operations. (docs/portal.md) */
import { Router } from "express";
import { frontDocument, frontFiles, frontPolicy } from "../../web/front/programs.ts";
import { only } from "./methods.ts";

const paths = ["/portal", "/portal/{*path}"];

/** @param frameAncestors origins of the pages that may embed the portal */
export function portalPages(frameAncestors: string[]): Router {
  const headers = {
    "content-security-policy": frontPolicy(frameAncestors),
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-robots-tag": "noindex",
  };
  const router = Router({ strict: true, caseSensitive: true });
  router.use(frontFiles());
  router.get(paths, async (_request, response) => {
    response
      .set(headers)
      .type("html")
      .end(await frontDocument("portal/main.tsx", "Portal"));
  });
  router.all(paths, only("get"));
  return router;
}
