/**
 * Serves the built programs for browsers: a document for each program, and static files that browsers cache for ever.
 * `botstead build` and `botstead start` build them; otherwise the first request does.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type RequestHandler, Router } from "express";
import sirv from "sirv";
import { hashOf, headOf } from "../layout.ts";
import { builtFolder } from "./built.ts";

/** As in Vite's manifest. */
type Chunk = { file: string; css?: string[]; imports?: string[] };

type Built = { manifest: Record<string, Chunk>; files: RequestHandler };

let building: Promise<Built> | undefined;

/** The built programs. A failed build is tried again at the next call. */
function builtFront(): Promise<Built> {
  building ??= read().catch((error) => {
    building = undefined;
    throw error;
  });
  return building;
}

async function read(): Promise<Built> {
  const folder = await builtFolder();
  return {
    manifest: JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")),
    files: sirv(folder, { immutable: true, maxAge: 31_536_000, etag: false }),
  };
}

/** The static files of all programs, below /front. They contain no data of customers. */
export function frontFiles(): Router {
  const router = Router();
  router.use("/front", async (request, response) => {
    const { files } = await builtFront();
    response.setHeader("x-content-type-options", "nosniff");
    files(request, response, () => {
      response.status(404).set("cache-control", "no-store").type("text/plain").end("No such file.\n");
    });
  });
  return router;
}

/**
 * Says that the program did not load, as after a deployment or without a network. It is part of the document, because no file
 * may arrive. A reload keeps the fragment, which holds the token of a link.
 */
const failureScript = `
function show() {
  document.querySelector("#program").replaceWith(document.querySelector("#failure").content);
  document.querySelector("main button").addEventListener("click", () => location.reload());
  document.querySelector("main h1").focus();
}
addEventListener("error", ({ target }) => {
  if (target.type !== "module") return;
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", show);
  else show();
}, true);
`;

/**
 * The document of a program.
 *
 * @param entry the program's first module, below src/front
 */
export async function frontDocument(entry: string, title: string): Promise<string> {
  const { manifest } = await builtFront();
  const chunks = reachable(manifest, entry);
  const styles = chunks.flatMap(({ css = [] }) => css);
  const [main, ...imports] = chunks.map(({ file }) => file);
  return `${headOf(title)}
<link rel="icon" href="/front/icon.svg">
${styles.map((file) => `<link rel="stylesheet" href="/front/${file}">`).join("\n")}
${imports.map((file) => `<link rel="modulepreload" href="/front/${file}">`).join("\n")}
<script>${failureScript}</script>
<script type="module" src="/front/${main}"></script>
</head>
<body>
<div id="program"></div>
<template id="failure">
<main class="notice-page alone">
<h1 tabindex="-1">This page did not load</h1>
<p>A part of the program did not arrive. Check your connection, and try again.</p>
<p><button type="button">Try again</button></p>
</main>
</template>
<noscript>This page needs JavaScript.</noscript>
</body>
</html>
`;
}

/** The entry and every chunk that it imports statically. */
function reachable(manifest: Record<string, Chunk>, entry: string, seen = new Set<string>()): Chunk[] {
  const chunk = manifest[entry];
  if (!chunk || seen.has(entry)) return [];
  seen.add(entry);
  return [chunk, ...(chunk.imports ?? []).flatMap((name) => reachable(manifest, name, seen))];
}

/** Allows nothing from other origins. @param frameAncestors origins that may embed the page */
export function frontPolicy(frameAncestors: string[] = []): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${hashOf(failureScript)}`,
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    `frame-ancestors ${frameAncestors.join(" ") || "'none'"}`,
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");
}
