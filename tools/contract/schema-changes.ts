/**
 * Lists the changes between two schemas. A request must accept all values that it accepted before. An answer must keep all
 * guarantees that it gave before; only its enumerations may get new values, because clients must expect unknown ones.
 */
import type { Change } from "./changes.ts";

export type Schema = {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
} & { [bound in Bound]?: number };

type Bound = (typeof lower)[number] | (typeof upper)[number];
type Direction = "request" | "answer";

const lower = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"] as const;
const upper = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"] as const;
export const bounds: readonly string[] = [...lower, ...upper];

type Components = Record<string, Schema>;
type Pair = { before: Schema; after: Schema; direction: Direction; components: [Components, Components] };

/** Both schemas carry the components of their document, so that references can be resolved. */
export function compareSchemas(at: string, before: Schema, after: Schema, direction: Direction): Change[] {
  const of = (schema: Schema) => (schema as { components?: Components }).components ?? {};
  return compare(at, { before, after, direction, components: [of(before), of(after)] }, new Set());
}

function compare(at: string, pair: Pair, met: Set<string>): Change[] {
  const references = `${pair.before.$ref} ${pair.after.$ref}`;
  if (pair.before.$ref && met.has(references)) return []; // a recursive schema
  const within = new Set([...met, references]);
  const before = resolve(pair.before, pair.components[0]);
  const after = resolve(pair.after, pair.components[1]);
  const here = { ...pair, before, after };
  return [
    ...compareTypes(at, here),
    ...compareValues(at, here),
    ...(pair.direction === "request" ? compareBounds(at, here) : []),
    ...compareProperties(at, here, within),
    ...(before.items && after.items
      ? compare(`${at}[]`, { ...here, before: before.items, after: after.items }, within)
      : []),
    ...compareChoices(at, here, within),
  ];
}

/** Resolves references and merges the parts of allOf. */
function resolve(schema: Schema, components: Components): Schema {
  const { $ref, allOf, ...own } = schema;
  const referred = $ref ? [components[$ref.split("/").at(-1) ?? ""] ?? {}] : [];
  const parts = [...[...referred, ...(allOf ?? [])].map((part) => resolve(part, components)), own];
  const properties: Record<string, Schema> = {};
  for (const part of parts) {
    for (const [name, property] of Object.entries(part.properties ?? {})) {
      properties[name] = Object.assign({}, properties[name], property);
    }
  }
  return Object.assign({}, ...parts, { properties, required: parts.flatMap((part) => part.required ?? []) });
}

const typesOf = ({ type }: Schema) => (type === undefined ? [] : [type].flat());

function compareTypes(at: string, { before, after, direction }: Pair): Change[] {
  const [old, now] = [typesOf(before), typesOf(after)];
  if (old.length === 0 && now.length === 0) return [];
  const widens = (from: string[], to: string[]) =>
    to.length === 0 ||
    (from.length > 0 && from.every((type) => to.includes(type) || (type === "integer" && to.includes("number"))));
  // A request may accept more types, an answer may return fewer.
  const [narrow, wide] = direction === "request" ? [old, now] : [now, old];
  if (!widens(narrow, wide)) return [{ breaking: true, at, what: `is ${typeList(now)}, was ${typeList(old)}` }];
  return old.join() === now.join() ? [] : [{ breaking: false, at, what: `is ${typeList(now)}, was ${typeList(old)}` }];
}

const typeList = (types: string[]) => types.join(" or ") || "anything";

const valuesOf = (schema: Schema) => (schema.const === undefined ? schema.enum : [schema.const]);

function compareValues(at: string, { before, after, direction }: Pair): Change[] {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  if (!old && !now) return [];
  if (!old) return [{ breaking: direction === "request", at, what: "is an enumeration" }];
  if (!now) return [{ breaking: direction === "answer", at, what: "is no longer an enumeration" }];
  const gone = old.filter((value) => !now.includes(value));
  const added = now.filter((value) => !old.includes(value));
  return [
    ...gone.map((value) => ({ breaking: direction === "request", at, what: `lost the value ${value}` })),
    ...added.map((value) => ({ breaking: false, at, what: `gained the value ${value}` })),
  ];
}

function compareBounds(at: string, { before, after }: Pair): Change[] {
  const narrowed = [
    ...lower.filter(
      (bound) => (after[bound] ?? Number.NEGATIVE_INFINITY) > (before[bound] ?? Number.NEGATIVE_INFINITY),
    ),
    ...upper.filter(
      (bound) => (after[bound] ?? Number.POSITIVE_INFINITY) < (before[bound] ?? Number.POSITIVE_INFINITY),
    ),
    ...(["format", "pattern"] as const).filter((form) => after[form] !== undefined && after[form] !== before[form]),
  ];
  return narrowed.map((bound) => ({
    breaking: true,
    at,
    what: `${bound} is ${after[bound]}, was ${before[bound] ?? "none"}`,
  }));
}

function compareProperties(at: string, pair: Pair, met: Set<string>): Change[] {
  const { before, after, direction } = pair;
  const [old, now] = [before.properties ?? {}, after.properties ?? {}];
  const required = (schema: Schema, name: string) => schema.required?.includes(name) ?? false;
  const existing = Object.entries(old).flatMap(([name, property]): Change[] => {
    const here = `${at}.${name}`;
    const current = now[name];
    if (!current) return [{ breaking: true, at: here, what: "was removed" }];
    const demanded = direction === "request" && required(after, name) && !required(before, name);
    const optional = direction === "answer" && !required(after, name) && required(before, name);
    return [
      ...(demanded ? [{ breaking: true, at: here, what: "is required" }] : []),
      ...(optional ? [{ breaking: true, at: here, what: "may be absent" }] : []),
      ...compare(here, { ...pair, before: property, after: current }, met),
    ];
  });
  const added = Object.keys(now).filter((name) => !(name in old));
  return [
    ...existing,
    ...added.map((name) => ({
      breaking: direction === "request" && required(after, name),
      at: `${at}.${name}`,
      what: direction === "request" && required(after, name) ? "was added and is required" : "was added",
    })),
  ];
}

/**
 * Choices have no names, so they are compared by position. A new kind of object in an answer counts as a new value of an
 * enumeration and does not break clients; a new type of value does.
 */
function compareChoices(at: string, pair: Pair, met: Set<string>): Change[] {
  const choices = ({ anyOf, oneOf }: Schema) => anyOf ?? oneOf ?? [];
  const [old, now] = [choices(pair.before), choices(pair.after)];
  const both = old
    .slice(0, now.length)
    .flatMap((before, place) => compare(`${at}|${place}`, { ...pair, before, after: now[place] ?? {} }, met));
  const added = now.slice(old.length).map((choice) => resolve(choice, pair.components[1]));
  const otherType = added.some(({ type }) => type !== "object");
  return [
    ...both,
    ...(now.length < old.length ? [{ breaking: pair.direction === "request", at, what: "has fewer choices" }] : []),
    ...(added.length > 0 ? [{ breaking: pair.direction === "answer" && otherType, at, what: "has more choices" }] : []),
  ];
}
