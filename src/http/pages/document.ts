/**
 * The contract as a document: OpenAPI 3.1 for programs, a page for people. (Part 4, "Contract document".)
 */
import { createHash } from "node:crypto";
import { Router } from "express";
import { openApiDocument } from "../openapi.ts";
import { referencePage } from "./reference.ts";

/**
 * Whether the caller has this version. Express would also heed `cache-control: no-cache`, which speaks to caches on the
 * way and which fetch adds by itself to every conditional request, so that no script of its callers would hear 304.
 */
function knows(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
  return tags.includes(etag) || tags.includes("*");
}

export function documentPages(baseUrl: string): Router {
  const document = openApiDocument(baseUrl);
  const text = JSON.stringify(document);
  const etag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
  const page = referencePage(document);
  const router = Router();
  router.get("/api/v1/openapi.json", (request, response) => {
    response.set({ "cache-control": "public, max-age=3600", etag });
    if (knows(request.headers["if-none-match"], etag)) response.status(304).end();
    else response.setHeader("content-type", "application/json").end(text);
  });
  router.get("/docs", (_request, response) => {
    response.set({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-cache",
    });
    response.end(page);
  });
  return router;
}
