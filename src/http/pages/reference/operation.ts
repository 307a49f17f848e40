/** An operation on the reference page, with the form that calls it. */

import { type Html, html, joined } from "../../../web/layout.ts";
import type { CodeSample } from "../../openapi/code-samples.ts";
import type { OpenApi } from "../../openapi/document.ts";
import type { OperationObject, Parameter, ResponseObject } from "../../openapi/operations.ts";
import { inlineMarkdown, markdown } from "./markdown.ts";
import { renderSchema, type Schema, typeOf } from "./schema.ts";

export type Place = { method: string; path: string; operation: OperationObject };

export function placesOf(document: OpenApi): Place[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
}

export function anchor(tag: string): string {
  return `tag-${tag.toLowerCase()}`;
}

export function renderOperation(place: Place, document: OpenApi): Html {
  const { method, path, operation } = place;
  const parameters = (operation.parameters ?? []).map((each) => resolved(each, document));
  const body = operation.requestBody?.content["application/json"];
  const responses = Object.entries(operation.responses).map(
    ([status, response]) => [status, resolved(response, document) as ResponseObject] as const,
  );
  const [success] = Object.values(responses[0]?.[1].content ?? {}); // JSON, or one event of a stream
  return html`<article id="${operation.operationId}" data-terms="${operation["x-botstead-search-terms"] ?? ""}">
<h3>${operation.summary}</h3>
<p class="route"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></p>
${markdown(operation.description)}
${section("Parameters", parameters.length > 0 ? renderParameters(parameters) : undefined, "open")}
${section("Body", body && renderSchema(named(body.schema, document)), "open")}
${section("Response", success && renderSchema(named(success.schema, document)))}
${section("Example of a response", success?.example === undefined ? undefined : pre(success.example))}
${section("Statuses", renderStatuses(responses))}
${section("Samples", operation["x-codeSamples"] && renderSamples(operation["x-codeSamples"]))}
${isForKeys(operation) ? renderForm(place, parameters, body?.example) : html``}
</article>
`;
}

function section(title: string, content: Html | undefined, open?: "open"): Html {
  return content
    ? html`<details${open ? html` open` : html``}><summary>${title}</summary>${content}</details>`
    : html``;
}

type Resolved = Parameter & {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
};

function renderParameters(parameters: Resolved[]): Html {
  return html`<dl>${joined(
    parameters.map(
      (
        each,
      ) => html`<dt><code>${each.name}</code> <span class="type">${each.in}, ${typeOf(each.schema)}${each.required ? "" : ", optional"}</span></dt>
<dd>${inlineMarkdown(each.description ?? "")}</dd>
`,
    ),
  )}</dl>`;
}

function renderStatuses(responses: (readonly [string, ResponseObject])[]): Html {
  return html`<dl class="statuses">${joined(
    responses.map(([status, { description }]) => html`<dt>${status}</dt><dd>${markdown(description)}</dd>\n`),
  )}</dl>`;
}

function pre(value: unknown): Html {
  return html`<pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>`;
}

/** The script adds a button that copies, and replaces ids of examples with ids of the caller's rows. */
function renderSamples(samples: CodeSample[]): Html {
  return joined(
    samples.map(
      ({ label, source }) =>
        html`<figure class="sample"><figcaption>${label}</figcaption><pre tabindex="0">${source}</pre></figure>`,
    ),
  );
}

/** Public, or signed, which a page cannot do. */
function isForKeys({ security }: OperationObject): boolean {
  return !security.some((scheme) => "hookSignature" in scheme);
}

/** The script shows and sends the form; data attributes describe it. */
function renderForm({ method, path, operation }: Place, parameters: Resolved[], example: unknown): Html {
  const id = operation.operationId;
  return html`<form class="try" hidden data-method="${method.toUpperCase()}" data-path="${path}" aria-label="Try: ${operation.summary}">
${joined(parameters.filter((each) => each.in !== "header").map((each) => renderInput(id, each)))}
${
  example === undefined
    ? html``
    : html`<label for="${id}-body">Body</label>
<textarea id="${id}-body" name="body" rows="8" spellcheck="false">${JSON.stringify(example, null, 2)}</textarea>`
}
<button>Send</button> <button type="button" class="other curl">Copy as curl</button>
<output></output>
</form>`;
}

function renderInput(id: string, { name, in: place, schema, example }: Resolved): Html {
  return html`<label for="${id}-${name}"><code>${name}</code> <span class="type">${place}, ${typeOf(schema)}</span></label>
<input id="${id}-${name}" name="${name}" data-in="${place}" placeholder="${String(example ?? schema.default ?? "")}"${
    place === "path" ? html` required` : html``
  }>`;
}

/** Resolves a reference to a component; returns any other schema unchanged. */
export function resolved<T>(given: T, { components }: OpenApi): Resolved {
  const reference = (given as { $ref?: string }).$ref;
  if (!reference) return given as Resolved;
  const [, , kind = "", name = ""] = reference.split("/");
  return (components as Record<string, Record<string, unknown>>)[kind]?.[name] as Resolved;
}

/** Inlines a component's fields, so that a reader need not follow a link. */
export function named(schema: Schema, document: OpenApi): Schema {
  return schema.$ref ? (resolved(schema, document) as unknown as Schema) : schema;
}
