/**
 * Bodies that a schema admits, and bodies that somebody hostile makes of them. They are texts and not values, because a
 * text can say what no value can: 1e400, a member twice, half a surrogate pair.
 */
import fc from "fast-check";
import { z } from "zod";
import type { Json } from "../support/api.ts";

export type Schema = Json;
/** Of JSON, or of a part of a request. */
export type Texts = fc.Arbitrary<string>;

/** What no refusal may repeat. Each stands in hostile values and nowhere else. */
export const canaries = { text: "kanarienvogel", number: "471100815", id: "c0ffee00-4711-7000-8000-c0ffee004711" };

/** As JSON Schema, with nothing referred to: what a caller may send. */
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
const repeated = (one: string, times: number) => json(one.repeat(times));
const nested = (levels: number) => `${'{"a":['.repeat(levels)}1${"]}".repeat(levels)}`;

/** @param ids what a field for an id is filled with, where it is to be right */
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

type Members = [name: string, value: string][];

const joined = (members: Members) => `{${members.map(([name, value]) => `${json(name)}:${value}`).join(",")}}`;

function membersOf({ properties, required = [] }: Schema, ids: string[]): fc.Arbitrary<Members> {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const member = admitted(schema, ids).map((value): Members => [[name, value]]);
    return required.includes(name) ? member : fc.option(member, { nil: [] });
  });
  return fc.tuple(...fields).map((each) => each.flat());
}

const { text, number, id } = canaries;

const values: string[] = [
  ...["null", "true", "{}", "[]", "[[]]", '""', '" "', "0", "-1", "-0", "0.5", "1e-400", "5e-324", "1e308", "1e400"],
  ...["-1e400", "9007199254740993", "1".repeat(400), number, `-${number}`, `${number}.5`, `"${number}"`, `[${number}]`],
  ...[text, `${text}'; drop table app.runs; --`, `\${${text}}`, `%s${text}%n`, `<b>${text}</b>\r\nset-cookie: a=b`].map(
    json,
  ),
  ...[`"${text}\\u0000"`, `"\\ud800${text}"`, `"${text}\\udfff\\ud800"`, `"\\u202e${text}\\ufeff\\uffff"`],
  ...[
    `["${text}"]`,
    `{"${text}":"${text}"}`,
    `[null,"${text}",{}]`,
    `{"__proto__":{"${text}":1}}`,
    `{"length":${number}}`,
  ],
  ...[`"${id}"`, `"${id.toUpperCase()}"`, `"{${id}}"`, `"${id} "`, `"00000000-0000-0000-0000-000000000000"`],
  ...["0000-01-01T00:00:00Z", "2027-02-30T00:00:00Z", "2027-01-01T24:00:00Z", "2027-01-01T00:00:60Z", "2027-01-01"].map(
    json,
  ),
  ...[
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59.999999999-23:59",
    "infinity",
    "now",
    "-004711-01-01T00:00:00Z",
  ].map(json),
  ...[
    `http://${text}/`,
    `https://${text}@a.example/`,
    "https://127.1/",
    "https://[::ffff:10.0.0.1]/",
    "https://",
    "https://a:99999/",
  ].map(json),
  ...[`javascript:${text}`, `https://a.example/\\n${text}`, `https://${text}.localhost`, `https://xn--${text}/`].map(
    json,
  ),
  ...[`${text}@`, `${text}@a.example\r\nbcc: b@b.example`, `"${text}"@a.example`, `${text}@ä.example`, `@${text}`].map(
    json,
  ),
  ...[
    repeated(text, 10_000),
    repeated("𝒳", 40_000),
    nested(10),
    nested(40),
    nested(4_000),
    "[".repeat(9) + "]".repeat(9),
  ],
];

const strangers: Members = [
  ...["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "then", "toJSON"].map(
    (name): Members[number] => [name, `{"${text}":"${text}"}`],
  ),
  ["organisationId", `"${id}"`],
  ["organisation_id", `"${id}"`],
  ["id", `"${id}"`],
  ["createdBy", `"${id}"`],
  ["role", '"owner"'],
  ["\0", `"${text}"`],
  ["\ud800", `"${text}"`],
  ["", `"${text}"`],
  [text.repeat(2_000), number],
  ["deep", nested(20)],
];

/** In the place of one value: anything at all, and what lies next to the schema's bounds. */
export function strange(schema: Schema): Texts {
  const { maxLength, minimum, maximum } = schema;
  const around = [
    ...(maxLength ? ["a", "𝒳", "é"].flatMap((one) => [-1, 0, 1].map((by) => repeated(one, maxLength + by))) : []),
    ...[minimum, maximum]
      .filter((bound) => bound !== undefined)
      .flatMap((bound) => [bound - 1, bound, bound + 1].map(json)),
  ];
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...values) },
    ...(around.length > 0 ? [{ weight: 3, arbitrary: fc.constantFrom(...around) }] : []),
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 80 }).map((end) => json(text + end)) },
    { weight: 1, arbitrary: fc.json({ maxDepth: 4 }) },
  );
}

/** What the schema admits, spoilt: values replaced, left out, said twice, or with strangers among them. */
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
    { weight: 2, arbitrary: fc.tuple(good, fc.subarray(strangers, { minLength: 1 })).map((both) => both.flat()) },
  );
  return fc.oneof({ weight: 9, arbitrary: members.map(joined) }, { weight: 1, arbitrary: strange(schema) });
}
