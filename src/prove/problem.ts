/**
 * A question for the solver: constants with what they stand for, facts, and what was not understood. The solver looks for
 * values of all constants under which the facts hold.
 */
import type { Catalogue } from "./catalogue.ts";
import { and, equal, implies, isIdentical, isNumber, isText, not, or, type Scalar, scalar } from "./terms.ts";

/** A row with a constant for each column. `id` distinguishes it in the names of constants. */
export type Row = { id: string; table: string; columns: Record<string, Scalar> };

/** A sub-select: whether it has a row, and the row. `holds` builds the condition of another row of the same tables. */
type Exists = { term: string; tables: string; rows: Row[]; holds: (rows: Row[]) => string; compared: Set<string> };

export type Problem = {
  catalogue: Catalogue;
  facts: string[];
  /** Constants of settings, with the terms that a cast of the setting has. */
  settings: Map<string, { text: Scalar; casts: Map<string, Scalar> }>;
  rows: Row[];
  exists: Map<string, Exists>;
  /** What the formulas leave open, so that a found row may be none. */
  notUnderstood: Set<string>;
  declare: (name: string, signature: string) => string;
  constant: (name: string, type: string) => Scalar;
  literal: (text: string, type: string) => Scalar;
  next: () => number;
  /** A script for the solver. */
  text: (goal: string) => string;
  /** Also facts that the question does not concern, for an example that is a whole row. */
  isWhole: boolean;
};

export function newProblem(catalogue: Catalogue): Problem {
  const declared = new Map<string, string>();
  const literals = new Map<string, Map<string, string>>();
  let count = 0;
  const problem: Problem = {
    ...{
      catalogue,
      facts: [],
      settings: new Map(),
      rows: [],
      exists: new Map(),
      notUnderstood: new Set(),
      isWhole: false,
    },
    declare(name, signature) {
      const term = `|${name.replace(/[|\\]/g, "/")}|`;
      if (!declared.has(term)) declared.set(term, signature);
      return term;
    },
    constant(name, type) {
      const value = problem.declare(name, "() Real");
      problem.facts.push(domain(value, type, catalogue));
      return scalar(type, value, problem.declare(`${name} is null`, "() Bool"));
    },
    literal(text, type) {
      return { ...scalar(type, literalTerm(problem, literals, text, type)), literal: text };
    },
    next: () => ++count,
    text(goal) {
      const facts = problem.isWhole ? problem.facts : relevant(problem.facts, goal);
      const used = new Set([goal, ...facts].flatMap(symbolsOf));
      const distinct = [...literals.values()].map((terms) => [...terms.values()].filter((term) => used.has(term)));
      return [
        ...[...used].map((name) => `(declare-fun ${name} ${declared.get(name)})`),
        ...distinct.filter((terms) => terms.length > 1).map((terms) => `(assert (distinct ${terms.join(" ")}))`),
        ...[...facts, goal].map((fact) => `(assert ${fact})`),
      ].join("\n");
    },
  };
  return problem;
}

const symbols = new Map<string, string[]>();

function symbolsOf(term: string): string[] {
  const known = symbols.get(term) ?? [...new Set(term.match(/\|[^|]*\|/g))];
  if (symbols.size > 20_000) symbols.clear();
  if (term.length < 1_000) symbols.set(term, known);
  return known;
}

/** Facts that share constants with the question, directly or through others. Without the others less is proven, never more. */
function relevant(facts: string[], goal: string): string[] {
  const used = new Set(symbolsOf(goal));
  const open = new Set(facts.filter((fact) => fact !== "true"));
  const found: string[] = [];
  for (let before = -1; before !== found.length; ) {
    before = found.length;
    for (const fact of open) {
      const own = symbolsOf(fact);
      if (!own.some((name) => used.has(name))) continue;
      for (const name of own) used.add(name);
      open.delete(fact);
      found.push(fact);
    }
  }
  return found;
}

/** A value of an enumeration is the place of its label. */
const domain = (value: string, type: string, { enumerations }: Catalogue): string =>
  type === "boolean"
    ? or(equal(value, "0.0"), equal(value, "1.0"))
    : type in enumerations
      ? or(...(enumerations[type] ?? []).map((_, place) => equal(value, `${place}.0`)))
      : "true";

