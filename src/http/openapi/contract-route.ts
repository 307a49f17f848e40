/** The one route that is not of the database: the document itself. */

export const contractTag = { name: "Contract", description: "This document." };

const headers = {
  ETag: { description: "Of this very document.", required: true, schema: { type: "string" } },
  "X-Request-Id": { $ref: "#/components/headers/RequestId" },
  "Cache-Control": {
    description: "An hour, for anybody.",
    required: true,
    schema: { type: "string", const: "public, max-age=3600" },
  },
};

export const contractRoute = {
  get: {
    operationId: "get_contract",
    tags: [contractTag.name],
    summary: "Read this document",
    description:
      "The contract as OpenAPI, made from the schemas and the list of operations that serve: what is not in it is not in " +
      "the API. No credential is asked for and no bucket counts it. It may be kept for an hour.",
    security: [],
    parameters: [
      {
        name: "If-None-Match",
        in: "header",
        required: false,
        description: "The ETag of the document you have.",
        schema: { type: "string" },
      },
    ],
    responses: {
      200: {
        description: "The document.",
        headers,
        content: {
          "application/json": {
            schema: {
              type: "object",
              required: ["openapi", "info", "paths"],
              properties: {
                openapi: { type: "string" },
                info: {
                  type: "object",
                  required: ["title", "version"],
                  properties: { title: { type: "string" }, version: { type: "string" } },
                  additionalProperties: true,
                },
                paths: { type: "object" },
              },
              additionalProperties: true,
            },
          },
        },
      },
      304: { description: "You have it already.", headers },
    },
  },
};
