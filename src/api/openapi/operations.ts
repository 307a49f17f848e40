/** Operations of the contract as OpenAPI operations. */
import { z } from "zod";
import { ids } from "../../contract/examples.ts";
import { isOfPairs } from "../../contract/metadata.ts";
import type { Operation } from "../../contract/operation.ts";
import { searchTermsOf } from "../../contract/search-terms.ts";
import type { CodeSample } from "./code-samples.ts";
import { type HeaderName, headersOf } from "./headers.ts";
import { type Refusals, reasonsByCode, wordReasons } from "./refusals.ts";
import type { JsonSchema, Schemas } from "./schemas.ts";
import { keyFor, securityOf } from "./security.ts";

export type Parameter = { $ref: string } | { name: string; in: string; required: boolean; [more: string]: unknown };

export type OperationObject = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  "x-botstead-reasons": Record<string, string[]>;
  "x-botstead-search-terms"?: string;
  "x-codeSamples"?: CodeSample[];
  deprecated?: true;
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { $ref: string } | ResponseObject>;
};

export type ResponseObject = { description: string; headers?: object; content?: Content };

type Content = Record<string, { schema: JsonSchema; example?: unknown }>;

export function describeOperation(
  operation: Operation,
  tag: string,
  { schemas, refusals }: { schemas: Schemas; refusals: Refusals },
): OperationObject {
  const parameters = [
    ...pathParameters(operation, tag),
    ...queryParameters(operation, schemas),
    ...(operation.needsIdempotencyKey ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
    ...(operation.acceptsIfMatch ? [{ $ref: "#/components/parameters/IfMatch" }] : []),
    ...(operation.stream ? [{ $ref: "#/components/parameters/LastEventId" }] : []),
  ];
  return {
    operationId: operation.name,
    tags: [tag],
    summary: operation.summary,
    description: `${operation.description}\n\nRequires ${keyFor(operation)}.${wordReasons(operation)}`,
    "x-botstead-reasons": reasonsByCode(operation),
    "x-botstead-search-terms": searchTermsOf(operation),
    ...(operation.deprecated ? { deprecated: true } : {}),
    security: securityOf(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.body
      ? {
          requestBody: {
            required: requiresBody(operation.body),
            content: {
              ...content(operation.body, schemas.ofBody(operation.body)),
              ...(operation.bodyLines ? jsonLines : {}),
            },
          },
        }
      : {}),
    responses: {
      [operation.status]: {
        description: answers[operation.status],
        headers: headersOf(...successHeaders(operation)),
        content: content(
          operation.reply,
          schemas.of(operation.reply, "output"),
          operation.stream ? "text/event-stream" : undefined,
        ),
      },
      ...refusals.of(operation),
    },
  };
}

const jsonLines: Content = { "application/x-ndjson": { schema: { type: "string" } } };

const answers = { 200: "OK.", 201: "Created.", 202: "Accepted." };

function successHeaders(operation: Operation): HeaderName[] {
  return [
    "RequestId",
    "RateLimitPolicy",
    "RateLimit",
    ...(operation.location ? (["Location"] as const) : []),
    ...(operation.revision ? (["ETag"] as const) : []),
    ...(operation.needsIdempotencyKey ? (["IdempotentReplayed"] as const) : []),
  ];
}

/** A body may be absent if all its fields are optional. */
function requiresBody(body: z.ZodType): boolean {
  return !body.safeParse({}).success;
}

function content(schema: z.ZodType, written: JsonSchema, type = "application/json"): Content {
  const example = exampleOf(schema);
  return { [type]: { schema: written, ...(example === undefined ? {} : { example }) } };
}

export function exampleOf(schema: z.ZodType | undefined): unknown {
  return schema && (z.globalRegistry.get(schema)?.examples as unknown[] | undefined)?.[0];
}

/** Example ids for paths, by tag. */
const exampleIds: Record<string, string> = {
  Keys: ids.key,
  Exports: ids.export,
  Portal: ids.portalSession,
  Bots: ids.bot,
  Memories: ids.memory,
  Runs: ids.run,
  Routines: ids.routine,
  Hooks: ids.hook,
  Webhooks: ids.webhook,
  Deliveries: ids.delivery,
  Members: ids.member,
  Approvals: ids.approval,
  Invitations: ids.invitation,
  Platform: ids.organisation,
  Audit: ids.auditEntry,
};

/** @param tag the resource */
export function exampleId({ path }: Operation, tag: string): string | undefined {
  return path.startsWith("/webhooks/") ? ids.webhook : exampleIds[tag];
}

const things: Record<string, string> = {
  audit: "audit log entry",
  memories: "memory",
  deliveries: "delivery",
  webhooks: "endpoint",
};

/** Whose id a path has, as `run` for `/runs/{id}/messages`. */
function thingOf(path: string): string {
  const [, name = ""] = path.replace("/platform", "").split("/");
  return things[name] ?? name.replace("-", " ").replace(/s$/, "");
}

function pathParameters(operation: Operation, tag: string): Parameter[] {
  const { path } = operation;
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    description: `Id of the ${thingOf(path)}. Returns \`not_found\` if the caller cannot read it.`,
    schema: { type: "string", format: "uuid" },
    example: exampleId(operation, tag),
  }));
}

function queryParameters({ query }: Operation, schemas: Schemas): Parameter[] {
  if (!query) return [];
  return Object.entries(query.shape).map(([name, schema]) => {
    const { description, ...rest } = schemas.of(schema as z.ZodType, "input");
    const form = isOfPairs(schema) ? { style: "deepObject", explode: true } : {};
    return { name, in: "query", required: false, ...form, ...(description ? { description } : {}), schema: rest };
  });
}
