/**
 * The contract as a document: OpenAPI 3.1 for programs, a page for people. (docs/specification/service.md#contract-document)
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Request, type Response, Router } from "express";
import { openApiDocument } from "../openapi/document.ts";
import { only } from "./methods.ts";
import { markdownPage } from "./reference/markdown-page.ts";
import { referencePage } from "./reference/page.ts";

/** Allows no other origins, no inline code, and requests to this server only. */
const pageHeaders = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-cache",
};

const files = [
  ["reference.js", "text/javascript"],
  ["find.js", "text/javascript"],
  ["fields.js", "text/javascript"],
  ["examples.js", "text/javascript"],
  ["reference.css", "text/css"],
] as const;

/**
 * Whether the client has this version. Express would also obey the request's `cache-control: no-cache`, which fetch adds to
 * each conditional request: scripts would never get a 304.
 */
function knows(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags =
    ifNoneMatch?.split(",").map((tag) =>
      tag
        .trim()
        .replace(/^W\//, "")
        .replace(/-gzip"$/, '"'),
    ) ?? [];
  return tags.includes(etag) || tags.includes("*");
}

export function documentPages(baseUrl: string): Router {
  /** Generated at the first request: it takes 0.2 s, and most processes never serve it. */
  const document = once(() => openApiDocument(baseUrl));
  const router = Router({ strict: true, caseSensitive: true });
  router.get(
    "/api/v1/openapi.json",
    kept(() => JSON.stringify(document()), "application/json", {
      "cache-control": "public, max-age=3600",
      "x-content-type-options": "nosniff",
    }),
  );
  router.get("/", (_request, response) => response.redirect("/docs"));
  const page = kept(() => referencePage(document()), "text/html; charset=utf-8", { ...pageHeaders, vary: "accept" });
  const text = kept(() => markdownPage(document()), "text/markdown; charset=utf-8", { ...pageHeaders, vary: "accept" });
  router.get("/docs", (request, response) =>
    request.accepts(["text/html", "text/markdown"]) === "text/markdown"
      ? text(request, response)
      : page(request, response),
  );
  router.get("/docs.md", text);
  for (const [name, type] of files)
    router.get(`/docs/${name}`, kept(file(name), `${type}; charset=utf-8`, pageHeaders));
  const paths = files.map(([name]) => `/docs/${name}`);
  router.all(["/api/v1/openapi.json", "/docs", "/docs.md", ...paths], only("get"));
  return router;
}

/** Read at once, because files may change during an upgrade. */
function file(name: string): () => string {
  const text = readFileSync(new URL(`reference/${name}`, import.meta.url), "utf8");
  return () => text;
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Answers with this text, or with 304 if the client has it. All responses share one buffer. */
function kept(text: () => string, type: string, headers: Record<string, string>) {
  const content = once(() => {
    const bytes = Buffer.from(text());
    return { bytes, etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"` };
  });
  return (request: Request, response: Response) => {
    const { bytes, etag } = content();
    response.set({ ...headers, etag });
    response.setHeader("content-type", type); // as it is: Express would add a charset
    if (knows(request.headers["if-none-match"], etag)) response.status(304).end();
    else response.setHeader("content-length", bytes.length).end(bytes);
  };
}
