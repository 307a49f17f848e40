/**
 * How much one request may ask for. Counted as it will be carried out: fragments where they are spread, every alias, and
 * the rows of a list times those of the lists within it. Our own, because the libraries for this count depth alone, or
 * know neither of pages nor of their usual size.
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
  /** Levels of fields within each other; what a schema says of itself is bounded by GraphQL's own rules. */
  depth: 12,
  fields: 600,
  /** In one list. */
  page: 200,
  /** In all lists together. */
  rows: 20_000,
  /** Each is a transaction of its own, and its answer is to say what became of it. */
  acts: 1,
};

/** Rows of a list that says nothing of its size. */
export const usualPage = 50;

type Weight = { depth: number; fields: number; rows: number };
type Given = { operationName: string | undefined; variables: Record<string, unknown> };

/** Which bound a valid document breaks, in a sentence; undefined when none. */
export function boundsBroken(schema: GraphQLSchema, document: DocumentNode, given: Given): string | undefined {
  const operation = getOperationAST(document, given.operationName);
  if (!operation) return "Name the operation that is meant.";
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
    ...given.variables,
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

  // Once each: fragments that spread fragments would otherwise be counted as often as they are meant to multiply.
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
    const asked = value?.kind === "Variable" ? variables[value.name.value] : value && literal(value);
    if (asked === undefined) return Number(first.defaultValue ?? usualPage);
    if (typeof asked === "number" && asked >= 0) return asked;
    unsized = true; // null would be all there is, and less than nothing would pay for other lists
    return 0;
  }

  const { depth, fields, rows } = weigh(operation.selectionSet, root);
  const acts = operation.selectionSet.selections;
  const isPlain = acts.length <= bounds.acts && acts.every(({ kind }) => kind === "Field") && fragments.size === 0;
  if (operation.operation === "mutation" && !isPlain) return "A request does one act, written out without fragments.";
  if (depth > bounds.depth) return `The query is ${depth} levels deep; ${bounds.depth} are allowed.`;
  if (fields > bounds.fields) return `The query asks for ${fields} fields; ${bounds.fields} are allowed.`;
  if (unsized) return `A list asks for no number of rows; a page has 0 to ${bounds.page}.`;
  if (widest > bounds.page) return `A list asks for ${widest} rows; a page has at most ${bounds.page}.`;
  if (rows > bounds.rows) return `The query may come to ${rows} rows; ${bounds.rows} are allowed.`;
  return undefined;
}

function literal(value: ValueNode): number | null {
  return value.kind === "IntValue" ? Number(value.value) : null;
}
