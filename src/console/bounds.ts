/**
 * Limits of one GraphQL request: depth, fields and rows. Fragments count each time they are spread, aliases separately,
 * and rows of nested lists multiply. Existing libraries count only depth, or ignore page sizes and their defaults.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isObjectType,
  type SelectionSetNode,
  type ValueNode,
} from "postgraphile/graphql";

export const bounds = {
  /** Levels of fields. Introspection is bounded by GraphQL's own rules. */
  depth: 12,
  fields: 600,
  /** Rows of one list. */
  page: 200,
  /** Rows of all lists together. */
  rows: 20_000,
  /** Each mutation is its own transaction, and the response reports its result. */
  mutations: 1,
};

/** Rows of a list without `first`. */
export const defaultPageSize = 50;

type Weight = { depth: number; fields: number; rows: number };
type RequestParts = { operationName: string | undefined; variables: Record<string, unknown> };

/** A sentence about the bound that a valid document exceeds; undefined if none. */
export function boundsBroken(schema: GraphQLSchema, document: DocumentNode, request: RequestParts): string | undefined {
  const operation = getOperationAST(document, request.operationName);
  if (!operation) return "Name the operation to run.";
  const fragments = new Map(
    document.definitions.flatMap((one) => (one.kind === "FragmentDefinition" ? [[one.name.value, one] as const] : [])),
  );
  const weighed = new Map<FragmentDefinitionNode, Weight>();
  const root = schema.getRootType(operation.operation);
  const variables = {
    ...Object.fromEntries(
      (operation.variableDefinitions ?? []).map(({ variable, defaultValue }) => [
        variable.name.value,
        defaultValue && literal(defaultValue),
      ]),
    ),
    ...request.variables,
  };
  let widest = 0;
  let unsized = false;

  function weigh(selections: SelectionSetNode, parent: GraphQLNamedType | null | undefined): Weight {
    const total: Weight = { depth: 0, fields: 0, rows: 0 };
    for (const selection of selections.selections) {
      let part: Weight;
      if (selection.kind === "Field") part = weighField(selection, parent);
      else if (selection.kind === "InlineFragment") {
        const named = selection.typeCondition && schema.getType(selection.typeCondition.name.value);
        part = weigh(selection.selectionSet, named ?? parent);
      } else part = weighFragment(fragments.get(selection.name.value));
      total.depth = Math.max(total.depth, part.depth);
      total.fields += part.fields;
      total.rows += part.rows;
    }
    return total;
  }

  // Memoized: nested fragments would otherwise take exponential time.
  function weighFragment(fragment: FragmentDefinitionNode | undefined): Weight {
    if (!fragment) return { depth: 0, fields: 0, rows: 0 };
    const known = weighed.get(fragment);
    if (known) return known;
    const weight = weigh(fragment.selectionSet, schema.getType(fragment.typeCondition.name.value));
    weighed.set(fragment, weight);
    return weight;
  }

  function weighField(node: FieldNode, parent: GraphQLNamedType | null | undefined): Weight {
    const name = node.name.value;
    const field = isObjectType(parent) ? parent.getFields()[name] : undefined;
    const within = node.selectionSet
      ? weigh(node.selectionSet, field && getNamedType(field.type))
      : { depth: 0, fields: 0, rows: 0 };
    if (name.startsWith("__")) return { depth: 1, fields: within.fields + 1, rows: 0 };
    const size = field && pageSize(node, field);
    if (size !== undefined) widest = Math.max(widest, size);
    return {
      depth: within.depth + 1,
      fields: within.fields + 1,
      rows: size === undefined ? within.rows : size * (1 + within.rows),
    };
  }

  function pageSize(node: FieldNode, field: GraphQLField<unknown, unknown>): number | undefined {
    const first = field.args.find((arg) => arg.name === "first");
    if (!first) return undefined;
    const value = node.arguments?.find((argument) => argument.name.value === "first")?.value;
    const size = value?.kind === "Variable" ? variables[value.name.value] : value && literal(value);
    if (size === undefined) return Number(first.defaultValue ?? defaultPageSize);
    if (typeof size === "number" && size >= 0) return size;
    unsized = true; // null would return all rows, and a negative size would offset other lists
    return 0;
  }

  const { depth, fields, rows } = weigh(operation.selectionSet, root);
  const selections = operation.selectionSet.selections;
  const isPlain =
    selections.length <= bounds.mutations && selections.every(({ kind }) => kind === "Field") && fragments.size === 0;
  if (operation.operation === "mutation" && !isPlain) return "A request has one operator action, without fragments.";
  if (depth > bounds.depth) return `The query is ${depth} levels deep; ${bounds.depth} are allowed.`;
  if (fields > bounds.fields) return `The query has ${fields} fields; ${bounds.fields} are allowed.`;
  if (unsized) return `A list has an invalid number of rows; a page has 0 to ${bounds.page}.`;
  if (widest > bounds.page) return `A list requests ${widest} rows; a page has at most ${bounds.page}.`;
  if (rows > bounds.rows) return `The query may come to ${rows} rows; ${bounds.rows} are allowed.`;
  return undefined;
}

function literal(value: ValueNode): number | null {
  return value.kind === "IntValue" ? Number(value.value) : null;
}
