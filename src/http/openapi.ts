/**
 * The contract as OpenAPI 3.1, from the very operations and schemas that serve. (Part 4, "Contract document".)
 */
import { z } from "zod";
import { needsIdempotencyKey, type Operation } from "../contract/operation.ts";
import { operations } from "../contract/operations.ts";
import { type RefusalCode, refusals } from "../contract/refusals.ts";
import { version } from "../version.ts";

export type OpenApi = {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  security: Record<string, string[]>[];
  paths: Record<string, Record<string, OperationObject>>;
  components: Record<string, unknown>;
};

export type OperationObject = {
  operationId: string;
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  parameters?: ParameterObject[];
  requestBody?: unknown;
  responses: Record<string, { description: string } & Record<string, unknown>>;
};

type ParameterObject = { name: string; in: string; required: boolean; schema: unknown; description?: string };

/** What every route can answer. */
const everywhere: RefusalCode[] = ["unauthenticated", "rate_limited", "internal", "unavailable"];

export function openApiDocument(baseUrl: string): OpenApi {
  const paths: OpenApi["paths"] = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describe(operation) };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Botstead organisation API",
      version,
      description: "API keys, bots, memories, runs, and signed webhooks with their deliveries, for one organisation.",
    },
    servers: [{ url: `${baseUrl}/api/v1` }],
    security: [{ organisationKey: [] }],
    paths,
    components: {
      securitySchemes: {
        organisationKey: { type: "http", scheme: "bearer", description: "An organisation's API key, bsk_…" },
        platformKey: { type: "http", scheme: "bearer", description: "An operator's platform key, bsp_…" },
      },
      schemas: { Refusal: refusalSchema },
    },
  };
}

const refusalSchema = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message", "requestId"],
      properties: {
        code: { type: "string", enum: Object.keys(refusals) },
        message: { type: "string" },
        requestId: { type: "string", format: "uuid" },
        details: {
          type: "array",
          items: {
            type: "object",
            required: ["path", "message"],
            properties: { path: { type: "string" }, message: { type: "string" } },
          },
        },
      },
    },
  },
};

function describe(operation: Operation): OperationObject {
  const platform = operation.keyClass === "platform";
  const parameters = [...pathParameters(operation), ...queryParameters(operation), ...idempotencyParameter(operation)];
  return {
    operationId: operation.name,
    summary: operation.summary,
    description: platform ? "Asks for a platform key." : `Asks for a key of scope ${operation.scope} or wider.`,
    security: [platform ? { platformKey: [] } : { organisationKey: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.body
      ? {
          requestBody: {
            required: true,
            content: { "application/json": { schema: schemaOf(operation.body, "input") } },
          },
        }
      : {}),
    responses: {
      [operation.status]: {
        description: "The answer.",
        content: { "application/json": { schema: schemaOf(operation.reply, "output") } },
      },
      ...refusalResponses(operation),
    },
  };
}

function pathParameters({ path }: Operation): ParameterObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string", format: "uuid" },
  }));
}

function queryParameters({ query }: Operation): ParameterObject[] {
  if (!query) return [];
  return Object.entries(query.shape).map(([name, schema]) => ({
    name,
    in: "query",
    required: false,
    schema: schemaOf(schema as z.ZodType, "input"),
  }));
}

function idempotencyParameter(operation: Operation): ParameterObject[] {
  if (!needsIdempotencyKey(operation)) return [];
  return [
    {
      name: "Idempotency-Key",
      in: "header",
      required: true,
      schema: { type: "string", minLength: 1, maxLength: 255 },
      description: "The same key with the same request is answered the same for 24 hours, and done once.",
    },
  ];
}

function refusalResponses(operation: Operation): OperationObject["responses"] {
  const codes = new Set<RefusalCode>([...everywhere, ...operation.refusals]);
  if (operation.body || operation.query || needsIdempotencyKey(operation)) codes.add("invalid_request");
  if (needsIdempotencyKey(operation)) codes.add("idempotency_in_progress").add("idempotency_mismatch");
  if (operation.body) codes.add("payload_too_large");
  const byStatus = Map.groupBy(codes, (code) => refusals[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, [...same]]) => [
      status,
      {
        description: same.map((code) => `${code}: ${refusals[code].message}`).join(" "),
        content: { "application/json": { schema: { $ref: "#/components/schemas/Refusal" } } },
      },
    ]),
  );
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, target: "draft-2020-12" });
  return rest;
}
