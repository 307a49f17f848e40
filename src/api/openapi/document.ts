/**
 * The contract as OpenAPI 3.1, generated from the operations and schemas that handle requests.
 * (docs/specification/service.md#contract-document)
 */
import { resources } from "../../contract/resources.ts";
import { version } from "../../version.ts";
import { codeSamples } from "./code-samples.ts";
import { contractRoute, contractTag } from "./contract-route.ts";
import { headers, parameters } from "./headers.ts";
import { hookRoute } from "./hook-route.ts";
import { describeOperation, exampleId, exampleOf, type OperationObject, type ResponseObject } from "./operations.ts";
import { collectRefusals, refusalSchema } from "./refusals.ts";
import { collectSchemas, type JsonSchema } from "./schemas.ts";
import { securitySchemes } from "./security.ts";
import { describeWebhooks } from "./webhooks.ts";

export type { OperationObject };

export type OpenApi = {
  openapi: string;
  info: { title: string; version: string; summary: string; description: string; [more: string]: unknown };
  servers: { url: string; description: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  webhooks: Record<string, object>;
  components: {
    securitySchemes: object;
    schemas: Record<string, JsonSchema>;
    responses: Record<string, ResponseObject>;
    headers: object;
    parameters: object;
  };
};

const description = `
The API manages the keys, bots, memories, runs, people and webhooks of one organisation.

**Authentication.** Send an API key as \`Authorization: Bearer bsk_…\`. A key belongs to the person who created it, and calls
act as that person. Returns 401 if the key is missing, unknown, revoked or expired, or if its class or scope does not
suffice. All these responses are identical.

**Idempotency.** Every POST requires the header \`Idempotency-Key\`. Within 24 hours a repeated request with the same key is
not executed again and returns the stored response. Stored responses of an organisation have at most 1 GB; beyond that, a
POST returns 429 \`rate_limited\`.

**Responses** are JSON: one resource, or a list as \`{ data, nextCursor }\`, newest first. Ids are UUIDs. Times are ISO 8601
in UTC with milliseconds. A field without a value is \`null\`. This version may add fields and enum values: ignore the ones
that you do not know.

**Request bodies** are JSON objects of at most 1 MB and 1,000 values; a batch has at most 5,000 values. Both limits
also apply after decompression (gzip, deflate, br). Beyond the size the API returns 413 \`payload_too_large\`, beyond the number of
values 400. Field lengths count characters. Unknown fields are ignored.

**Errors** share one schema: decide by \`code\`. An unknown path returns 404 \`not_found\`. A method that a path does not have
returns 405 \`not_supported\` with \`Allow\`. Malformed or ambiguous HTTP (no \`Host\` or two, headers above 16 KB) returns 400
\`invalid_request\` before any other check, and closes the connection.

**Rate limits** per minute: 300 requests per key, 1,000 per organisation, 60 per platform key. \`RateLimit\` shows the
remaining requests. Requests without a valid credential count per address, 60 a minute, also on unknown paths.

**HEAD** works on every path with GET.
`.trim();

/** The contract as the server serves it, with samples of each operation. */
export function openApiDocument(baseUrl: string): OpenApi {
  const document = contractDocument(baseUrl);
  for (const { name, operations } of resources) {
    for (const operation of operations) {
      const described = document.paths[operation.path]?.[operation.method];
      const [id, body] = [exampleId(operation, name), exampleOf(operation.body)];
      if (described) described["x-codeSamples"] = codeSamples({ operation, url: urlOf(baseUrl), id, body });
    }
  }
  return document;
}

const urlOf = (baseUrl: string) => `${baseUrl}/api/v1`;

/** The contract of docs/openapi.json, without samples. */
export function contractDocument(baseUrl: string): OpenApi {
  const schemas = collectSchemas();
  const refusals = collectRefusals();
  const paths: OpenApi["paths"] = {};
  for (const { name, operations } of resources) {
    for (const operation of operations) {
      const described = describeOperation(operation, name, { schemas, refusals });
      paths[operation.path] = { ...paths[operation.path], [operation.method]: described };
    }
  }
  paths["/hooks/{id}/receive"] = hookRoute(schemas, refusals);
  paths["/openapi.json"] = contractRoute as unknown as Record<string, OperationObject>;
  const webhooks = describeWebhooks(schemas);
  return {
    openapi: "3.1.1",
    info: {
      title: "Botstead organisation API",
      version,
      summary: "Keys, bots, memories, runs, people and webhooks of one organisation.",
      description,
      contact: { name: "The operator of this service" },
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
    servers: [{ url: urlOf(baseUrl), description: "This service." }],
    tags: [...resources.map(({ name, description }) => ({ name, description })), contractTag],
    paths,
    webhooks,
    components: {
      securitySchemes,
      schemas: { ...schemas.components(), Refusal: refusalSchema },
      responses: refusals.components() as Record<string, ResponseObject>,
      headers,
      parameters,
    },
  };
}
