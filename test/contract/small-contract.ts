/** A small contract with one instance of everything that can change. */
import type { Json } from "../support/api.ts";

export const released = (): Json => ({
  paths: {
    "/bots": {
      get: {
        security: [{ readKey: [] }, { adminKey: [] }],
        parameters: [
          { $ref: "#/components/parameters/Limit" },
          { name: "state", in: "query", schema: { $ref: "#/components/schemas/State" } },
        ],
        responses: {
          200: {
            headers: { "X-Request-Id": { schema: { type: "string" } } },
            content: { "application/json": { schema: { $ref: "#/components/schemas/Bot" } } },
          },
          404: { $ref: "#/components/responses/NotFound" },
        },
      },
      post: {
        security: [{ adminKey: [] }],
        requestBody: {
          required: false,
          content: { "application/json": { schema: { $ref: "#/components/schemas/NewBot" } } },
        },
        responses: { 201: { content: { "application/json": { schema: { $ref: "#/components/schemas/Bot" } } } } },
      },
    },
  },
  webhooks: {
    "bot.made": {
      post: {
        parameters: [{ name: "X-Signature", in: "header", required: true, schema: { type: "string" } }],
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Bot" } } } },
        responses: {},
      },
    },
  },
  components: {
    parameters: { Limit: { name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: 200 } } },
    responses: {
      NotFound: { content: { "application/json": { schema: { $ref: "#/components/schemas/Refusal" } } } },
    },
    schemas: {
      State: { type: "string", enum: ["active", "paused"] },
      Refusal: { type: "object", required: ["code"], properties: { code: { type: "string" } } },
      Bot: {
        type: "object",
        required: ["id", "state"],
        properties: {
          id: { type: "string", format: "uuid" },
          state: { $ref: "#/components/schemas/State" },
          owner: { type: ["string", "null"] },
          tags: { type: "array", items: { type: "object", properties: { name: { type: "string" } } } },
          parent: { $ref: "#/components/schemas/Bot" },
          event: { oneOf: [{ $ref: "#/components/schemas/Refusal" }] },
          whose: { anyOf: [{ type: "string" }, { type: "null" }] },
        },
      },
      NewBot: {
        type: "object",
        required: ["name"],
        properties: {
          name: { type: "string", minLength: 1, maxLength: 60 },
          state: { $ref: "#/components/schemas/State" },
          note: { type: ["string", "null"] },
        },
      },
    },
  },
});
