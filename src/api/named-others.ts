/**
 * Unknown fields are dropped, except names of people and bots: without such a field, the call would succeed for the caller, or
 * for all. (docs/decisions/0007-calls-and-refusals.md)
 */
import type { z } from "zod";
import type { Operation } from "../contract/operation.ts";
import type { Detail } from "../contract/refusals.ts";

/** Compared in lower case and without separators: `user_id` is `userId`. */
const namesOther = /^(?:as|for|onbehalfof)?(?:(?:user|person|member|owner|bot)(?:s|ids?)?|email(?:s|address)?)$/;

/** Details repeat the name, so a longer one is dropped. */
const maxLength = 32;

type Parts = { operation: Operation; params: Record<string, string>; query: URLSearchParams };

/** One detail for each field or parameter of a POST or PATCH that names a person or a bot, and that the operation does not have. */
export function namedOthers({ operation, params, query }: Parts, body: Record<string, unknown>): Detail[] {
  const { body: fields, query: parameters, bodyLines: list } = operation;
  const inBody = Object.keys(body).filter(
    (name) => !has(fields, name) && isOther(name) && !isReadBack(operation, params, name, body[name]),
  );
  const inQuery = [...new Set(query.keys())].filter((name) => !has(parameters, name) && isOther(name));
  const inLines =
    list === undefined ? [] : othersInLines(list, (fields?.shape[list] as z.ZodArray | undefined)?.element, body[list]);
  return [...inBody.map((name) => `body.${name}`), ...inLines, ...inQuery.map((name) => `query.${name}`)].map(
    (path) => ({
      path,
      message: "is no field of this operation",
    }),
  );
}

function othersInLines(list: string, line: object | undefined, lines: unknown): string[] {
  if (!Array.isArray(lines)) return [];
  return lines.flatMap((each: unknown, index) =>
    typeof each === "object" && each !== null
      ? Object.keys(each).flatMap((name) =>
          !has(line, name) && isOther(name) ? [`body.${list}.${index}.${name}`] : [],
        )
      : [],
  );
}

const isOther = (name: string) =>
  name.length <= maxLength && namesOther.test(name.toLowerCase().replaceAll(/[-_]/g, ""));

const has = (schema: object | undefined, name: string) =>
  schema !== undefined && "shape" in schema && Object.hasOwn(schema.shape as object, name);

/** A client may send back a resource that it has read and changed. The path says which one. */
function isReadBack(
  { method, reply }: Operation,
  params: Record<string, string>,
  name: string,
  value: unknown,
): boolean {
  return method === "patch" && has(reply, name) && (params[name] === undefined || params[name] === value);
}
