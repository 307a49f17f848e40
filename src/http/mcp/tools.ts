/**
 * The contract's operations as tools for agents, made from the OpenAPI document. The arguments of a tool are the path
 * parameters, the query parameters and the fields of the body, in one object. (docs/mcp.md)
 */
import { acceptsIfMatch, needsIdempotencyKey, type Operation, type Scope } from "../../contract/operation.ts";
import { operations } from "../../contract/operations.ts";
import type { OpenApi } from "../openapi/document.ts";
import type { JsonSchema } from "../openapi/schemas.ts";

export type OperationTool = {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: "object"; properties: Record<string, JsonSchema>; required: string[] };
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean };
};

export type Arguments = Record<string, unknown>;

const scopes: Scope[] = ["read", "write", "admin"];
const idempotencyKey = {
  type: "string",
  description:
    "Only to repeat a call whose outcome is unknown: the idempotencyKey of its result, or one that you chose for the first " +
    "call. Otherwise each call gets a new one.",
};
const ifMatch = {
  type: "string",
  description:
    "The etag of the result in which you read the resource. If it has changed since, nothing is changed and the result is 409 " +
    "`conflict`.",
};
const destructive = /^(delete|remove|revoke|erase|rotate|cancel)_/;

/** Some clients refuse the whole list if one description is longer. */
const maxDescription = 1_024;

/** Without streams, which are no single answer, and without the batch, whose results a reader cannot bound. */
export const toolOperations = new Map(
  operations
    .filter(({ keyClass, stream, name }) => keyClass === "organisation" && !stream && name !== "batch")
    .map((operation) => [operation.name, operation]),
);

export function isWithin(scope: Scope, operation: Operation): boolean {
  return scopes.indexOf(operation.scope) <= scopes.indexOf(scope);
}

/** All tools, by the name of their operation. */
export function makeTools(document: OpenApi): Map<string, OperationTool> {
  const found = new Map<string, OperationTool>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const described of Object.values(methods)) {
      const operation = toolOperations.get(described.operationId);
      if (operation) found.set(operation.name, toolOf(operation, path, described, document));
    }
  }
  return found;
}

type Described = OpenApi["paths"][string][string];

function toolOf(operation: Operation, path: string, described: Described, document: OpenApi): OperationTool {
  const body = described.requestBody?.content["application/json"]?.schema ?? {};
  const parameters = (described.parameters ?? []) as {
    name: string;
    in: string;
    required?: boolean;
    schema: object;
    description?: string;
  }[];
  const named = parameters.filter((each) => each.in === "path" || each.in === "query");
  const { summary, description } = described;
  return {
    name: operation.name,
    title: summary,
    description: `${summary}. \`${operation.method.toUpperCase()} ${path}\`, scope ${operation.scope}.\n\n${description}`,
    inputSchema: {
      type: "object",
      properties: inlined(
        {
          ...Object.fromEntries(
            named.map(({ name, schema, ...rest }) => [name, { ...schema, ...descriptionOf(rest) }]),
          ),
          ...((body.properties as object | undefined) ?? {}),
          ...(needsIdempotencyKey(operation) ? { idempotencyKey } : {}),
          ...(acceptsIfMatch(operation) ? { ifMatch } : {}),
        },
        document,
        true,
      ),
      required: [
        ...named.filter(({ required }) => required).map(({ name }) => name),
        ...((body.required as string[] | undefined) ?? []),
      ],
    },
    annotations: {
      readOnlyHint: operation.method === "get",
      destructiveHint: destructive.test(operation.name),
      idempotentHint: operation.method !== "post",
    },
  };
}

const descriptionOf = (given: { description?: unknown }) =>
  given.description === undefined ? {} : { description: given.description };

/** Inlines references, because a tool has no components. @param areNamed the part maps names to schemas */
function inlined<Part>(part: Part, document: OpenApi, areNamed = false): Part {
  if (typeof part !== "object" || part === null) return part;
  if (Array.isArray(part)) return part.map((each) => inlined(each, document)) as Part;
  const schema = areNamed ? (part as JsonSchema) : ofOneType(resolved(part as JsonSchema, document));
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, inlined(value, document, !areNamed && key === "properties")]),
  ) as Part;
}

function resolved({ $ref, ...rest }: JsonSchema, document: OpenApi): JsonSchema {
  const target = typeof $ref === "string" ? document.components.schemas[$ref.split("/").at(-1) ?? ""] : {};
  const { examples, id, $id, ...whole } = { ...target, ...rest };
  return whole;
}

/** A list of types as alternatives, because the dialects of some models have one type for each schema. */
function ofOneType(schema: JsonSchema): JsonSchema {
  const { type, description, ...rest } = schema;
  if (!Array.isArray(type)) return schema;
  return {
    anyOf: type.map((each) => (each === "null" ? { type: each } : { type: each, ...rest })),
    ...descriptionOf({ description }),
  };
}

/** A tool as the list shows it. A longer description is cut after a sentence; describe_operation has it whole. */
export function listed(tool: OperationTool): OperationTool {
  if (tool.description.length <= maxDescription) return tool;
  const more = " … More: describe_operation.";
  const start = tool.description.slice(0, maxDescription - more.length);
  const end = Math.max(start.lastIndexOf(". ") + 1, start.lastIndexOf("\n"));
  return { ...tool, description: (end > 0 ? start.slice(0, end) : start).trimEnd() + more };
}