export const inDomain = (problem: Problem, value: Scalar): Scalar => {
  problem.facts.push(implies(not(value.isNull), domain(value.value, value.type, problem.catalogue)));
  return value;
};

function literalTerm(problem: Problem, literals: Map<string, Map<string, string>>, text: string, type: string): string {
  if (type === "boolean") return /^(t|true|yes|on|1)$/i.test(text) ? "1.0" : "0.0";
  const place = problem.catalogue.enumerations[type]?.indexOf(text);
  if (place !== undefined && place >= 0) return `${place}.0`;
  if (isNumber(type) && /^-?\d+$/.test(text)) return text.startsWith("-") ? `(- ${text.slice(1)}.0)` : `${text}.0`;
  // Two texts that differ are two values. Another type may have two spellings of one value.
  const kind = isText(type) ? "text" : type;
  const spelled = type === "uuid" ? text.toLowerCase() : text;
  const term = problem.declare(`${kind} '${spelled}'`, "() Real");
  if (isText(type) || type === "uuid") {
    const known = literals.get(kind) ?? new Map<string, string>();
    literals.set(kind, known.set(spelled, term));
  }
  return term;
}

export function newRow(problem: Problem, table: string, id: string): Row {
  const columns = problem.catalogue.tables.find(({ name }) => name === table)?.columns ?? [];
  const row = {
    ...{ id, table },
    columns: Object.fromEntries(columns.map(({ name, type }) => [name, problem.constant(`${id}.${name}`, type)])),
  };
  problem.rows.push(row);
  return row;
}

/**
 * The result of something that is not understood: any value, and the same for the same arguments. Without `arguments`, any
 * value each time.
 */
export function anyValue(problem: Problem, name: string, type: string, of?: Scalar[], isStrict = false): Scalar {
  problem.notUnderstood.add(name);
  const given = of?.map((each) =>
    each.type === "unknown" && each.literal !== undefined ? problem.literal(each.literal, "text") : each,
  );
  const known = given?.every((each) => isIdentical(each.type, problem.catalogue.enumerations));
  if (!given || !known) return problem.constant(`any ${name} ${problem.next()}`, type);
  if (given.length === 0) return problem.constant(name, type);
  const signature = (result: string) => `(${given.map(() => "Real Bool").join(" ")}) ${result}`;
  const types = given.map((each) => each.type).join(",");
  // A null argument has no value, so its number must not matter.
  const terms = given.map(({ value, isNull }) => `(ite ${isNull} 0.0 ${value}) ${isNull}`).join(" ");
  return inDomain(
    problem,
    scalar(
      type,
      `(${problem.declare(`${name}(${types})`, signature("Real"))} ${terms})`,
      or(
        ...(isStrict ? given.map(({ isNull }) => isNull) : []),
        `(${problem.declare(`${name}(${types}) is null`, signature("Bool"))} ${terms})`,
      ),
    ),
  );
}

/**
 * Whether rows of these tables exist under a condition. If so, one of them is `rows`. If not, no other known row of the same
 * tables fulfils the condition.
 */
export function existence(problem: Problem, key: string, tables: string[], holds: (rows: Row[]) => string): string {
  const known = problem.exists.get(key);
  if (known) return known.term;
  const term = problem.declare(`exists ${problem.exists.size}`, "() Bool");
  const entry: Exists = { term, tables: tables.join(), rows: [], holds, compared: new Set([key]) };
  problem.exists.set(key, entry);
  entry.rows = tables.map((table, place) => newRow(problem, table, `${table} ${problem.exists.size}.${place}`));
  problem.facts.push(implies(term, holds(entry.rows)));
  return term;
}

/** Compares each sub-select with the rows of the others. New sub-selects that this brings are compared too, twice. */
export function compareRows(problem: Problem): void {
  for (let round = 0; round < 2; round += 1) {
    const all = [...problem.exists];
    for (const [, one] of all) {
      for (const [key, other] of all) {
        if (one.tables !== other.tables || one.compared.has(key)) continue;
        one.compared.add(key);
        problem.facts.push(implies(and(other.term, one.holds(other.rows)), one.term));
      }
    }
  }
}
