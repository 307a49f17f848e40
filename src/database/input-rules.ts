/**
 * The bounds of the contract as SQL conditions. The database checks the input of each write again, so that a bound holds
 * for every caller of api.handle, not only for this process. (sql/api_private/inputs.sql)
 */
import { z } from "zod";
import type { Operation, SecretKind } from "../contract/operation.ts";

type Schema = {
  type?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema;
  propertyNames?: { pattern?: string };
  maxProperties?: number;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: string[];
  default?: unknown;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  $ref?: string;
  $defs?: Record<string, Schema>;
};

/** Rules of the contract over several fields, and over all elements of a list. */
const further: Record<string, string[]> = {
  create_memory: ["(input ->> 'scope' = 'bot') = (input ->> 'botId' is not null)"],
  import_memories: [
    "case when jsonb_typeof(input -> 'memories') = 'array' then " +
      "(select count(*) = count(distinct (line ->> 'externalId', lower(line ->> 'botId'))) and " +
      "bool_and(line ->> 'externalId' is not null and (line ->> 'scope' = 'bot') = (line ->> 'botId' is not null)) " +
      "from jsonb_array_elements(input -> 'memories') line) end",
  ],
  create_portal_session: [
    "(input ->> 'personId' = input ->> 'userId') is not false",
    "case when jsonb_typeof(input -> 'sections') = 'array' then " +
      "(select count(*) = count(distinct section) from jsonb_array_elements(input -> 'sections') section) else true end",
  ],
};

/** Digests that the API adds to the input. What is sealed is not checked: SQL cannot open it. */
const digests: Record<SecretKind, string> = {
  "api-key": "digest",
  "signing-secret": "secretDigest",
  "portal-link": "linkDigest",
  "invitation-token": "tokenDigest",
};

/** Returns the condition that the input of a write must meet; undefined for reads. */
export function inputRule({ method, path, query, body, name, keyClass, secret }: Operation): string | undefined {
  if (method === "get") return undefined;
  // The path of a page or a hook holds the credential.
  const isOfKey = keyClass === "organisation" || keyClass === "platform";
  const ids = [...(isOfKey ? path.matchAll(/\{(\w+)\}/g) : [])].map(([, id = ""]) =>
    condition({ type: "string", format: "uuid" }, member("input", id)),
  );
  const parts = [query, body].flatMap((part) => (part ? [schemaOf(part)] : []));
  // The operations of a batch are checked one by one. They come as names and inputs, not as paths and bodies.
  if (name === "batch") for (const part of parts) delete part.properties?.operations?.items;
  const rules = [...ids, ...parts.flatMap((part) => members(part, "input"))];
  const changeable = body && method === "patch" ? Object.keys(parts.at(-1)?.properties ?? {}) : [];
  if (changeable.length > 0) rules.push(`input ?| array[${changeable.map(literal).join(", ")}]`);
  if (secret) rules.push(`input ->> ${literal(digests[secret])} ~ '^[0-9a-f]{64}$'`);
  rules.push(...(further[name] ?? []));
  return rules.length > 0 ? rules.join("\n        and ") : undefined;
}

function schemaOf(schema: z.ZodType): Schema {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      const { def } = zodSchema._zod;
      if (def.type === "default") jsonSchema.default ??= def.defaultValue as never;
    },
  }) as Schema;
  const inlined = (node: Schema): Schema => {
    if (node.$ref) return { ...node, ...inlined($defs[node.$ref.replace("#/$defs/", "")] ?? {}) };
    const { properties = {}, items, anyOf } = node;
    return {
      ...node,
      ...(node.properties
        ? { properties: Object.fromEntries(Object.entries(properties).map(([key, each]) => [key, inlined(each)])) }
        : {}),
      ...(items ? { items: inlined(items) } : {}),
      ...(anyOf ? { anyOf: anyOf.map(inlined) } : {}),
    };
  };
  return inlined(root);
}

/** A JSON value in SQL: as jsonb and as text. */
type Value = { json: string; text: string };

function member(object: string, name: string): Value {
  return { json: `${object} -> ${literal(name)}`, text: `${object} ->> ${literal(name)}` };
}

/** Fields with a default are filled in before, so they are required here. */
function members({ properties = {}, required = [] }: Schema, object: string): string[] {
  return Object.entries(properties).map(([name, schema]) => {
    const value = member(object, name);
    const rule = condition(schema, value);
    return required.includes(name) || schema.default !== undefined ? rule : `(${value.json} is null or ${rule})`;
  });
}

function condition(schema: Schema, value: Value): string {
  if (schema.anyOf) return `(${schema.anyOf.map((each) => condition(each, value)).join(" or ")})`;
  const { type = "null", minItems, maxItems, items, minimum, maximum } = schema;
  const isOfType = `jsonb_typeof(${value.json}) = ${literal(type === "integer" ? "number" : type)}`;
  const number = `(${value.json})::numeric`;
  const conditions = {
    null: [],
    boolean: [],
    string: ofText(schema, value.text),
    number: ofRange(number, minimum, maximum),
    integer: [...ofRange(number, minimum, maximum), `${number} % 1 = 0`],
    array: [
      ...ofRange(`jsonb_array_length(${value.json})`, minItems, maxItems),
      ...(items
        ? [
            `not exists (select from jsonb_array_elements(${value.json}) item where (${condition(items, element)}) is not true)`,
          ]
        : []),
    ],
    object: [...members(schema, `(${value.json})`), ...ofPairs(schema, value.json)],
  }[type];
  if (!conditions) throw new Error(`There is no SQL condition for the type ${type}.`);
  // A case, because PostgreSQL may evaluate the operands of AND in any order.
  return conditions.length === 0 ? isOfType : `case when ${isOfType} then ${conditions.join(" and ")} end`;
}

/** An object whose keys the caller chooses. */
function ofPairs({ additionalProperties, propertyNames, maxProperties }: Schema, json: string): string[] {
  if (!additionalProperties?.type) return [];
  const isPair = [
    ...(propertyNames?.pattern ? [`pair.key ~ ${literal(propertyNames.pattern)}`] : []),
    condition(additionalProperties, { json: "pair.value", text: "pair.value #>> '{}'" }),
  ].join(" and ");
  return [
    ...ofRange(`(select count(*) from jsonb_object_keys(${json}))`, undefined, maxProperties),
    `not exists (select from jsonb_each(${json}) pair where (${isPair}) is not true)`,
  ];
}

const element: Value = { json: "item", text: "item #>> '{}'" };

function ofText({ enum: values, format, minLength, maxLength }: Schema, text: string): string[] {
  if (values) return [`${text} = any (array[${values.map(literal).join(", ")}])`];
  return [
    ...ofRange(`char_length(${text})`, minLength, maxLength),
    ...(format === "uuid" ? [`pg_input_is_valid(${text}, 'uuid')`] : []),
    ...(format === "uri" ? [`${text} ~* '^https?://[^/]'`] : []),
    ...(format === "email" ? [`names.is_email(${text})`] : []),
    ...(format === "date-time"
      ? [
          `${text} ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T'`,
          `case when pg_input_is_valid(${text}, 'timestamptz')
            then (${text})::timestamptz between '0001-01-01T00:00:00Z' and '9999-12-31T23:59:59.999999Z' end`,
        ]
      : []),
  ];
}

function ofRange(value: string, min: number | undefined, max: number | undefined): string[] {
  if (min !== undefined && max !== undefined) return [`${value} between ${min} and ${max}`];
  return [...(min === undefined ? [] : [`${value} >= ${min}`]), ...(max === undefined ? [] : [`${value} <= ${max}`])];
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
