/** The operators' page: one document for all its routes, and its static files. Its data comes from /graphql. */
import { createHash } from "node:crypto";
import { type Request, type Response, Router } from "express";
import type { Assets } from "./assets.ts";

/** Routes of the page; browser/app.ts maps them to page components. */
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
  "/view-as/:organisation/:person",
];

/** The document; the router serves it to signed-in operators only. */
export function consolePage(assets: Assets): Router {
  const map = JSON.stringify({ imports: assets.imports });
  const document = documentOf(assets, map);
  const policy = policyOf(map);
  const router = Router();
  router.get(routes, (_request, response) => {
    response.set({ "content-security-policy": policy, "cache-control": "no-store" }).type("html").end(document);
  });
  return router;
}

/** The static files, without sign-in: they contain no data of customers. */
export function consoleFiles(assets: Assets): Router {
  const router = Router();
  router.get("/assets/:hash/*name", (request, response, next) => {
    send(assets, request, response).catch(next);
  });
  return router;
}

async function send(assets: Assets, request: Request, response: Response): Promise<void> {
  const { hash, name } = request.params as unknown as { hash: string; name: string[] };
  const asset = `/assets/${hash}` === assets.base ? await assets.file(name.join("/")) : undefined;
  if (!asset) {
    response.status(404).set("cache-control", "no-store").type("text/plain").end("No such file.\n");
    return;
  }
  const zip = request.acceptsEncodings("gzip") === "gzip";
  response.set({
    "cache-control": "public, max-age=31536000, immutable",
    vary: "accept-encoding",
    ...(zip ? { "content-encoding": "gzip" } : {}),
  });
  response.setHeader("content-type", asset.type);
  response.end(zip ? asset.zipped : asset.plain);
}

/** Allows no other origin and nothing inline except the import map, by its hash. */
function policyOf(map: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${createHash("sha256").update(map).digest("base64")}'`,
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");
}

function documentOf({ base, modules, styles }: Assets, map: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Botstead console</title>
<link rel="icon" href="${base}/icon.svg">
${styles.map((name) => `<link rel="stylesheet" href="${base}/${name}">`).join("\n")}
<script type="importmap">${map}</script>
${modules.map((name) => `<link rel="modulepreload" href="${base}/${name}">`).join("\n")}
<script type="module" src="${base}/main.ts"></script>
</head>
<body>
<div id="program"></div>
<noscript>The console needs JavaScript.</noscript>
</body>
</html>
`;
}
