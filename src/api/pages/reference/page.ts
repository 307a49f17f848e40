/**
 * The reference page: every operation with its parameters, responses and a form that calls it. Rendered once, from the
 * document. Without JavaScript it is readable; with JavaScript the forms work.
 */

import { ids } from "../../../contract/examples.ts";
import { escapeHtml, type Html, html, joined } from "../../../web/layout.ts";
import type { OpenApi } from "../../openapi/document.ts";
import type { OperationObject } from "../../openapi/operations.ts";
import { inlined } from "./inlined.ts";
import { markdown } from "./markdown.ts";
import { anchor, named, placesOf, renderOperation } from "./operation.ts";
import { renderSchema } from "./schema.ts";

/**
 * Sources of the caller's ids, which replace ids of examples: a list or one resource, and the field with the id. A source
 * precedes the sources whose path needs its id.
 */
const exampleRows = [
  [ids.bot, "/bots"],
  [ids.run, "/runs"],
  [ids.conversation, "/runs", "conversationId"],
  [ids.memory, "/memories"],
  [ids.approval, "/approvals"],
  [ids.routine, "/routines"],
  [ids.hook, "/hooks"],
  [ids.webhook, "/webhooks"],
  [ids.delivery, `/webhooks/${ids.webhook}/deliveries`],
  [ids.key, "/keys"],
  [ids.portalSession, "/portal-sessions"],
  [ids.export, "/exports"],
  [ids.member, "/members", "userId"],
  [ids.invitation, "/invitations"],
  [ids.auditEntry, "/audit"],
];

export function referencePage(given: OpenApi): string {
  const document = inlined(given);
  const places = placesOf(document);
  const tags = document.tags.map((tag) => ({
    ...tag,
    places: places.filter(({ operation }) => operation.tags[0] === tag.name),
  }));
  const { info, components } = document;
  const content = html`<a class="skip" href="#content">To the content</a>
<nav aria-label="Operations">
<details class="menu" open>
<summary>${info.title}</summary>
<p class="name"><a href="#content">${info.title}</a></p>
<form class="find" role="search" hidden>
<label for="find">Find an operation, event or field <kbd>/</kbd></label>
<input id="find" type="search" autocomplete="off" spellcheck="false" aria-describedby="found">
<p id="found" class="quiet" role="status"></p>
</form>
<ul id="results"></ul>
${joined(
  tags.map(
    ({ name, places }) => html`<details class="group">
<summary>${name}</summary>
<ul>${joined(places.map(({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`))}</ul>
</details>
`,
  ),
)}<details class="group">
<summary>Posts to endpoints</summary>
<ul>${joined(Object.keys(document.webhooks).map((name) => html`<li><a href="#event-${name}">${name}</a></li>`))}</ul>
</details>
<p><a href="#schemas">Schemas</a></p>
</details>
</nav>
<main id="content" data-examples="${JSON.stringify(exampleRows)}">
<h1>${info.title}</h1>
<p class="quiet">Version ${info.version}, at <code>${document.servers[0]?.url ?? ""}</code>. The same for programs:
<a href="/api/v1/openapi.json">openapi.json</a>, <a href="/docs.md">Markdown</a>.</p>
${markdown(info.description)}
<form class="key" hidden>
<label for="key">Your key, for trying operations out here. It stays in this tab until you close it, and goes to this server only.</label>
<input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="bsk_…" aria-describedby="filled">
<p id="filled" class="quiet" role="status"></p>
</form>
<noscript><p class="quiet">Without JavaScript everything here can be read; only the forms need it.</p></noscript>
${joined(
  tags.map(
    ({ name, description, places }) => html`<section aria-labelledby="${anchor(name)}">
<h2 id="${anchor(name)}">${name}</h2>
${markdown(description)}
${joined(places.map((place) => renderOperation(place, document)))}
</section>
`,
  ),
)}
<section aria-labelledby="events">
<h2 id="events">Posts to endpoints</h2>
<p>What Botstead posts to your endpoints, signed.</p>
${joined(Object.entries(document.webhooks).map(([name, event]) => renderEvent(name, event as { post: Posted }, document)))}
</section>
<section aria-labelledby="schemas">
<h2 id="schemas">Schemas</h2>
${joined(
  Object.entries(components.schemas).map(
    ([name, schema]) => html`<article id="schema-${name}"><h3>${name}</h3>${renderSchema(schema)}</article>`,
  ),
)}
</section>
</main>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(info.title)}</title>
<link rel="stylesheet" href="/docs/reference.css">
<script type="module" src="/docs/reference.js"></script>
</head>
<body>
${content.html}
</body>
</html>`;
}

type Posted = Pick<OperationObject, "summary" | "description" | "requestBody"> & {
  parameters: { name: string; description: string }[];
};

function renderEvent(name: string, { post }: { post: Posted }, document: OpenApi): Html {
  const content = post.requestBody?.content["application/json"];
  return html`<article id="event-${name}">
<h3><code>${name}</code> ${post.summary}</h3>
${markdown(post.description)}
<h4>Headers</h4>
<dl class="headers">${joined(post.parameters.map((each) => html`<dt><code>${each.name}</code></dt><dd>${markdown(each.description)}</dd>`))}</dl>
<h4>Body</h4>
${renderSchema(named(content?.schema ?? {}, document))}
<pre tabindex="0">${JSON.stringify(content?.example, null, 2)}</pre>
</article>
`;
}
