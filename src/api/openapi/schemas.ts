/** JSON Schemas of the document. A schema with an id in the contract becomes a component; other schemas are inlined. */
import { z } from "zod";
import { fieldDescriptions } from "../../contract/field-descriptions.ts";

export type JsonSchema = Record<string, unknown>;

/** Converts zod schemas to JSON Schema and collects their components. */
export type Schemas = {
  of(schema: z.ZodType, io: "input" | "output"): JsonSchema;
  /**
   * The body of a request, inlined, with its id as title. As a component it would mislead type generators: they treat a
   * field with a default as required, which is right in responses only.
   */
  ofBody(schema: z.ZodType): JsonSchema;
  /** All collected components, by name. */
  components(): Record<string, JsonSchema>;
};

export function collectSchemas(): Schemas {
  const found = new Map<string, JsonSchema>();
  const convert = (schema: z.ZodType, io: "input" | "output") => {
    const { $schema, $defs = {}, ...rest } = z.toJSONSchema(schema, { io, target: "draft-2020-12", override: tidy });
    return { rest, $defs: $defs as Record<string, JsonSchema> };
  };
  const keep = (components: Record<string, JsonSchema>) => {
    for (const [name, component] of Object.entries(components)) found.set(name, relocated(component));
  };
  return {
    of(schema, io) {
      const { rest, $defs } = convert(schema, io);
      keep($defs);
      return relocated(rest);
    },
    ofBody(schema) {
      const { rest, $defs } = convert(schema, "input");
      const title = String(z.globalRegistry.get(schema)?.id);
      const { [title]: body = rest, ...components } = $defs;
      keep(components);
      const { id, $id, examples, ...written } = relocated(body);
      return { title, ...written };
    },
    components: () => Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function relocated(schema: JsonSchema): JsonSchema {
  const written = JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
  describeFields(written);
  return written;
}

function tidy({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void {
  // zod omits the default of a schema with a transform, such as the numbers of a query.
  const { def } = zodSchema._zod;
  if (def.type === "default") jsonSchema.default ??= def.defaultValue;
  // Fields may be added within v1 (docs/versioning.md), so responses are open.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  // The format is clearer than the pattern. The pattern would also exclude upper case and offsets, which requests may
  // contain.
  if (jsonSchema.format === "uuid" || jsonSchema.format === "email") delete jsonSchema.pattern;
  if (String(jsonSchema.pattern).startsWith("^(?:(?:\\d\\d[2468]")) delete jsonSchema.pattern;
  mergeNull(jsonSchema);
}

/** Not in `tidy`, where fields of the same type still share one object. A reference has the description of its component. */
function describeFields(part: unknown): void {
  if (typeof part !== "object" || part === null) return;
  const { type, properties = {} } = part as JsonSchema;
  const isObject = [type].flat().includes("object"); // also ["object", "null"]
  for (const [name, field] of Object.entries(isObject ? (properties as Record<string, JsonSchema>) : {})) {
    const description = fieldDescriptions[name];
    if (description && !field.$ref) field.description ??= description;
  }
  for (const each of Object.values(part)) describeFields(each);
}

/** Merges `{ anyOf: [{ type: "string", … }, { type: "null" }] }` into `{ type: ["string", "null"], … }`. */
function mergeNull(schema: JsonSchema): void {
  const [given, none, ...more] = (schema.anyOf ?? []) as JsonSchema[];
  if (!given || more.length > 0 || none?.type !== "null" || typeof given.type !== "string") return;
  if (given.enum || given.const !== undefined) return;
  delete schema.anyOf;
  Object.assign(schema, { ...given, ...schema, type: [given.type, "null"] });
}
