/** Operations as the document shows them. */
import { z } from "zod";
import { ids } from "../../contract/examples.ts";
import { needsIdempotencyKey, type Operation } from "../../contract/operation.ts";
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
    ...(needsIdempotencyKey(operation) ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
    ...(operation.stream ? [{ $ref: "#/components/parameters/LastEventId" }] : []),
  ];
  return {
    operationId: operation.name,
    tags: [tag],
    summary: operation.summary,
    description: `${operation.description}\n\nAsks for ${keyFor(operation)}.${wordReasons(operation)}`,
    "x-botstead-reasons": reasonsByCode(operation),
    ...(operation.deprecated ? { deprecated: true } : {}),
    security: securityOf(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.body
      ? {
          requestBody: {
            required: requiresBody(operation.body),
            content: content(operation.body, schemas.ofBody(operation.body)),
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

const answers = { 200: "Done.", 201: "Made.", 202: "Accepted: it is done shortly after." };

function successHeaders(operation: Operation): HeaderName[] {
  return [
    "RequestId",
    "RateLimitPolicy",
    "RateLimit",
    ...(operation.location ? (["Location"] as const) : []),
    ...(needsIdempotencyKey(operation) ? (["IdempotentReplayed"] as const) : []),
  ];
}

/** A body of which every field may be left out may be left out itself. */
function requiresBody(body: z.ZodType): boolean {
  return !body.safeParse({}).success;
}

function content(schema: z.ZodType, written: JsonSchema, type = "application/json"): Content {
  const [example] = (z.globalRegistry.get(schema)?.examples ?? []) as unknown[];
  return { [type]: { schema: written, ...(example === undefined ? {} : { example }) } };
}

/** Of which row a path's id is. */
const exampleIds: Record<string, string> = {
  Keys: ids.key,
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
};

function pathParameters({ path }: Operation, tag: string): Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    description: "Anything but the id of a row that the caller may read is `not_found`.",
    schema: { type: "string", format: "uuid" },
    example: path.startsWith("/webhooks/") ? ids.webhook : exampleIds[tag],
  }));
}

function queryParameters({ query }: Operation, schemas: Schemas): Parameter[] {
  if (!query) return [];
  return Object.entries(query.shape).map(([name, schema]) => {
    const { description, ...rest } = schemas.of(schema as z.ZodType, "input");
    return { name, in: "query", required: false, ...(description ? { description } : {}), schema: rest };
  });
}
