/** The lists of the console that the server sorts and filters: their orders, filters and rows. */
import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  getNamedType,
  parse,
  type TypeNode,
  typeFromAST,
} from "graphql";
import { savedQueries } from "./saved-queries.ts";

export const serverLists = Object.entries(savedQueries)
  .filter(([, text]) => text.includes("$orderBy"))
  .map(([name]) => name);

/** The type of a variable of a saved query. */
function variableType(schema: GraphQLSchema, list: string, name: string): unknown {
  const [operation] = parse(savedQueries[list] ?? "").definitions;
  const variables = operation?.kind === "OperationDefinition" ? (operation.variableDefinitions ?? []) : [];
  const found = variables.find(({ variable }) => variable.name.value === name);
  const type = found && typeFromAST(schema, found.type as TypeNode as never);
  if (!type) throw new Error(`The query ${list} has no variable ${name}.`);
  return getNamedType(type);
}

export const ordersOf = (schema: GraphQLSchema, list: string): string[] =>
  (variableType(schema, list, "orderBy") as GraphQLEnumType)
    .getValues()
    .map(({ name }) => name)
    .filter((name) => name !== "NATURAL");

export const filtersOf = (schema: GraphQLSchema, list: string): string[] =>
  Object.keys((variableType(schema, list, "condition") as GraphQLInputObjectType).getFields());

export type Node = Record<string, unknown> & { id: string };
export type Rows = { nodes: Node[]; pageInfo: { hasNextPage: boolean; endCursor: string } };

/** The list in an answer: of the service, or of an organisation or endpoint. */
export function rowsOf(data: Record<string, Record<string, unknown>>): Rows {
  const [value = {}] = Object.values(data);
  return ("nodes" in value ? value : Object.values(value).find((part) => part && typeof part === "object")) as Rows;
}
