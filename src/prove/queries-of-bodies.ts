/**
 * The rows that a query reads or writes, each with the conditions under which it contributes, and the values that it returns.
 * Common table expressions, views and sub-selects become part of the query around them.
 */
import { type Catalogue, type Command, tableNamed } from "./catalogue.ts";
import type { Environment } from "./environment.ts";
import { namesOf, nodeOf, statementsOf, type Tree } from "./parse.ts";
import { anyValue, newRow, type Row } from "./problem.ts";
import { and, asScalar, asTruth, choose, equal, not, or, type Scalar, scalar } from "./terms.ts";

/** `role`: a view reads as its owner. */
export type Access = { command: Command; row: Row; role: string; isNew: boolean; conditions: string[] };
export type Call = { name: string; given: { name?: string; variable?: string; value: Scalar }[]; conditions: string[] };
export type Query = {
  outputs: [string, Scalar][];
  conditions: string[];
  accesses: Access[];
  calls: Call[];
  /** What was not understood, so that rows may be missing. */
  reasons: string[];
};
export type Around = {
  /** Of writes.ts, which reads queries itself. */
  write: (kind: string, node: Tree, around: Around, query: Query) => void;
  environment: Environment;
  tables: Map<string, () => Query>;
  transition: (name: string) => Row | undefined;
};

export function queryOf(tree: Tree, around: Around): Query {
  const [kind, node] = nodeOf(tree);
  const inner = { ...around, tables: new Map(around.tables) };
  const query: Query = { outputs: [], conditions: [], accesses: [], calls: [], reasons: [] };
  for (const { CommonTableExpr: table } of node?.withClause?.ctes ?? []) {
    const read = () => queryOf(table.ctequery, { ...inner, tables: new Map(inner.tables) });
    if (node.withClause.recursive) query.reasons.push("a recursive query");
    else add(query, { ...read(), conditions: [] });
    inner.tables.set(
      table.ctename,
      node.withClause.recursive ? () => ({ outputs: [], conditions: [], accesses: [], calls: [], reasons: [] }) : read,
    );
  }
  if (kind === "SelectStmt") select(node, inner, query);
  else if (["InsertStmt", "UpdateStmt", "DeleteStmt"].includes(kind)) around.write(kind, node, inner, query);
  else if (!["CallStmt", "LockStmt"].includes(kind)) query.reasons.push(`a statement ${kind}`);
  return query;
}

export function add(query: Query, { accesses, calls, conditions, reasons }: Query): void {
  query.reasons.push(...reasons);
  query.accesses.push(...accesses);
  query.calls.push(...calls);
  query.conditions.push(...conditions);
}

function select(node: Tree, around: Around, query: Query): void {
  const { environment } = around;
  if (node.op !== "SETOP_NONE") {
    united(node, around, query);
    return;
  }
  if (node.valuesLists) {
    for (const { List } of node.valuesLists) for (const one of List.items) read(one, around, query);
    const [first] = node.valuesLists;
    query.outputs = first.List.items.map((one: Tree, place: number) => [
      `column${place + 1}`,
      node.valuesLists.length === 1 && nodeOf(one)[0] !== "SetToDefault"
        ? asScalar(environment.encode(one, environment))
        : anyValue(environment.problem, "several rows", "unknown"),
    ]);
    return;
  }
  const scoped = from(node.fromClause ?? [], around, query);
  where(node.whereClause, scoped, query);
  for (const { ResTarget } of node.targetList ?? []) read(ResTarget.val, scoped, query);
  for (const part of [node.havingClause, ...(node.groupClause ?? [])]) if (part) read(part, scoped, query);
  query.outputs = outputsOf(node.targetList ?? [], scoped);
  within(query);
}

export function where(condition: Tree | undefined, around: Around, query: Query): void {
  if (condition) {
    query.conditions.push(asTruth(around.environment.encode(condition, around.environment)).isTrue);
    read(condition, around, query);
  }
}

