/**
 * The layout of pages for people: one column, one style, no script, and headers that allow nothing else.
 */
import { createHash } from "node:crypto";
import type { Response } from "express";

const style = `
:root { color-scheme: light dark; --accent: #1d4ed8; --on-accent: #fff; --line: #767676; }
@media (prefers-color-scheme: dark) { :root { --accent: #93c5fd; --on-accent: #111; --line: #a3a3a3; } }
body { font: 1.125rem/1.6 system-ui, sans-serif; max-width: 34rem; margin: 0 auto; padding: 2rem 1.25rem; }
h1 { font-size: 1.75rem; line-height: 1.25; overflow-wrap: anywhere; }
p { overflow-wrap: anywhere; }
label { display: block; margin: 1.5rem 0 0.35rem; }
input, button { font: inherit; box-sizing: border-box; width: 100%; min-height: 3rem; padding: 0.5rem 0.75rem; border-radius: 0.4rem; }
input { border: 1px solid var(--line); }
button { margin-top: 1rem; border: 0; background: var(--accent); color: var(--on-accent); font-weight: 600; cursor: pointer; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
button.other { border: 2px solid var(--accent); background: transparent; color: inherit; }
blockquote { margin: 0.5rem 0 1rem; padding: 0.75rem 1rem; border: 1px dashed var(--line); border-left: 0.35rem solid var(--line); white-space: pre-wrap; overflow: clip; overflow-wrap: anywhere; unicode-bidi: isolate; font-family: ui-monospace, monospace; font-size: 1rem; }
dl { margin: 0; }
dd { margin: 0; }
summary { cursor: pointer; min-height: 2.75rem; }
[role="alert"] { font-weight: 600; }
.quiet { font-size: 1rem; opacity: 0.8; }
`;

export const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "private, no-store",
  "content-security-policy": [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; "),
  "referrer-policy": "no-referrer", // the address holds the token
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex",
  "cross-origin-opener-policy": "same-origin",
  "strict-transport-security": "max-age=31536000",
};

/** Escaped HTML. */
export type Html = { html: string };

/** A template tag that escapes its values, except values of type Html. */
export function html(parts: TemplateStringsArray, ...values: (string | Html)[]): Html {
  const rendered = values.map((value) => (typeof value === "string" ? escapeHtml(value) : value.html));
  return { html: String.raw({ raw: parts }, ...rendered) };
}

export function joined(parts: Html[], between = ""): Html {
  return { html: parts.map((part) => part.html).join(between) };
}

export function page(title: string, content: Html): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${content.html}
</main>
</body>
</html>`;
}

export function sendPage(response: Response, status: number, body: string): void {
  response
    .status(status)
    .set({ ...pageHeaders, "content-length": String(Buffer.byteLength(body)) })
    .end(body);
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
