/** The document for readers: a reference to a component without fields, such as an enumeration, becomes that component. */
import type { OpenApi } from "../../openapi/document.ts";
import type { Schema } from "./schema.ts";

const prefix = "#/components/schemas/";

export function inlined(document: OpenApi): OpenApi {
  const schemas = document.components.schemas as Record<string, Schema>;
  const text = JSON.stringify(document, (_name, value) => {
    const reference: unknown = value?.$ref;
    const component =
      typeof reference === "string" && reference.startsWith(prefix) && schemas[reference.slice(prefix.length)];
    return component && isPlain(component) ? { ...component, ...value, $ref: undefined } : value;
  });
  return JSON.parse(text);
}

const isPlain = ({ properties, anyOf, oneOf, allOf }: Schema): boolean => !(properties || anyOf || oneOf || allOf);
