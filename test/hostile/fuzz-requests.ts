/** Valid and hostile requests of an operation. */
import fc from "fast-check";
import type { Operation } from "../../src/contract/operation.ts";
import { operations } from "../../src/contract/operations.ts";
import { absent } from "../support/requests.ts";
import type { HostileRequest } from "./fixture.ts";
import { admitted, type Schema, schemaOf, spoilt, type Texts } from "./fuzz-json.ts";
import { parameters, queries, rareHeaders, segments } from "./fuzz-parts.ts";
import { canaries } from "./fuzz-values.ts";

/** Ids that the caller may read, by the first part of a path, and ids that it may not. */
export type Ids = {
  own: Record<string, string>;
  foreign: string;
  /** Used only in bodies, so that it is not changed. */
  bot: string;
};

/** Operations that delete come last, because the others need the rows. */
export const inOrder = operations.toSorted((a, b) => Number(a.method === "delete") - Number(b.method === "delete"));

const { text, number } = canaries;

function queryOf(schema: Schema): Texts {
  const named = Object.entries<Schema>(schema.properties).map(([name, each]) => {
    const right = admitted(each, [absent]).map((value) =>
      encodeURIComponent(value.replace(/^"|"$/g, "").toWellFormed()),
    );
    const value = fc.oneof({ weight: 2, arbitrary: right }, { weight: 3, arbitrary: fc.constantFrom(...parameters) });
    return fc.option(
      value.map((chosen) => `${name}=${chosen}`),
      { nil: "" },
    );
  });
  const wellNamed = fc.tuple(...named).map((each) => each.filter((one) => one !== "").join("&"));
  return fc.oneof({ weight: 4, arbitrary: wellNamed }, { weight: 1, arbitrary: fc.constantFrom(...queries) });
}

function pathOf({ path, query }: Operation, ids: Ids): Texts {
  const own = ids.own[path.split("/")[1] ?? ""] ?? absent;
  const segment = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(own, own.toUpperCase()) },
    { weight: 1, arbitrary: fc.constant(ids.foreign) },
    { weight: 2, arbitrary: fc.constantFrom(...segments) },
  );
  const filled = path.includes("{") ? segment.map((each) => path.replace(/\{\w+\}/, each)) : fc.constant(path);
  const search = query ? queryOf(schemaOf(query)) : fc.constantFrom("", ...queries);
  return fc.tuple(filled, search).map(([where, what]) => (what ? `${where}?${what}` : where));
}

function bodyOf(operation: Operation, ids: Ids): fc.Arbitrary<string | undefined> {
  const bots = [ids.bot, ids.bot, ids.foreign, absent];
  if (!operation.body) return fc.constantFrom(undefined, "", "{}", "[", text, `{"${text}":${number}}`);
  const schema = schemaOf(operation.body);
  const whole = fc.constantFrom(
    undefined,
    "",
    " ",
    "{",
    "[]",
    "null",
    text,
    `{"${text}"`,
    `{"a":${text}}`,
    `"${text}"`,
    number,
    "\ufeff{}",
  );
  return fc.oneof(
    { weight: 2, arbitrary: admitted(schema, bots) },
    { weight: 9, arbitrary: spoilt(schema, bots) },
    ...(operation.name === "batch" ? [{ weight: 9, arbitrary: batchOf(ids) }] : []),
    { weight: 1, arbitrary: whole },
  );
}

/** A batch of hostile operations. None deletes a row of the caller, because later requests need it. */
function batchOf(ids: Ids): Texts {
  const within = operations.map((operation) => {
    const method = operation.method.toUpperCase();
    const there = operation.method === "delete" ? { ...ids, own: {} } : ids;
    const body = operation.name === "batch" ? fc.constant("{}") : bodyOf(operation, there);
    return fc
      .tuple(pathOf(operation, there), body, fc.constantFrom("", `"id":${JSON.stringify(`${text} 𝒳`)},`))
      .map(
        ([path, sent, name]) =>
          `{${name}"method":"${method}","path":${JSON.stringify(path)}${sent?.trim() ? `,"body":${sent}` : ""}}`,
      );
  });
  return fc
    .tuple(
      fc.constantFrom("", '"atomic":true,', '"atomic":false,'),
      fc.array(fc.oneof(...within), { minLength: 1, maxLength: 6 }),
    )
    .map(([atomic, operations]) => `{${atomic}"operations":[${operations}]}`);
}

export function requestsTo(operation: Operation, ids: Ids): fc.Arbitrary<HostileRequest> {
  return fc.record({
    method: fc.constant(operation.method.toUpperCase()),
    path: pathOf(operation, ids),
    headers: fc.oneof(
      { weight: 12, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: fc.constantFrom(...rareHeaders) },
    ),
    body: operation.method === "get" ? fc.constant(undefined) : bodyOf(operation, ids),
  });
}
