/** PostgreSQL's own parser: expressions, statements and bodies as trees. */

import { loadPackage } from "./packages.ts";

/** A node of a parse tree, such as `{ ColumnRef: { fields } }`. Its shape is PostgreSQL's (parsenodes.h). */
// biome-ignore lint/suspicious/noExplicitAny: PostgreSQL has 250 kinds of nodes, each with fields of its own
export type Tree = any;

type Parser = {
  loadModule: () => Promise<void>;
  parseSync: (text: string) => Tree;
  parsePlPgSQLSync: (text: string) => Tree;
  deparseSync: (tree: Tree) => string;
};
let parser: Parser | undefined;

export async function loadParser(): Promise<void> {
  if (parser) return;
  const loaded = loadPackage("@libpg-query/parser") as Parser;
  await loaded.loadModule();
  parser = loaded;
}

const trees = new Map<string, Tree>();

function parsed(text: string, parse: (text: string) => Tree): Tree {
  const known = trees.get(text) ?? withoutPlaces(parse(text));
  trees.set(text, known);
  return known;
}

const use = (): Parser => {
  if (!parser) throw new Error("The parser is not loaded.");
  return parser;
};

/** @throws Error for text that PostgreSQL 17 does not understand */
export const statementsOf = (sql: string): Tree[] =>
  parsed(sql, (text) => use().parseSync(text)).stmts?.map(({ stmt }: Tree) => stmt) ?? [];

export const expressionOf = (sql: string): Tree =>
  statementsOf(`select ${sql}`)[0].SelectStmt.targetList[0].ResTarget.val;

export const textOfExpression = (val: Tree): string => {
  const SelectStmt = { targetList: [{ ResTarget: { val } }], limitOption: "LIMIT_OPTION_DEFAULT", op: "SETOP_NONE" };
  return use()
    .deparseSync({ version: 170004, stmts: [{ stmt: { SelectStmt } }] })
    .replace(/^SELECT /, "");
};

/** @param definition as `pg_get_functiondef` prints it */
export const plpgsqlOf = (definition: string): Tree =>
  parsed(definition, (text) => use().parsePlPgSQLSync(text)).plpgsql_funcs[0].PLpgSQL_function;

/** Without positions, so that equal expressions are equal trees. */
function withoutPlaces(tree: Tree): Tree {
  if (Array.isArray(tree)) return tree.map(withoutPlaces);
  if (tree === null || typeof tree !== "object") return tree;
  return Object.fromEntries(
    Object.entries(tree).flatMap(([name, value]) =>
      /^(location|stmt_len|stmt_location)$/.test(name) ? [] : [[name, withoutPlaces(value)]],
    ),
  );
}

/** The kind of a node and its fields. */
export const nodeOf = (tree: Tree): [string, Tree] => Object.entries(tree)[0] as [string, Tree];

export const namesOf = (list: Tree[]): string[] => list.map(({ String: text }: Tree) => text?.sval ?? "*");

const shortNames: Record<string, string> = {
  ...{ int2: "smallint", int4: "integer", int8: "bigint", bool: "boolean", float4: "real", float8: "double precision" },
  ...{
    timestamptz: "timestamp with time zone",
    timestamp: "timestamp without time zone",
    varchar: "character varying",
  },
  ...{ bpchar: "character" },
};

export function typeOf({ names, arrayBounds, setof }: Tree): string {
  const parts = namesOf(names).filter((name) => name !== "pg_catalog");
  const name = parts.join(".");
  return `${setof ? "setof " : ""}${shortNames[name] ?? name}${arrayBounds ? "[]" : ""}`;
}
