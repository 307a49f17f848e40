/** Every field of every operation's requests, derived from the contract, so that new fields are included. */
import type { z } from "zod";
import type { Operation } from "../../src/contract/operation.ts";
import { type Schema, schemaOf } from "./fuzz-json.ts";

export type Place = {
  operation: Operation;
  part: "body" | "query" | "path" | "header";
  /** Path of members in a body; otherwise only its name. */
  at: string[];
  schema: Schema;
};

export function placesOf(operation: Operation): Place[] {
  const place = (part: Place["part"], at: string[], schema: Schema = {}): Place => ({ operation, part, at, schema });
  return [
    ...fieldsOf(operation.body).map(([at, schema]) => place("body", at, schema)),
    ...fieldsOf(operation.query).map(([at, schema]) => place("query", at, schema)),
    ...[...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => place("path", [name])),
    ...(operation.needsIdempotencyKey ? [place("header", ["idempotency-key"])] : []),
    ...(operation.stream ? [place("header", ["last-event-id"])] : []),
    ...["authorization", "content-type", "traceparent"].map((name) => place("header", [name])),
  ];
}

export const nameOf = ({ operation, part, at }: Place): string => `${operation.name} ${part}.${at.join(".")}`;

/** Objects and lists count as places, and so do their members. */
function fieldsOf(schema: z.ZodObject | undefined): [at: string[], schema: Schema][] {
  const inside = (node: Schema, at: string[]): [string[], Schema][] => {
    const known = concrete(node);
    const here: [string[], Schema][] = at.length > 0 ? [[at, known]] : [];
    const members = Object.entries<Schema>(known.properties ?? {}).flatMap(([name, each]) =>
      inside(each, [...at, name]),
    );
    return [...here, ...members, ...(known.items ? inside(known.items, [...at, "0"]) : [])];
  };
  return schema ? inside(schemaOf(schema), []) : [];
}

/** The schema of a nullable field without null. */
function concrete(schema: Schema): Schema {
  return schema.anyOf?.find(({ type }: Schema) => type !== "null") ?? schema;
}

/** The body with these raw bytes in place of a value. */
export function withRaw(body: object, at: string[], raw: string | Buffer): Buffer {
  const hole = "#hole#";
  const [before = "", after = ""] = JSON.stringify(withValue(body, at, hole)).split(`"${hole}"`);
  return Buffer.concat([Buffer.from(before), Buffer.from(raw), Buffer.from(after)]);
}

/** Makes the objects, and the lists of one element, that the body lacks. */
export function withValue(body: unknown, [name, ...rest]: string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (name === "0" && !Array.isArray(body)) return [withValue(undefined, rest, value)];
  if (Array.isArray(body))
    return body.map((each, place) => (place === Number(name) ? withValue(each, rest, value) : each));
  return {
    ...(body as object),
    [name]: withValue((body as Record<string, unknown> | null | undefined)?.[name], rest, value),
  };
}

/** The value at this place; undefined if there is none. */
export function valueAt(body: unknown, at: string[]): unknown {
  return at.reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], body);
}
