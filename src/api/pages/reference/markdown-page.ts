/** The reference as Markdown: for agents, terminals and readers without JavaScript. */
import type { OpenApi } from "../../openapi/document.ts";
import type { OperationObject, ResponseObject } from "../../openapi/operations.ts";
import { inlined } from "./inlined.ts";
import { named, type Place, placesOf, resolved } from "./operation.ts";
import { type Schema, typeOf } from "./schema.ts";

export function markdownPage(given: OpenApi): string {
  const document = inlined(given);
  const places = placesOf(document);
  const tags = document.tags.map(({ name, description }) => {
    const own = places.filter(({ operation }) => operation.tags[0] === name);
    return [`## ${name}`, description, ...own.map((place) => operationText(place, document))];
  });
  const events = Object.entries(document.webhooks).map(([name, event]) => {
    const { summary, description, requestBody } = (event as { post: OperationObject }).post;
    const content = requestBody?.content["application/json"];
    return sections(
      `### ${summary}`,
      `Event \`${name}\``,
      description,
      fields("Body", content?.schema, document),
      json(content?.example),
    );
  });
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) =>
    sections(`### ${name}`, fieldsOf(schema as Schema)),
  );
  const { info, servers } = document;
  return `${sections(
    `# ${info.title}`,
    `Version ${info.version}, at \`${servers[0]?.url ?? ""}\`.`,
    info.description,
    ...tags.flat(),
    "## Posts to endpoints",
    headersOfPosts(document),
    ...events,
    "## Schemas",
    ...schemas,
  )}\n`;
}

/** All events have the same headers. */
function headersOfPosts({ webhooks }: OpenApi): string {
  const [event] = Object.values(webhooks) as { post: { parameters: { name: string; description: string }[] } }[];
  const headers = event?.post.parameters.map(({ name, description }) => `- \`${name}\` ${oneLine(description)}`) ?? [];
  return sections("**Headers**", headers.join("\n"));
}

const sections = (...parts: (string | undefined)[]) => parts.filter(Boolean).join("\n\n");

function operationText({ method, path, operation }: Place, document: OpenApi): string {
  const parameters = (operation.parameters ?? []).map((each) => resolved(each, document));
  const body = operation.requestBody?.content["application/json"];
  const responses = Object.entries(operation.responses).map(
    ([status, response]) => [status, resolved(response, document) as ResponseObject] as const,
  );
  const [success] = Object.values(responses[0]?.[1].content ?? {});
  const [sample] = operation["x-codeSamples"] ?? [];
  return sections(
    `### ${operation.summary}`,
    `\`${method.toUpperCase()} ${path}\``,
    operation.description,
    parameters.length > 0 ? "**Parameters**" : undefined,
    parameters
      .map((each) =>
        line(`${each.name}\` in \`${each.in}`, each.schema, each.description, each.required ? "" : ", optional"),
      )
      .join("\n"),
    fields("Body", body?.schema, document),
    sample && `\`\`\`sh\n${sample.source}\n\`\`\``,
    fields("Response", success?.schema, document),
    json(success?.example),
    "**Statuses**",
    responses.map(([status, { description }]) => `- ${status}: ${oneLine(description)}`).join("\n"),
  );
}

function fields(title: string, schema: Schema | undefined, document: OpenApi): string | undefined {
  return schema && sections(`**${title}**`, fieldsOf(named(schema, document)));
}

/** A list, with the fields of an inner object below their field. */
function fieldsOf(schema: Schema, indent = ""): string {
  if (!schema.properties) return [schema.description, words(schema)].filter(Boolean).join(" ");
  return Object.entries(schema.properties)
    .map(([name, field]) => {
      const optional = schema.required?.includes(name) ? "" : ", optional";
      const inner = field.properties ? field : field.items?.properties ? field.items : undefined;
      const own = `${indent}${line(name, field, field.description, optional)}`;
      return inner ? `${own}\n${fieldsOf(inner, `${indent}  `)}` : own;
    })
    .join("\n");
}

function line(name: string, schema: Schema, description = "", more = ""): string {
  return `- \`${name}\` (${words(schema)}${more}) ${oneLine(description)}`.trimEnd();
}

/** The type in words, without the links of the page. */
function words(schema: Schema): string {
  const text = typeOf(schema).html.replaceAll(/<[^>]+>/g, "");
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}

const oneLine = (text: string) => text.replaceAll(/\s*\n\s*-? ?/g, " ").trim();

function json(example: unknown): string | undefined {
  return example === undefined ? undefined : `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``;
}
