/** The route of the document itself. It is not an operation of the database. */

export const contractTag = { name: "Contract", description: "This document." };

const headers = {
  ETag: { description: "Entity tag of the document.", required: true, schema: { type: "string" } },
  "X-Request-Id": { $ref: "#/components/headers/RequestId" },
  "Cache-Control": {
    description: "Public, for one hour.",
    required: true,
    schema: { type: "string", const: "public, max-age=3600" },
  },
};

export const contractRoute = {
  get: {
    operationId: "get_contract",
    tags: [contractTag.name],
    summary: "Retrieve contract document",
    description:
      "The API as an OpenAPI document, generated from the operations and schemas that handle requests. Requires " +
      "no credential and does not count in a rate limit. Can be cached for one hour.",
    security: [],
    parameters: [
      {
        name: "If-None-Match",
        in: "header",
        required: false,
        description: "The ETag of a cached copy.",
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
                openapi: { type: "string", description: "Version of the OpenAPI Specification." },
                info: {
                  type: "object",
                  description: "About this API.",
                  required: ["title", "version"],
                  properties: {
                    title: { type: "string", description: "Name of the API." },
                    version: { type: "string", description: "Version of Botstead." },
                  },
                  additionalProperties: true,
                },
                paths: { type: "object", description: "The operations, by path and method." },
              },
              additionalProperties: true,
            },
          },
        },
      },
      304: { description: "The cached copy is current.", headers },
    },
  },
};
