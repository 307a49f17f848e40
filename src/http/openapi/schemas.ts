/**
 * Schemas as the document shows them. What has an id in the contract becomes a component and is referred to; the rest is
 * written where it is used.
 */
import { z } from "zod";

export type JsonSchema = Record<string, unknown>;

/** Collects the components that schemas refer to while they are turned into JSON Schema. */
export type Schemas = {
  of(schema: z.ZodType, io: "input" | "output"): JsonSchema;
  /**
   * The body of a request, written where it is used and under its name as title. Generators of types take a field with a default in
   * a component for one that is always there, as it is in answers; in a request it may be left out.
   */
  ofBody(schema: z.ZodType): JsonSchema;
  /** All components so far, by name. */
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
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

function tidy({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void {
  // zod keeps silent of a default whose schema transforms what it takes, as a query's numbers do.
  const { def } = zodSchema._zod;
  if (def.type === "default") jsonSchema.default ??= def.defaultValue;
  // Fields may be added within v1 (docs/versioning.md), so no answer is documented as closed.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  // The pattern says less well what the format says, and takes capitals and offsets for wrong, which we do not.
  if (jsonSchema.format === "uuid" || jsonSchema.format === "email") delete jsonSchema.pattern;
  if (String(jsonSchema.pattern).startsWith("^(?:(?:\\d\\d[2468]")) delete jsonSchema.pattern;
  mergeNull(jsonSchema);
}

/** `{ anyOf: [{ type: "string", … }, { type: "null" }] }` is `{ type: ["string", "null"], … }`, and easier to read. */
function mergeNull(schema: JsonSchema): void {
  const [given, none, ...more] = (schema.anyOf ?? []) as JsonSchema[];
  if (!given || more.length > 0 || none?.type !== "null" || typeof given.type !== "string") return;
  if (given.enum || given.const !== undefined) return;
  delete schema.anyOf;
  Object.assign(schema, { ...given, ...schema, type: [given.type, "null"] });
}