/** Each row is of one side; `except` and `intersect` return rows of the left side. */
function united(node: Tree, around: Around, query: Query): void {
  const { problem } = around.environment;
  const left = queryOf({ SelectStmt: node.larg }, around);
  const right = queryOf({ SelectStmt: node.rarg }, around);
  const isLeft = node.op === "SETOP_UNION" ? problem.declare(`left ${problem.next()}`, "() Bool") : "true";
  for (const each of left.accesses) each.conditions = [isLeft, ...each.conditions];
  for (const each of right.accesses) if (node.op === "SETOP_UNION") each.conditions = [not(isLeft), ...each.conditions];
  for (const each of [left, right]) add(query, { ...each, conditions: [] });
  query.conditions.push(or(and(isLeft, ...left.conditions), and(not(isLeft), ...right.conditions)));
  query.outputs = left.outputs.map(([name, one], place) => {
    const other = right.outputs[place]?.[1] ?? one;
    const type = one.type === "unknown" ? other.type : one.type;
    return [name, scalar(type, choose(isLeft, one.value, other.value), choose(isLeft, one.isNull, other.isNull))];
  });
}

/** What a query reads contributes only under its conditions. */
export function within(query: Query): void {
  for (const each of [...query.accesses, ...query.calls]) each.conditions = [...each.conditions, ...query.conditions];
}

/** The items of a from clause; an item sees the earlier items (lateral). */
export function from(items: Tree[], around: Around, query: Query): Around {
  const scope: Record<string, Row> = {};
  const { environment } = around;
  const scoped = { ...around, environment: { ...environment, scopes: [scope, ...environment.scopes] } };
  for (const item of items) query.conditions.push(...joined(item, scoped, scope, query));
  return scoped;
}

/** @returns conditions that each result fulfils */
function joined(item: Tree, around: Around, scope: Record<string, Row>, query: Query): string[] {
  const [kind, node] = nodeOf(item);
  const { problem } = around.environment;
  if (kind === "JoinExpr") {
    const before = query.accesses.length;
    const left = joined(node.larg, around, scope, query);
    const middle = query.accesses.length;
    const right = joined(node.rarg, around, scope, query);
    const on = [
      ...(node.quals ? [asTruth(around.environment.encode(node.quals, around.environment)).isTrue] : []),
      ...shared(node, scope),
    ];
    if (node.quals) read(node.quals, around, query);
    if (node.jointype === "JOIN_INNER") return [...left, ...right, ...on];
    // A row of the outer side contributes also without a partner; a row of the other side only with it.
    const inner =
      { JOIN_LEFT: query.accesses.slice(middle), JOIN_RIGHT: query.accesses.slice(before, middle) }[
        node.jointype as string
      ] ?? [];
    for (const access of inner) access.conditions.push(...on, ...left, ...right);
    return node.jointype === "JOIN_LEFT" ? left : node.jointype === "JOIN_RIGHT" ? right : [];
  }
  if (kind === "RangeVar") return named(node, around, scope, query);
  if (kind === "RangeSubselect") {
    const inner = queryOf(node.subquery, around);
    add(query, { ...inner, conditions: [] });
    scope[node.alias?.aliasname ?? "sub-select"] = rowOf(inner.outputs, node.alias);
    return inner.conditions;
  }
  const alias = node.alias?.aliasname;
  if (kind === "RangeFunction") read(node.functions, around, query);
  else query.reasons.push(`a table expression ${kind}`);
  if (alias) scope[alias] = { id: `${alias} ${problem.next()}`, table: "", columns: {} };
  return [];
}

/** Columns of `using (…)`, which are equal. */
function shared({ usingClause }: Tree, scope: Record<string, Row>): string[] {
  return namesOf(usingClause ?? []).map((name) => {
    const [one, other] = Object.values(scope).flatMap(({ columns }) => columns[name] ?? []);
    return one && other ? equal(one.value, other.value) : "true";
  });
}

