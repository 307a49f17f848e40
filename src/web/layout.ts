/**
 * The layout of pages for people: one panel, one style, one script for times, and headers that allow nothing else.
 */
import { createHash } from "node:crypto";
import type { Response } from "express";

const style = `
:root { color-scheme: light dark; --page: #f6f7f9; --card: #fff; --edge: #e1e4e8; --accent: #1d4ed8; --on-accent: #fff; --danger: #b91c1c; --line: #767676; --quiet: #59616e; }
@media (prefers-color-scheme: dark) { :root { --page: #0e0f12; --card: #16181d; --edge: #2b2f38; --accent: #93c5fd; --on-accent: #111; --danger: #fda4a4; --line: #a3a3a3; --quiet: #a2a9b5; } }
body { font: 1.0625rem/1.6 -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", system-ui, sans-serif; min-height: 100vh; box-sizing: border-box; display: grid; place-items: center; margin: 0; padding: 1.25rem; background: var(--page); }
main { box-sizing: border-box; width: 100%; max-width: 34rem; min-width: 0; padding: clamp(1.25rem, 5vw, 2.25rem); border: 1px solid var(--edge); border-radius: 0.75rem; background: var(--card); }
header { display: flex; align-items: center; gap: 0.75rem; margin-bottom: 1.25rem; min-width: 0; font-weight: 600; overflow-wrap: anywhere; }
header span:first-child { flex: none; display: grid; place-items: center; width: 2.75rem; height: 2.75rem; border-radius: 0.5rem; background: var(--accent); color: var(--on-accent); }
h1 { font-size: 1.625rem; line-height: 1.25; margin: 0 0 0.75rem; overflow-wrap: anywhere; }
p { overflow-wrap: anywhere; }
label { display: block; margin: 1.5rem 0 0.35rem; }
input, textarea, select, button { font: inherit; box-sizing: border-box; width: 100%; min-height: 3rem; padding: 0.5rem 0.75rem; border-radius: 0.4rem; }
input, textarea, select { border: 1px solid var(--line); background: var(--card); color: inherit; }
textarea { display: block; resize: vertical; }
button { margin-top: 1rem; border: 0; background: var(--accent); color: var(--on-accent); font-weight: 600; cursor: pointer; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
fieldset { margin: 1.5rem 0 0; padding: 0; border: 0; }
legend { padding: 0; margin-bottom: 0.35rem; }
label.choice { display: flex; gap: 0.75rem; align-items: flex-start; margin: 0; padding: 0.5rem 0; cursor: pointer; }
label.choice .quiet { display: block; }
input[type="radio"] { flex: none; width: 1.1rem; min-height: 1.1rem; margin: 0.3rem 0 0; accent-color: var(--accent); }
button.refuse { border: 2px solid var(--danger); background: transparent; color: var(--danger); }
a { color: var(--accent); }
blockquote { margin: 0.5rem 0 1rem; padding: 0.75rem 1rem; border: 1px dashed var(--line); border-left: 0.35rem solid var(--line); white-space: pre-wrap; overflow: clip; overflow-wrap: anywhere; unicode-bidi: isolate; font-family: ui-monospace, monospace; font-size: 1rem; }
q { display: inline-block; max-width: 100%; box-sizing: border-box; padding: 0 0.35rem; border: 1px dashed var(--line); overflow-wrap: anywhere; unicode-bidi: isolate; font: 0.9375rem ui-monospace, monospace; }
code { font: 0.875rem ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; }
code span { white-space: nowrap; }
dl { margin: 0; }
dd { margin: 0; }
summary { cursor: pointer; min-height: 2.75rem; }
[role="alert"] { font-weight: 600; }
.quiet { font-size: 1rem; color: var(--quiet); }
`;

/** Shows times in the reader's zone and locale. Without JavaScript they stay in UTC. */
const script = `
const local = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
for (const time of document.querySelectorAll("time")) {
  time.title = time.textContent;
  time.textContent = local.format(new Date(time.dateTime));
}
`;

/** The source of an inline style or script, for a content security policy. */
export const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** @param formTargets further sources to which the answer of a form may lead the browser */
const policy = (...formTargets: string[]) =>
  [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${hashOf(script)}`,
    `form-action ${["'self'", ...formTargets].join(" ")}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");

export const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "private, no-store",
  "content-security-policy": policy(),
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

/** A moment, in UTC until the script shows it in the reader's zone. @param at in ISO 8601 */
export function time(at: string): Html {
  return html`<time datetime="${at}">${at.slice(0, 10)}, ${at.slice(11, 16)} UTC</time>`;
}

/** The letters that stand for a name without a picture. */
function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words
    .slice(0, 2)
    .map(([first = ""]) => first.toUpperCase())
    .join("");
}

/** The start of a document, whose head is open. */
export const headOf = (title: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>`;

/** @param organisation named at the top */
export function page(title: string, content: Html, organisation?: string): string {
  const head = organisation
    ? html`<header><span aria-hidden="true">${initialsOf(organisation)}</span><span>${organisation}</span></header>`
    : html``;
  return `${headOf(title)}
<style>${style}</style>
</head>
<body>
<main>
${head.html}
<h1>${escapeHtml(title)}</h1>
${content.html}
</main>
<script>${script}</script>
</body>
</html>`;
}

/** @param formTarget a source to which the answer of the page's form may lead the browser */
export function sendPage(response: Response, status: number, body: string, formTarget?: string): void {
  response
    .status(status)
    .set({ ...pageHeaders, "content-length": String(Buffer.byteLength(body)) })
    .set(formTarget === undefined ? {} : { "content-security-policy": policy(formTarget) })
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
