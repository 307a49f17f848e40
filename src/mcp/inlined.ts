/** Schemas of the document as tools need them: without references, because a tool has no components. */
import type { OpenApi } from "../api/openapi/document.ts";
import type { JsonSchema } from "../api/openapi/schemas.ts";
import { forAgents } from "./wording.ts";

/** @param areNamed the part maps names to schemas */
export function inlined<Part>(part: Part, document: OpenApi, areNamed = false): Part {
  if (typeof part !== "object" || part === null) return part;
  if (Array.isArray(part)) return part.map((each) => inlined(each, document)) as Part;
  const schema = areNamed
    ? (part as JsonSchema)
    : worded(ofFewForms(ofOneType(resolved(part as JsonSchema, document))));
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, inlined(value, document, !areNamed && key === "properties")]),
  ) as Part;
}

/** More forms, such as the forms of all events, are left to the document: they are longer than everything else together. */
const maxForms = 8;

function ofFewForms(schema: JsonSchema): JsonSchema {
  const { anyOf, oneOf, ...rest } = schema;
  const forms = ((anyOf ?? oneOf) as JsonSchema[] | undefined)?.length ?? 0;
  if (forms <= maxForms) return schema;
  return { type: "object", description: `One of ${forms} forms, which openapi.json describes.`, ...rest };
}

function resolved({ $ref, ...rest }: JsonSchema, document: OpenApi): JsonSchema {
  if (typeof $ref === "string") {
    // A component can itself be a reference.
    const target = document.components.schemas[$ref.split("/").at(-1) ?? ""];
    return resolved({ ...target, ...rest }, document);
  }
  const { examples, id, $id, ...whole } = rest;
  return whole;
}

/** A list of types as alternatives, because the dialects of some models have one type for each schema. */
function ofOneType(schema: JsonSchema): JsonSchema {
  const { type, description, ...rest } = schema;
  if (!Array.isArray(type)) return schema;
  return {
    anyOf: type.map((each) => (each === "null" ? { type: each } : { type: each, ...rest })),
    ...(description === undefined ? {} : { description }),
  };
}

/** Of a result, which its reader need not validate: without bounds, patterns and lists of required members. */
export function inBrief<Part>(part: Part, areNamed = false): Part {
  if (typeof part !== "object" || part === null) return part;
  if (Array.isArray(part)) return part.map((each) => inBrief(each)) as Part;
  const kept = Object.entries(part).filter(([key]) => areNamed || !bounds.has(key));
  return Object.fromEntries(
    kept.map(([key, value]) => [key, inBrief(value, !areNamed && key === "properties")]),
  ) as Part;
}

const bounds = new Set(["required", "pattern", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"]);

function worded(schema: JsonSchema): JsonSchema {
  const { description } = schema;
  return typeof description === "string" ? { ...schema, description: forAgents(description) } : schema;
}