function named(node: Tree, around: Around, scope: Record<string, Row>, query: Query): string[] {
  const { environment } = around;
  const alias: string = node.alias?.aliasname ?? node.relname;
  const cte = node.schemaname ? undefined : around.tables.get(node.relname);
  if (cte) {
    const inner = cte(); // rows of its own for each use
    scope[alias] = rowOf(inner.outputs);
    return inner.conditions;
  }
  const transition = node.schemaname ? undefined : around.transition(node.relname);
  if (transition) {
    scope[alias] = transition;
    return [];
  }
  const name = `${node.schemaname}.${node.relname}`;
  const table = tableNamed(environment.catalogue, name);
  if (table?.definition && environment.depth < 8) {
    const [view] = statementsOf(table.definition);
    const inner = queryOf(view, {
      ...around,
      tables: new Map(),
      environment: {
        ...environment,
        scopes: [],
        depth: environment.depth + 1,
        role: table.asInvoker ? environment.role : table.owner,
      },
    });
    add(query, { ...inner, conditions: [] });
    scope[alias] = rowOf(inner.outputs);
    return inner.conditions;
  }
  const row = newRow(environment.problem, name, `${alias} ${environment.problem.next()}`);
  scope[alias] = row;
  if (table) query.accesses.push({ command: "select", row, role: environment.role, isNew: false, conditions: [] });
  return [];
}

const rowOf = (outputs: [string, Scalar][], alias?: Tree): Row => {
  const renamed = namesOf(alias?.colnames ?? []);
  return {
    id: "",
    table: "",
    columns: Object.fromEntries(outputs.map(([name, value], place) => [renamed[place] ?? name, value])),
  };
};

export function outputsOf(targets: Tree[], { environment }: Around): [string, Scalar][] {
  return targets.flatMap(({ ResTarget: { name, val } }): [string, Scalar][] => {
    const [kind, node] = nodeOf(val);
    const fields: Tree[] = kind === "ColumnRef" ? node.fields : [];
    if (fields.at(-1)?.A_Star) {
      const [of] = namesOf(fields);
      const rows = Object.entries(environment.scopes[0] ?? {}).filter(([alias]) => fields.length === 1 || alias === of);
      return rows.flatMap(([, { columns }]) => Object.entries(columns));
    }
    const called = kind === "FuncCall" ? namesOf(node.funcname).at(-1) : undefined;
    return [[name ?? namesOf(fields).at(-1) ?? called ?? "?", asScalar(environment.encode(val, environment))]];
  });
}

/** Sub-selects and calls inside an expression. */
export function read(tree: Tree, around: Around, query: Query): void {
  if (Array.isArray(tree)) for (const one of tree) read(one, around, query);
  if (Array.isArray(tree) || tree === null || typeof tree !== "object") return;
  for (const [kind, node] of Object.entries<Tree>(tree)) {
    if (kind === "SubLink") {
      const inner = queryOf(node.subselect, around);
      add(query, { ...inner, conditions: [] });
      if (node.testexpr) read(node.testexpr, around, query);
      continue;
    }
    if (kind === "FuncCall") {
      const given = (node.args ?? []).map((each: Tree) => ({
        ...(each.NamedArgExpr ? { name: each.NamedArgExpr.name } : {}),
        ...variableOf(each.NamedArgExpr?.arg ?? each),
        value: asScalar(around.environment.encode(each.NamedArgExpr?.arg ?? each, around.environment)),
      }));
      query.calls.push({ name: namesOf(node.funcname).join("."), given, conditions: [] });
    }
    read(node, around, query);
  }
}

const variableOf = ({ ColumnRef: column }: Tree) => (column ? { variable: namesOf(column.fields).join(".") } : {});

export const isOfOrganisation = (catalogue: Catalogue, table: string): boolean =>
  table === "app.organisations" ||
  (tableNamed(catalogue, table)?.columns.some(({ name }) => name === "organisation_id") ?? false);
