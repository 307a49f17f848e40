/**
 * A canary in each text field of each request body of the contract. The fields are read from the document, so a new field
 * gets its canary without a change here.
 */
import { readFileSync } from "node:fs";
import { ids, times } from "../../src/contract/examples.ts";
import type { Json, Reply } from "./api.ts";

type Operation = { name: string; method: string; path: string; platform: boolean; example: Json; fields: string[] };

export type Planting = {
  /** Sends a request to the API. */
  ask: (operation: { method: string; platform: boolean }, path: string, body: Json) => Promise<Reply<Json>>;
  /** The real id for the id of an example, or for an operation's path. */
  ids: Partial<Record<keyof typeof ids, string>>;
  /** The id in the path, by operation. */
  pathIds: Record<string, string>;
};

export type Planted = {
  /** Canaries that the API has accepted, by operation and field, for example `create_bot.name`. */
  stored: Map<string, string>;
  /** Fields in which the API refuses markup. */
  refused: string[];
  /** The answers, by operation. */
  answers: Map<string, Json>;
};

/** A word, and markup that sets `canary` if a page runs it, inside an element or an attribute. At most 60 characters. */
export const markup = (number: number): string => `Quay${number} "'><img src=x onerror=globalThis.canary=${number}>`;

/** Sends each operation with a canary in every text field that accepts it. */
export async function plantCanaries(given: Planting): Promise<Planted> {
  const planted: Planted = { stored: new Map(), refused: [], answers: new Map() };
  for (const operation of operationsWithText()) {
    const accepted = new Map(operation.fields.map((field) => [field, ""]));
    for (let reply: Reply<Json> | undefined; reply === undefined || reply.status === 400; ) {
      const body = withRealIds(operation.example, given.ids);
      for (const field of accepted.keys()) {
        accepted.set(field, markup(1_000 + planted.stored.size + [...accepted.keys()].indexOf(field)));
        put(body, field, accepted.get(field) ?? "");
      }
      const path = operation.path.replace(/\{\w+\}/, given.pathIds[operation.name] ?? "");
      reply = await given.ask(operation, path, body);
      const faults = (reply.body.error?.details ?? []).map(({ path: at }: { path: string }) => fieldOf(at));
      for (const field of faults) {
        if (accepted.delete(field)) planted.refused.push(`${operation.name}.${field}`);
        else throw new Error(`${operation.name}: ${reply.text}`);
      }
      if (reply.status >= 300 && faults.length === 0) throw new Error(`${operation.name}: ${reply.text}`);
      planted.answers.set(operation.name, reply.body);
    }
    for (const [field, canary] of accepted) planted.stored.set(`${operation.name}.${field}`, canary);
  }
  return planted;
}

function operationsWithText(): Operation[] {
  const document = JSON.parse(readFileSync("docs/openapi.json", "utf8")) as Json;
  const resolved = (schema: Json): Json =>
    schema.$ref ? resolved(document.components.schemas[schema.$ref.split("/").at(-1)]) : schema;
  const textsOf = (given: Json, at: string): string[] => {
    const schema = resolved(given);
    const isText = [schema.type].flat().includes("string") && !schema.enum && !("const" in schema);
    return [
      ...(isText && !["uuid", "date-time"].includes(schema.format) ? [at] : []),
      ...[schema.anyOf, schema.oneOf, schema.allOf].flatMap((each) => each ?? []).flatMap((each) => textsOf(each, at)),
      ...Object.entries(schema.properties ?? {}).flatMap(([name, each]) => textsOf(each, at ? `${at}.${name}` : name)),
      ...(schema.items ? textsOf(schema.items, `${at}[]`) : []),
    ];
  };
  return Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).flatMap(([method, { operationId: name, requestBody, security }]) => {
      const { schema, example } = requestBody?.content["application/json"] ?? {};
      const fields = schema ? [...new Set(textsOf(schema, ""))] : [];
      const platform = "platformKey" in (security?.[0] ?? {});
      return fields.length > 0 ? [{ name, method: method.toUpperCase(), path, platform, example, fields }] : [];
    }),
  );
}

/** `body.allowedIps.0` is the field `allowedIps[]`. */
const fieldOf = (path: string) => path.replace(/^body\./, "").replaceAll(/\.\d+/g, "[]");

function withRealIds(example: Json, real: Planting["ids"]): Json {
  let text = JSON.stringify(example).replaceAll(times.outage, new Date(Date.now() - 3_600_000).toISOString());
  for (const [name, id] of Object.entries(real)) text = text.replaceAll(ids[name as keyof typeof ids], id);
  return JSON.parse(text);
}

/** Puts a text at a field such as `owner.email` or `operations[].id`. */
function put(body: Json, field: string, text: string): void {
  const [first = "", ...rest] = field.replaceAll("[]", ".0").split(".");
  if (rest.length === 0) body[first] = text;
  else {
    body[first] ??= rest[0] === "0" ? [] : {};
    put(body[first], rest.join("."), text);
  }
}
