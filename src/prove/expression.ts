/**
 * An expression of SQL as a value (terms.ts). What is not understood becomes any value and is noted, so that nothing is
 * proven by a guess.
 */
import { called } from "./calls.ts";
import { compared, nullIf } from "./comparisons.ts";
import type { Environment } from "./environment.ts";
import { namesOf, nodeOf, type Tree, typeOf } from "./parse.ts";
import { anyValue, inDomain, type Problem } from "./problem.ts";
import { likeAny, sublink } from "./subselects.ts";
import {
  always,
  and,
  asScalar,
  asTruth,
  choose,
  conjunction,
  disjunction,
  equal,
  isNullOf,
  isText,
  negated,
  never,
  not,
  nothing,
  type Scalar,
  scalar,
  truth,
  type Value,
} from "./terms.ts";

export function encode(tree: Tree, environment: Environment): Value {
  const [kind, node] = nodeOf(tree);
  const { problem } = environment;
  const each = (trees: Tree[] = []): Value[] => trees.map((one) => encode(one, environment));
  const truths = (trees: Tree[]) => each(trees).map(asTruth);
  switch (kind) {
    case "A_Const":
      return constantOf(node, problem);
    case "TypeCast":
      if (node.typeName.typmods) return anyValue(problem, "a cast that shortens", typeOf(node.typeName));
      return castOf(encode(node.arg, environment), typeOf(node.typeName), problem);
    case "ColumnRef":
      return columnOf(namesOf(node.fields), environment);
    case "ParamRef":
      return environment.parameters[`$${node.number}`] ?? anyValue(problem, `$${node.number}`, "unknown");
    case "BoolExpr": {
      const parts = truths(node.args);
      if (node.boolop === "AND_EXPR") return conjunction(parts);
      return node.boolop === "OR_EXPR" ? disjunction(parts) : negated(parts[0] ?? never);
    }
    case "NullTest": {
      const isNull = isNullOf(encode(node.arg, environment));
      return node.nulltesttype === "IS_NULL" ? truth(isNull, not(isNull)) : truth(not(isNull), isNull);
    }
    case "BooleanTest":
      return tested(asTruth(encode(node.arg, environment)), node.booltesttype);
    case "CoalesceExpr":
      return coalesced(each(node.args).map(asScalar), problem);
    case "CaseExpr":
      return caseOf(node, environment);
    case "A_Expr":
      return operated(node, environment);
    case "FuncCall":
      return called(node, environment);
    case "SubLink":
      return sublink(node, environment);
    default:
      return anyValue(problem, kind, "unknown");
  }
}

function constantOf({ isnull, ival, fval, sval, boolval }: Tree, problem: Problem): Value {
  if (isnull) return nothing("unknown");
  if (boolval) return boolval.boolval ? always : never;
  if (ival) return problem.literal(`${ival.ival ?? 0}`, "integer");
  if (fval) return problem.literal(fval.fval, "numeric");
  return problem.literal(sval?.sval ?? "", "unknown");
}

function castOf(value: Value, type: string, problem: Problem): Value {
  const given = asScalar(value);
  if (given.literal !== undefined) return problem.literal(given.literal, type);
  if (given.type === type || given.isNull === "true") return { ...given, type };
  if (isText(given.type) && isText(type) && type !== "name") return { ...given, type };
  const setting = [...problem.settings.values()].find(({ text }) => given.value.includes(text.value));
  const cast = anyCast(problem, given, type);
  setting?.casts.set(type, named(problem, `${setting.text.value.slice(1, -1)} as ${type}`, cast));
  return cast;
}

/** A cast of text is a function: equal texts give equal values, and null gives null. */
function anyCast(problem: Problem, given: Scalar, type: string): Scalar {
  const term = `(${problem.declare(`cast ${given.type} as ${type}`, "(Real) Real")} ${given.value})`;
  if (!isText(given.type)) problem.notUnderstood.add(`cast of ${given.type} to ${type}`);
  return inDomain(problem, scalar(type, term, given.isNull));
}

/** A constant with this name and value, so that an example shows it. */
function named(problem: Problem, name: string, { type, value, isNull }: Scalar): Scalar {
  const constant = problem.declare(name, "() Real");
  problem.facts.push(equal(constant, value));
  return scalar(type, constant, isNull);
}

function columnOf(names: string[], { scopes, parameters, problem }: Environment): Value {
  const [first = "", second] = names.slice(-2);
  for (const scope of scopes) {
    if (second !== undefined) {
      const row = scope[first];
      if (row) return row.columns[second] ?? anyValue(problem, `column ${names.join(".")}`, "unknown");
    } else {
      const found = Object.values(scope).flatMap((row) => row.columns[first] ?? []);
      if (found.length === 1) return found[0] as Scalar;
    }
  }
  return parameters[names.join(".")] ?? anyValue(problem, names.join("."), "unknown");
}

