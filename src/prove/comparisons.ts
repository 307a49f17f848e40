/** Comparisons of two values. */
import { anyValue, type Problem } from "./problem.ts";
import {
  and,
  areComparable,
  asScalar,
  asTruth,
  equal,
  isComparable,
  not,
  or,
  type Scalar,
  scalar,
  type Truth,
  truth,
  type Value,
} from "./terms.ts";

/** A comparison with null is null. */
export function compared(operator: string, left: Value, right: Value, problem: Problem): Truth {
  const [one, other] = sameType(asScalar(left), asScalar(right), problem);
  const known = not(or(one.isNull, other.isNull));
  if (known === "false") return truth("false", "false");
  if (!areComparable(one.type, other.type) || !isComparable(one.type, problem.catalogue.enumerations)) {
    const any = asTruth(anyValue(problem, `${one.type} ${operator} ${other.type}`, "boolean", [one, other]));
    return truth(and(known, any.isTrue), and(known, any.isFalse));
  }
  const holds = term(operator, one.value, other.value);
  return truth(and(known, holds), and(known, not(holds)));
}

const term = (operator: string, one: string, other: string): string =>
  operator === "=" ? equal(one, other) : operator === "<>" ? not(equal(one, other)) : `(${operator} ${one} ${other})`;

/** A constant without a type takes the type of what it is compared with. */
function sameType(one: Scalar, other: Scalar, problem: Problem): [Scalar, Scalar] {
  if (one.type === "unknown" && one.literal !== undefined && other.type !== "unknown")
    return [problem.literal(one.literal, other.type), other];
  if (other.type === "unknown" && other.literal !== undefined && one.type !== "unknown")
    return [one, problem.literal(other.literal, one.type)];
  if (one.literal !== undefined && other.literal !== undefined && one.type === "unknown" && other.type === "unknown")
    return [problem.literal(one.literal, "text"), problem.literal(other.literal, "text")];
  return [one, other];
}

export function nullIf(left: Value, right: Value, problem: Problem): Value {
  const value = asScalar(left);
  return scalar(value.type, value.value, or(value.isNull, compared("=", left, right, problem).isTrue));
}
