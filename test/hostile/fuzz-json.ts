/**
 * Valid bodies of a schema, and hostile variants of them. They are texts, because JSON text can express more than
 * values: 1e400, a duplicate member, a lone surrogate.
 */
import fc from "fast-check";
import { z } from "zod";
import type { Json } from "../support/api.ts";
import { canaries, type Members, ofFormat, texts, unknownMembers, values } from "./fuzz-values.ts";

export type Schema = Json;
/** A JSON text, or part of a request. */
export type Texts = fc.Arbitrary<string>;

/** The JSON Schema of a request, with all references resolved. */
export function schemaOf(schema: z.ZodType): Schema {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema;
  const inlined = (node: Schema): Schema => {
    if (Array.isArray(node)) return node.map(inlined);
    if (typeof node !== "object" || node === null) return node;
    if (node.$ref) return inlined($defs[node.$ref.replace("#/$defs/", "")]);
    return Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, inlined(inner)]));
  };
  return inlined(root);
}

const json = (value: unknown) => JSON.stringify(value);

/** @param ids values for id fields of valid bodies */
export function admitted(schema: Schema, ids: string[]): Texts {
  if (schema.anyOf) return fc.oneof(...(schema.anyOf as Schema[]).map((each) => admitted(each, ids)));
  if (schema.enum) return fc.constantFrom(...schema.enum.map(json));
  const { minimum: min, maximum: max, minItems: minLength = 0 } = schema;
  switch (schema.type) {
    case "object":
      return schema.properties ? membersOf(schema, ids).map(joined) : fc.constantFrom("{}", '{"name":"Ada"}');
    case "array":
      return fc.array(admitted(schema.items, ids), { minLength, maxLength: 3 }).map((items) => `[${items}]`);
    case "integer":
      return fc.integer({ min, max }).map(json);
    case "number":
      return fc.double({ min, max, noNaN: true }).map(json);
    case "string":
      return textsOf(schema, ids).map(json);
    case "boolean":
      return fc.boolean().map(json);
    case "null":
      return fc.constant("null");
    default:
      return fc.json({ maxDepth: 3 });
  }
}

function textsOf({ format, minLength = 0, maxLength = 100 }: Schema, ids: string[]): Texts {
  if (format === "uuid") return fc.constantFrom(...ids);
  if (format === "email") return fc.uuid().map((id) => `${id}@harbour.example`);
  if (format === "uri") return fc.webPath().map((path) => `https://receiver.example${path}`);
  const [min, max] = [new Date("0001-01-02"), new Date("9999-12-30")];
  if (format === "date-time") return fc.date({ min, max, noInvalidDate: true }).map((date) => date.toISOString());
  const length = { minLength, maxLength: Math.min(maxLength, 60) };
  return fc.string({ unit: "binary", ...length }).map((text) => text.replaceAll("\0", "0"));
}

const joined = (members: Members) => `{${members.map(([name, value]) => `${json(name)}:${value}`).join(",")}}`;

function membersOf({ properties, required = [] }: Schema, ids: string[]): fc.Arbitrary<Members> {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const member = admitted(schema, ids).map((value): Members => [[name, value]]);
    return required.includes(name) ? member : fc.option(member, { nil: [] });
  });
  return fc.tuple(...fields).map((each) => each.flat());
}

/** Replaces one value by anything, or by a value next to the schema's bounds. */
function strange(schema: Schema): Texts {
  const { type, format, maxLength, minimum, maximum } = schema;
  const near = (type === "string" && (ofFormat[format] ?? texts)) || [];
  const around = [
    ...(maxLength ? ["a", "𝒳", "é"].flatMap((one) => [-1, 0, 1].map((by) => json(one.repeat(maxLength + by)))) : []),
    ...[minimum, maximum]
      .filter((bound) => bound !== undefined)
      .flatMap((bound) => [bound - 1, bound, bound + 1].map(json)),
  ];
  return fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...values) },
    ...(near.length > 0 ? [{ weight: 4, arbitrary: fc.constantFrom(...near) }] : []),
    ...(around.length > 0 ? [{ weight: 3, arbitrary: fc.constantFrom(...around) }] : []),
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 80 }).map((end) => json(canaries.text + end)) },
    { weight: 1, arbitrary: fc.json({ maxDepth: 4 }) },
  );
}

/** Valid bodies with faults: replaced, missing or duplicate values, or unknown members. */
export function spoilt(schema: Schema, ids: string[]): Texts {
  if (schema.anyOf) return fc.oneof(...(schema.anyOf as Schema[]).map((each) => spoilt(each, ids)));
  if (schema.type === "array") {
    const item = fc.oneof(admitted(schema.items, ids), spoilt(schema.items, ids));
    return fc.oneof(
      strange(schema),
      fc.array(item, { maxLength: 4 }).map((items) => `[${items}]`),
    );
  }
  if (schema.type !== "object" || !schema.properties) return strange(schema);
  const bad = fc
    .constantFrom(...Object.keys(schema.properties))
    .chain((name) => spoilt(schema.properties[name], ids).map((value): Members[number] => [name, value]));
  const replaced = ([good, worse]: [Members, Members]): Members => [
    ...good.filter(([name]) => !worse.some(([other]) => other === name)),
    ...worse,
  ];
  const good = membersOf(schema, ids);
  const members = fc.oneof(
    { weight: 6, arbitrary: fc.tuple(good, fc.array(bad, { minLength: 1, maxLength: 3 })).map(replaced) },
    { weight: 1, arbitrary: fc.tuple(good, bad).map(([all, one]) => [...all, one]) },
    { weight: 1, arbitrary: fc.tuple(good, bad).map(([all, one]) => [one, ...all]) },
    { weight: 1, arbitrary: good.map((all) => all.slice(1)) },
    { weight: 2, arbitrary: fc.tuple(good, fc.subarray(unknownMembers, { minLength: 1 })).map((both) => both.flat()) },
  );
  return fc.oneof({ weight: 9, arbitrary: members.map(joined) }, { weight: 1, arbitrary: strange(schema) });
}