/** A constant without a type takes the type of its alternatives. */
const typed = (value: Scalar, type: string, problem: Problem): Scalar =>
  value.type === "unknown" && value.literal !== undefined ? problem.literal(value.literal, type) : value;

function tested({ isTrue, isFalse }: ReturnType<typeof asTruth>, test: string): Value {
  const isNull = not(`(or ${isTrue} ${isFalse})`);
  const term = test.endsWith("TRUE") ? isTrue : test.endsWith("FALSE") ? isFalse : isNull;
  return test.startsWith("IS_NOT") ? truth(not(term), term) : truth(term, not(term));
}

function coalesced(values: Scalar[], problem: Problem): Scalar {
  const type = values.find((each) => each.type !== "unknown")?.type ?? "unknown";
  return values
    .map((each) => typed(each, type, problem))
    .reduceRight(
      (rest, value) => scalar(type, choose(value.isNull, rest.value, value.value), and(value.isNull, rest.isNull)),
      nothing(type),
    );
}

function caseOf({ arg, args, defresult }: Tree, environment: Environment): Value {
  const tested = arg ? encode(arg, environment) : undefined;
  const otherwise = defresult ? asScalar(encode(defresult, environment)) : nothing("unknown");
  const cases: { when: string; gives: Scalar }[] = args.map(({ CaseWhen: { expr, result } }: Tree) => {
    const when = encode(expr, environment);
    const holds = tested ? compared("=", tested, when, environment.problem) : asTruth(when);
    return { when: holds.isTrue, gives: asScalar(encode(result, environment)) };
  });
  const type =
    [...cases.map(({ gives }) => gives), otherwise].find((each) => each.type !== "unknown")?.type ?? "unknown";
  const results = cases.map(({ when, gives }) => ({ when, gives: typed(gives, type, environment.problem) }));
  return results.reduceRight(
    (rest, { when, gives }) =>
      scalar(type, choose(when, gives.value, rest.value), choose(when, gives.isNull, rest.isNull)),
    typed(otherwise, type, environment.problem),
  );
}

function operated({ kind, name, lexpr, rexpr }: Tree, environment: Environment): Value {
  const { problem } = environment;
  const operator = namesOf(name).join(".");
  if (kind === "AEXPR_OP_ANY" || kind === "AEXPR_OP_ALL")
    return likeAny(operator, kind === "AEXPR_OP_ALL", lexpr, rexpr, environment);
  if (!lexpr) return anyValue(problem, `operator ${operator}`, "unknown", [asScalar(encode(rexpr, environment))]);
  const left = encode(lexpr, environment);
  if (kind === "AEXPR_IN" || kind.startsWith("AEXPR_BETWEEN")) {
    const items: Value[] = rexpr.List.items.map((one: Tree) => encode(one, environment));
    if (kind === "AEXPR_IN") {
      const parts = items.map((item) => compared("=", left, item, problem));
      return operator === "=" ? disjunction(parts) : negated(disjunction(parts));
    }
    const [low = left, high = left] = items;
    if (kind === "AEXPR_BETWEEN")
      return conjunction([compared(">=", left, low, problem), compared("<=", left, high, problem)]);
    return anyValue(problem, kind, "boolean");
  }
  const right = encode(rexpr, environment);
  if (kind === "AEXPR_NULLIF") return nullIf(left, right, problem);
  if (kind === "AEXPR_DISTINCT" || kind === "AEXPR_NOT_DISTINCT") {
    const { isTrue } = compared("=", left, right, problem);
    const same = `(or ${isTrue} ${and(isNullOf(left), isNullOf(right))})`;
    return kind === "AEXPR_DISTINCT" ? truth(not(same), same) : truth(same, not(same));
  }
  if (["=", "<>", "<", ">", "<=", ">="].includes(operator)) return compared(operator, left, right, problem);
  const [one, other] = [asScalar(left), asScalar(right)];
  if (operator === "||" && one.literal !== undefined && other.literal !== undefined)
    return problem.literal(one.literal + other.literal, "text");
  const type = operator === "||" ? "text" : operator.includes("~") ? "boolean" : "unknown";
  const result = anyValue(problem, `operator ${operator}`, type, [one, other], true); // operators of PostgreSQL are strict
  return other.literal === undefined ? result : named(problem, `${operator} ${other.literal}`, result);
}
