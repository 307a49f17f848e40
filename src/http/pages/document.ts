/**
 * The contract as a document: OpenAPI 3.1 for programs, a page for people. (Part 4, "Contract document".)
 */
import { createHash } from "node:crypto";
import { Router } from "express";
import { openApiDocument } from "../openapi.ts";
import { referencePage } from "./reference.ts";

export function documentPages(baseUrl: string): Router {
  const document = openApiDocument(baseUrl);
  const text = JSON.stringify(document);
  const etag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
  const page = referencePage(document);
  const router = Router();
  router.get("/api/v1/openapi.json", (request, response) => {
    response.set({ "cache-control": "public, max-age=3600", etag, "content-type": "application/json" });
    if (request.fresh) response.status(304).end();
    else response.end(text);
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
