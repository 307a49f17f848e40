/**
 * The contract as OpenAPI 3.1, from the very operations and schemas that serve. (docs/specification/service.md#contract-document)
 */
import { resources } from "../../contract/resources.ts";
import { version } from "../../version.ts";
import { contractRoute, contractTag } from "./contract-route.ts";
import { headers, parameters } from "./headers.ts";
import { hookRoute } from "./hook-route.ts";
import { describeOperation, type OperationObject, type ResponseObject } from "./operations.ts";
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
A script manages the keys, bots, memories, runs and people of one organisation, and signed webhooks tell it when a run
has finished.

**The credential** is an API key, sent as \`Authorization: Bearer bsk_…\`. It is bound to the admin who made it, and every
call is made as that person. A key that is unknown, revoked, expired, of the wrong class or of too narrow a scope gets
the same answer as none: 401.

**Every POST carries an \`Idempotency-Key\`.** The same key with the same request is done once, and answered the same for
24 hours. The answers that an organisation stores by that take at most 1 GB; past that, POSTs are 429 \`rate_limited\`.

**Answers** are JSON. A row is answered as it is, a list as \`{ data, nextCursor }\`, newest first. Ids are UUIDs, times
are ISO 8601 in UTC with milliseconds, and a field that is not set is \`null\`. Fields and the values of enumerations may
be added within this version: leave room for what you do not know. Fields of a request that are not described are dropped.

**A body** is JSON of at most 64 KB and 1,000 values, of a batch 1 MB and 5,000, also when unpacked (gzip, deflate, br): beyond that it
is 413 \`payload_too_large\`, or for the values 400. The limits of fields count characters, so a long message of characters with three or four
bytes each meets the 64 KB first.

**Refusals** have one shape, and a code to decide by. A method that a path does not have is answered 405
\`not_supported\` with \`Allow\`, an unknown path 404 \`not_found\`; a request that is not proper HTTP, or could be read
in two ways (no Host or two, headers beyond 16 KB), 400 \`invalid_request\`, before anything else is looked at; it is the last
that its connection is told.

**Rate limits** per minute: 300 requests for a key, 1,000 for its organisation, 60 for a platform key. \`RateLimit\`
tells what is left. Calls without an accepted credential, those to unknown paths included, are counted by address, 60 a minute.

**HEAD** is answered wherever GET is, without a body.
`.trim();

export function openApiDocument(baseUrl: string): OpenApi {
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
      summary: "Keys, bots, memories, runs, people and signed webhooks of one organisation.",
      description,
      contact: { name: "The operator of this service" },
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
    servers: [{ url: `${baseUrl}/api/v1`, description: "This service." }],
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
