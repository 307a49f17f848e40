/** JSON Schemas of tools, in short. */
import type { JsonSchema } from "../api/openapi/schemas.ts";

export type ObjectSchema = JsonSchema & {
  type: "object";
  properties: Record<string, JsonSchema>;
  required: string[];
};

export const text = (description: string): JsonSchema => ({ type: "string", description });

export function object(properties: Record<string, JsonSchema>, required: string[] = []): ObjectSchema {
  return { type: "object", properties, required };
}

/** Clients then find an unknown argument before they call. */
export function input(properties: Record<string, JsonSchema>, required: string[] = []): ObjectSchema {
  return { ...object(properties, required), additionalProperties: false };
}
