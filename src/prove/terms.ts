/**
 * Values of SQL as terms of SMT-LIB. A scalar is a number and whether it is null; what the number stands for does not matter,
 * since conditions only compare. Real numbers leave room between two values, as text and times do. A condition is a pair, true
 * and false; null is neither (three-valued logic).
 */
export type Scalar = {
  kind: "scalar";
  type: string;
  value: string;
  isNull: string;
  /** The text of a constant. */
  literal?: string;
};
export type Truth = { kind: "truth"; isTrue: string; isFalse: string };
export type Value = Scalar | Truth;

export const and = (...terms: string[]): string => joined("and", terms, "true", "false");
export const or = (...terms: string[]): string => joined("or", terms, "false", "true");
export const not = (term: string): string => (term === "true" ? "false" : term === "false" ? "true" : `(not ${term})`);
export const implies = (one: string, other: string): string => or(not(one), other);
export const equal = (one: string, other: string): string => (one === other ? "true" : `(= ${one} ${other})`);
export const choose = (when: string, one: string, other: string): string =>
  when === "true" ? one : when === "false" ? other : one === other ? one : `(ite ${when} ${one} ${other})`;

function joined(operator: string, terms: string[], neutral: string, absorbing: string): string {
  if (terms.includes(absorbing)) return absorbing;
  const rest = [...new Set(terms.filter((term) => term !== neutral))];
  return rest.length === 0 ? neutral : rest.length === 1 ? (rest[0] as string) : `(${operator} ${rest.join(" ")})`;
}

export const truth = (isTrue: string, isFalse: string): Truth => ({ kind: "truth", isTrue, isFalse });
export const scalar = (type: string, value: string, isNull = "false"): Scalar => ({
  kind: "scalar",
  type,
  value,
  isNull,
});
export const nothing = (type: string): Scalar => scalar(type, "0.0", "true");
export const always = truth("true", "false");
export const never = truth("false", "true");

/** A boolean is 1 for true, and any other number for false. */
export function asTruth(value: Value): Truth {
  if (value.kind === "truth") return value;
  const isTrue = equal(value.value, "1.0");
  return truth(and(not(value.isNull), isTrue), and(not(value.isNull), not(isTrue)));
}

export function asScalar(value: Value): Scalar {
  if (value.kind === "scalar") return value;
  return scalar("boolean", choose(value.isTrue, "1.0", "0.0"), not(or(value.isTrue, value.isFalse)));
}

export const negated = ({ isTrue, isFalse }: Truth): Truth => truth(isFalse, isTrue);
export const conjunction = (parts: Truth[]): Truth =>
  truth(and(...parts.map(({ isTrue }) => isTrue)), or(...parts.map(({ isFalse }) => isFalse)));
export const disjunction = (parts: Truth[]): Truth => negated(conjunction(parts.map(negated)));
export const isNullOf = (value: Value): string =>
  value.kind === "scalar" ? value.isNull : not(or(value.isTrue, value.isFalse));

/** Types whose equal values are the same value, so that a function returns the same for them. */
const identical = new Set([
  ...["uuid", "text", "name", "character varying", "boolean", "smallint", "integer", "bigint", "oid", "bytea"],
  ...["timestamp with time zone", "timestamp without time zone", "date", "xid8"],
]);
/** Types that an order of numbers describes, except for values that are equal and print differently. */
const comparable = new Set(["numeric", "double precision", "real", "interval", "inet", "cidr"]);

export const isIdentical = (type: string, enumerations: Record<string, unknown>): boolean =>
  identical.has(type) || type in enumerations;
export const isComparable = (type: string, enumerations: Record<string, unknown>): boolean =>
  comparable.has(type) || isIdentical(type, enumerations);
const numbers = new Set(["smallint", "integer", "bigint", "numeric"]);
const texts = new Set(["text", "name", "character varying"]);
export const areComparable = (one: string, other: string): boolean =>
  one === other || (numbers.has(one) && numbers.has(other)) || (texts.has(one) && texts.has(other));
export const isNumber = (type: string): boolean => numbers.has(type);
export const isText = (type: string): boolean => texts.has(type);
