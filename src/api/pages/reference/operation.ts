/** An operation on the reference page, with the form that calls it. */

import { type Html, html, joined } from "../../../web/layout.ts";
import type { CodeSample } from "../../openapi/code-samples.ts";
import type { OpenApi } from "../../openapi/document.ts";
import type { OperationObject, ResponseObject } from "../../openapi/operations.ts";
import { type Resolved, renderForm } from "./form.ts";
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
${isForKeys(operation) ? renderForm({ ...formOf(place), parameters, body: body && { ...body, schema: named(body.schema, document) } }) : html``}
</article>
`;
}

function section(title: string, content: Html | undefined, open?: "open"): Html {
  return content
    ? html`<details${open ? html` open` : html``}><summary>${title}</summary>${content}</details>`
    : html``;
}

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

const formOf = ({ method, path, operation }: Place) => ({
  ...{ id: operation.operationId, title: operation.summary },
  ...{ method, path },
});

/** Public, or signed, which a page cannot do. */
function isForKeys({ security }: OperationObject): boolean {
  return !security.some((scheme) => "hookSignature" in scheme);
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
