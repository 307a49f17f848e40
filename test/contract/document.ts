/**
 * Checks responses against the document. Its schemas are closed here, so that undocumented fields are found. Records
 * the responses seen, to compare them with the documented ones.
 */

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { OpenApi } from "../../src/api/openapi/document.ts";
import type { Parameter, ResponseObject } from "../../src/api/openapi/operations.ts";
import type { Reason } from "../../src/contract/reasons.ts";
import type { Json, Reply } from "../support/api.ts";

export type Documented = {
  id: string;
  method: string;
  path: string;
  platform: boolean;
  parameters: { name: string; in: string; schema: Json; example?: string }[];
  body: Json | undefined;
  example: Json | undefined;
  status: number;
  reasons: Reason[];
  responses: Record<string, ResponseObject>;
};

/** Headers that the contract describes; the others belong to HTTP. */
const ours =
  /^(x-request-id|ratelimit.*|retry-after|x-botstead-reason|location|idempotent-replayed|www-authenticate|allow|etag|deprecation|sunset|link)$/;

export function readDocument(document: OpenApi) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(closed(document) as object, "contract");

  const resolve = <T>(given: T | { $ref: string }): T => {
    if (typeof given !== "object" || given === null || !("$ref" in given)) return given as T;
    const names = given.$ref.slice(2).split("/");
    return names.reduce<Json>((place, name) => place[name], document);
  };

  const operations: Documented[] = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      platform: operation.security.some((scheme) => "platformKey" in scheme),
      parameters: (operation.parameters ?? []).map(
        (each) => resolve<Parameter>(each) as unknown as Documented["parameters"][0],
      ),
      body: operation.requestBody,
      example: operation.requestBody?.content["application/json"]?.example,
      status: Number(Object.keys(operation.responses)[0]),
      reasons: Object.values(operation["x-botstead-reasons"] ?? {}).flat() as Reason[],
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => [status, resolve<ResponseObject>(response)]),
      ),
    })),
  );

  const compiled = new Map<string, ValidateFunction>();
  /** @throws Error with all violations */
  function conform(schema: object, value: unknown, what: string): void {
    const key = JSON.stringify(schema);
    const validate = compiled.get(key) ?? ajv.compile(closed(absolute(schema)) as object);
    compiled.set(key, validate);
    if (validate(value)) return;
    const errors = (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
    throw new Error(`${what} is not as documented:\n${errors.join("\n")}\n${JSON.stringify(value)}`);
  }

  return { document, operations, conform, resolve, record: makeRecord(operations, conform, resolve) };
}

type Conform = (schema: object, value: unknown, what: string) => void;

function makeRecord(operations: Documented[], conform: Conform, resolve: <T>(given: T | { $ref: string }) => T) {
  const seen = new Set<string>();
  return {
    seen,
    /** Responses that an operation may return, as "create_key 429 quota_exceeded". */
    documented: operations.flatMap(({ id, responses }) =>
      Object.entries(responses).flatMap(([status, response]) =>
        (codesOf(response) ?? [""]).map((code) => `${id} ${status} ${code}`.trim()),
      ),
    ),

    /** Checks a response against the document and records it. @throws Error if it is undocumented */
    check({ id, responses, reasons }: Documented, reply: Reply<Json>): void {
      const what = `The answer ${reply.status} of ${id}`;
      const response = responses[reply.status];
      if (!response) throw new Error(`${what} is not documented: ${reply.text}`);
      const { "application/json": json, "text/event-stream": stream } = response.content ?? {};
      if (json) conform(json.schema, reply.body, what);
      if (json && hasSpace(reply.text)) throw new Error(`${what} has white space between its values: ${reply.text}`);
      if (stream) for (const event of reply.body) conform(stream.schema, event, what);
      checkHeaders(response, reply, what);
      const reason = reply.headers.get("x-botstead-reason");
      if (reason !== null && !reasons.includes(reason as Reason)) throw new Error(`${what} has the reason ${reason}`);
      const code = reply.status >= 400 ? reply.body.error.code : "";
      seen.add(`${id} ${reply.status} ${code}`.trim());
    },
  };

  function checkHeaders(response: ResponseObject, { headers }: Reply<Json>, what: string): void {
    const documented = Object.entries((response.headers ?? {}) as Record<string, Json>);
    for (const [name, given] of documented) {
      const { required, schema } = resolve<Json>(given);
      const value = headers.get(name);
      if (value === null && required) throw new Error(`${what} has no header ${name}`);
      if (value !== null)
        conform(schema, schema.type === "integer" ? Number(value) : value, `${what}, header ${name},`);
    }
    const names = new Set(documented.map(([name]) => name.toLowerCase()));
    for (const [name] of headers) {
      if (ours.test(name) && !names.has(name))
        throw new Error(`${what} has the header ${name}, which is not documented`);
    }
  }
}

/** Whether JSON has white space outside of strings. */
const hasSpace = (json: string): boolean => /\s/.test(json.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""'));

/** The codes of a refusal. */
export function codesOf(response: ResponseObject): string[] | undefined {
  const schema: Json = response.content?.["application/json"]?.schema;
  return schema?.properties?.error?.allOf?.[1].properties.code.enum;
}

/** References into the document that is registered in ajv. */
function absolute(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"contract#/'));
}

/** A copy with every object closed: responses may get fields later, but not unnoticed in a test. */
function closed(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(closed);
  const entries = Object.entries(value).map(([name, inner]) => [name, closed(inner)]);
  const schema = Object.fromEntries(entries);
  const isObject = schema.type === "object" && schema.properties && schema.additionalProperties === undefined;
  return isObject ? { ...schema, additionalProperties: false } : schema;
}
