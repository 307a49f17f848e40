/**
 * The contract's operations as tools for agents, made from the OpenAPI document. The arguments of a tool are the path
 * parameters, the query parameters and the fields of the body, in one object. (docs/mcp.md)
 */

import type { OpenApi } from "../api/openapi/document.ts";
import type { OperationObject, ResponseObject } from "../api/openapi/operations.ts";
import type { JsonSchema } from "../api/openapi/schemas.ts";
import type { Operation } from "../contract/operation.ts";
import { annotationsOf } from "./annotations.ts";
import { inBrief, inlined } from "./inlined.ts";
import { input, type ObjectSchema, text } from "./json-schema.ts";
import { onlyReads, toolOperations } from "./offered.ts";
import { briefResult } from "./result-schema.ts";
import { forAgents } from "./wording.ts";

export type OperationTool = {
  operation: Operation;
  title: string;
  /** Name of the resource. */
  area: string;
  description: string;
  inputSchema: ObjectSchema;
  /** Arguments, with ids that do not exist. */
  example: Arguments;
  bodySchema: JsonSchema;
};

export type Arguments = Record<string, unknown>;

const idempotencyKey = text(
  "Only to repeat a call whose outcome is unknown: the idempotencyKey of its result, or one that you chose for the first " +
    "call. Otherwise each call gets a new one.",
);
const ifMatch = text(
  "The etag of the result in which you read the resource. If it has changed since, nothing is changed: `conflict`, reason " +
    "`revision_changed`.",
);

const maxLine = 200;

/** Some clients refuse the whole list if one description is longer. */
const maxDescription = 1_024;

/** All tools, by the name of their operation. */
export function makeTools(document: OpenApi): Map<string, OperationTool> {
  const found = new Map<string, OperationTool>();
  for (const described of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    const operation = toolOperations.get(described.operationId);
    if (operation) found.set(operation.name, toolOf(operation, described, document));
  }
  return found;
}

function toolOf(operation: Operation, described: OperationObject, document: OpenApi): OperationTool {
  const response = described.responses[operation.status] as ResponseObject;
  return {
    operation,
    title: described.summary,
    area: described.tags[0] ?? "",
    description: forAgents(described.description),
    inputSchema: inputOf(operation, described, document),
    example: exampleOf(described),
    bodySchema: inBrief(inlined(response.content?.["application/json"]?.schema ?? {}, document)),
  };
}

function exampleOf({ parameters = [], requestBody }: OperationObject): Arguments {
  const inPath = (parameters as { name: string; in: string; example?: unknown }[]).filter((each) => each.in === "path");
  const body = requestBody?.content["application/json"]?.example as object | undefined;
  return { ...Object.fromEntries(inPath.map(({ name, example }) => [name, example])), ...body };
}

function inputOf(operation: Operation, described: OperationObject, document: OpenApi): ObjectSchema {
  const body = described.requestBody?.content["application/json"]?.schema ?? {};
  const parameters = (described.parameters ?? []) as {
    name: string;
    in: string;
    required?: boolean;
    schema: object;
    description?: string;
  }[];
  const named = parameters.filter((each) => each.in === "path" || each.in === "query");
  const properties = {
    ...Object.fromEntries(
      named.map(({ name, schema, description }) => [name, { ...schema, ...(description ? { description } : {}) }]),
    ),
    ...((body.properties as object | undefined) ?? {}),
    ...(operation.needsIdempotencyKey ? { idempotencyKey } : {}),
    ...(operation.acceptsIfMatch ? { ifMatch } : {}),
  };
  return input(inlined(properties, document, true), [
    ...named.filter(({ required }) => required).map(({ name }) => name),
    ...((body.required as string[] | undefined) ?? []),
  ]);
}

/** The tool that calls the operation. */
export const toolFor = (operation: Operation): string =>
  onlyReads(operation) ? "call_read_operation" : "call_write_operation";

/** The title and the first sentence of the description, in one line. */
export function lineOf({ title, description }: OperationTool): string {
  const [first = ""] = /^.+?\.(?=\s|$)/s.exec(description) ?? [];
  const line = `${title}: ${first}`;
  return line.length <= maxLine ? line : `${line.slice(0, line.lastIndexOf(" ", maxLine - 2))} …`;
}

/** A tool as describe_operation shows it. */
export function described({ operation, title, description, ...schemas }: OperationTool): object {
  const { inputSchema, example, bodySchema } = schemas;
  return {
    ...{ name: operation.name, title, tool: toolFor(operation), description, inputSchema },
    ...(Object.keys(example).length > 0 ? { example } : {}),
    bodySchema,
  };
}

/** A tool as the list shows it. A longer description is cut after a sentence; describe_operation has it whole. */
export function listed({ operation, title, description, inputSchema }: OperationTool) {
  const annotations = annotationsOf(operation);
  return {
    ...{ name: operation.name, title, description: cut(`${title}.\n\n${description}`) },
    ...{ inputSchema, outputSchema: briefResult, annotations },
  };
}

function cut(description: string): string {
  if (description.length <= maxDescription) return description;
  const more = " … More: describe_operation.";
  const start = description.slice(0, maxDescription - more.length);
  const end = Math.max(start.lastIndexOf(". ") + 1, start.lastIndexOf("\n"));
  return (end > 0 ? start.slice(0, end) : start).trimEnd() + more;
}
