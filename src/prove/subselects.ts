/**
 * Sub-selects. A row that exists is a row of unknown values under the condition of the sub-select and the policies of its
 * table. That no row exists is only known of rows that are part of the same question (problem.ts).
 */
import { bodyEnvironment } from "./calls.ts";
import { functionNamed } from "./catalogue.ts";
import { compared } from "./comparisons.ts";
import type { Environment } from "./environment.ts";
import { namesOf, nodeOf, statementsOf, type Tree } from "./parse.ts";
import { anyValue, existence, type Row } from "./problem.ts";
import {
  and,
  asTruth,
  conjunction,
  disjunction,
  implies,
  negated,
  not,
  type Truth,
  truth,
  type Value,
} from "./terms.ts";

export function sublink({ subLinkType, subselect, testexpr, operName }: Tree, environment: Environment): Value {
  const { problem } = environment;
  const select = subselect.SelectStmt;
  if (subLinkType === "EXPR_SUBLINK" && !select.fromClause && isPlain(select)) {
    const [target] = select.targetList;
    if (!select.whereClause) return environment.encode(target.ResTarget.val, environment);
  }
  if (subLinkType === "EXISTS_SUBLINK" && isPlain(select) && (select.targetList ?? []).every(isColumn)) {
    const exists = existing(select, environment, () => "true", "");
    if (exists) return truth(exists, not(exists));
  }
  if (subLinkType === "ANY_SUBLINK" && isPlain(select) && (!operName || namesOf(operName).join() === "="))
    return inSelect(environment.encode(testexpr, environment), select, environment, true);
  return anyValue(problem, `sub-select ${subLinkType}`, "unknown");
}

/** One select without aggregates, groups and limits. `offset 0` changes no row. */
function isPlain(select: Tree): boolean {
  const {
    op,
    limitCount,
    limitOffset,
    groupClause,
    havingClause,
    withClause,
    distinctClause,
    valuesLists,
    windowClause,
  } = select;
  const skips = limitOffset && JSON.stringify(limitOffset) !== '{"A_Const":{"ival":{}}}';
  return (
    op === "SETOP_NONE" &&
    !(limitCount || skips || groupClause || havingClause || withClause || distinctClause || valuesLists || windowClause)
  );
}

/** An aggregate or a set of rows in the list would change how many rows there are. */
const isColumn = ({ ResTarget: { val } }: Tree): boolean => ["ColumnRef", "A_Const"].includes(nodeOf(val)[0]);

/**
 * `value in (select …)`. That no row is equal is known only in one direction: it is false or null.
 *
 * @param columnsOnly false for the argument of array_agg, which the caller has unwrapped
 */
function inSelect(value: Value, select: Tree, environment: Environment, columnsOnly: boolean): Truth {
  const { problem } = environment;
  const [target] = select.targetList;
  const isKnown = select.targetList.length === 1 && (!columnsOnly || isColumn(target));
  const key = JSON.stringify(value);
  const exists = isKnown
    ? existing(
        select,
        environment,
        (inner) => compared("=", value, inner.encode(target.ResTarget.val, inner), problem).isTrue,
        key,
      )
    : undefined;
  if (!exists) return asTruth(anyValue(problem, "in a sub-select", "boolean"));
  const isFalse = problem.declare(`${exists.slice(1, -1)} is false`, "() Bool");
  problem.facts.push(implies(isFalse, not(exists)));
  return truth(exists, isFalse);
}

/** Whether the select has a row. Undefined if it reads more than tables. */
function existing(
  select: Tree,
  environment: Environment,
  test: (inner: Environment) => string,
  tested: string,
): string | undefined {
  const { problem, catalogue, role, scopes, depth } = environment;
  const tables: Tree[] = (select.fromClause ?? []).map((item: Tree) => item.RangeVar);
  const names = tables.map((table) => table && `${table.schemaname}.${table.relname}`);
  const known = names.every((name) => catalogue.tables.some((table) => table.name === name && table.kind === "table"));
  if (names.length === 0 || !known || depth > 6) return undefined;
  const holds = (rows: Row[]): string => {
    const scope = Object.fromEntries(
      rows.map((row, place) => [tables[place].alias?.aliasname ?? tables[place].relname, row]),
    );
    const inner = { ...environment, scopes: [scope, ...scopes] };
    const where = select.whereClause ? asTruth(inner.encode(select.whereClause, inner)).isTrue : "true";
    const visible = rows.map((row) => environment.admitted("select", row, { ...environment, depth: depth + 1 }).isTrue);
    return and(...visible, where, test(inner));
  };
  const around = scopes.map((scope) =>
    Object.entries(scope)
      .map(([alias, { id }]) => `${alias}=${id}`)
      .join(),
  );
  const key = JSON.stringify([select, tested, role, around, environment.parameters, catalogue.version]);
  return existence(problem, key, names, holds);
}

/** The select behind an array: `(select f())::uuid[]` of a function that returns `array_agg(…)`. */
function arrayOf(tree: Tree, environment: Environment): { select: Tree; environment: Environment } | undefined {
  const [kind, node] = nodeOf(tree);
  if (kind === "TypeCast") return arrayOf(node.arg, environment);
  if (kind === "SubLink" && node.subLinkType === "EXPR_SUBLINK")
    return aggregated(node.subselect.SelectStmt, environment);
  if (kind !== "FuncCall" || environment.depth > 6) return undefined;
  const found = functionNamed(environment.catalogue, namesOf(node.funcname).join("."), (node.args ?? []).length);
  if (found?.language !== "sql" || found.definer || found.otherSettings || found.body === null || node.args)
    return undefined;
  const [statement, ...more] = statementsOf(found.body);
  if (!statement?.SelectStmt || more.length > 0) return undefined;
  return aggregated(statement.SelectStmt, bodyEnvironment(found, [], environment));
}

function aggregated(select: Tree, environment: Environment): { select: Tree; environment: Environment } | undefined {
  if (!isPlain(select) || select.targetList?.length !== 1) return undefined;
  const [
    {
      ResTarget: { val },
    },
  ] = select.targetList;
  if (!select.fromClause && !select.whereClause) return arrayOf(val, environment);
  const { funcname, args, agg_filter: filter, agg_distinct: distinct } = val.FuncCall ?? {};
  if (!funcname || namesOf(funcname).at(-1) !== "array_agg" || filter || distinct || args?.length !== 1)
    return undefined;
  if (nodeOf(args[0])[0] !== "ColumnRef") return undefined;
  return { select: { ...select, targetList: [{ ResTarget: { val: args[0] } }] }, environment };
}

/** `= any (…)` and `<> all (…)`. */
export function likeAny(operator: string, ofAll: boolean, left: Tree, right: Tree, environment: Environment): Value {
  const { problem, encode } = environment;
  const [kind, node] = nodeOf(right);
  const value = encode(left, environment);
  if (kind === "A_ArrayExpr") {
    const parts = (node.elements ?? []).map((one: Tree) =>
      compared(operator, value, encode(one, environment), problem),
    );
    return ofAll ? conjunction(parts) : disjunction(parts);
  }
  const found = (operator === "=" && !ofAll) || (operator === "<>" && ofAll) ? arrayOf(right, environment) : undefined;
  if (!found) return anyValue(problem, `${operator} ${ofAll ? "all" : "any"} of ${kind}`, "boolean");
  const isElement = inSelect(value, found.select, found.environment, false);
  return ofAll ? negated(isElement) : isElement;
}
