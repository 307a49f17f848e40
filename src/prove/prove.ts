/** Proves the statements for each role, table and command of a catalogue. */
import { type Catalogue, type Command, type Table, tableNamed } from "./catalogue.ts";
import type { Environment } from "./environment.ts";
import { encode } from "./expression.ts";
import { expressionOf } from "./parse.ts";
import { admitted, environmentOf, isBound, policiesOf } from "./policies.ts";
import { newProblem, newRow, type Problem, type Row } from "./problem.ts";
import { changedByTriggers } from "./row-triggers.ts";
import type { Answer, Solver } from "./solver.ts";
import { type Statement, statementsFor } from "./statements.ts";
import { and, asTruth, equal, not, or } from "./terms.ts";

export type Verdict = "proven" | "refuted" | "not proven" | "excepted";
export type Result = {
  role: string;
  table: string;
  command: Command;
  policies: string[];
  statement: Statement;
  verdict: Verdict;
  /** What the formulas leave open. */
  reasons: string[];
  /** The rows and settings that refute the statement. */
  example?: Example;
};
export type Example = {
  problem: Problem;
  before?: Row;
  after?: Row;
  values: Map<string, number | boolean>;
  at: number;
};

export const commands: Command[] = ["select", "insert", "update", "delete"];

/** The columns that a role may use a command on. Undefined without the privilege; null for all columns. */
export function privilegeOf(
  { privileges }: Catalogue,
  role: string,
  table: string,
  command: Command,
): string[] | null | undefined {
  const found = privileges.find(
    (each) => each.role === role && each.table === table && each.privilege.toLowerCase() === command,
  );
  return found?.columns;
}

type Access = { table: Table; role: string; command: Command };

/** @param only what to prove; all by default */
export async function provePolicies(
  catalogue: Catalogue,
  solver: Solver,
  only: (access: Access) => boolean = () => true,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const table of catalogue.tables.filter((each) => each.kind === "table")) {
    const roles = new Set(catalogue.privileges.filter((each) => each.table === table.name).map(({ role }) => role));
    for (const role of roles) {
      for (const command of commands) {
        if (only({ table, role, command }))
          results.push(...(await proveCommand(catalogue, solver, role, table, command)));
      }
    }
  }
  return results;
}

async function proveCommand(
  catalogue: Catalogue,
  solver: Solver,
  role: string,
  table: Table,
  command: Command,
): Promise<Result[]> {
  if (privilegeOf(catalogue, role, table.name, command) === undefined) return [];
  const policies = policiesOf(table.policies, command, role);
  const results: Result[] = [];
  for (const statement of statementsFor(role, table, command)) {
    const result = {
      ...{ role, table: table.name, command, statement, reasons: [] },
      policies: policies.map(({ name }) => name),
    };
    const isClosed = isBound(catalogue, table.name, role) && !policies.some(({ permissive }) => permissive);
    if (isClosed) results.push({ ...result, verdict: "proven" });
    else if (statement.condition === undefined) results.push({ ...result, verdict: "excepted" });
    else
      results.push({
        ...result,
        ...(await proveStatement(catalogue, solver, role, table, command, statement.condition)),
      });
  }
  return results;
}

async function proveStatement(
  catalogue: Catalogue,
  solver: Solver,
  role: string,
  table: Table,
  command: Command,
  condition: string,
): Promise<Pick<Result, "verdict" | "reasons" | "example">> {
  const problem = newProblem(catalogue);
  const access = accessOf(problem, catalogue, role, table, command);
  const environment = environmentOf(problem, catalogue, role);
  const holds = access.rows.map(
    (row) =>
      asTruth(encode(expressionOf(condition), { ...environment, scopes: [{ [shortName(table.name)]: row }] })).isTrue,
  );
  const reasons = unprinted(problem); // check constraints leave much open
  const goal = and(access.term, not(and(...holds)));
  let answer: Answer = await solver.solve(problem, goal);
  if (answer.found === "some") {
    // Most proofs need no check constraint. An example without them would often be no row that a table can hold.
    const empty = holdConstraints(problem, catalogue, environment);
    answer = await solver.solve(problem, and(goal, ...empty));
    if (answer.found !== "some") answer = await solver.solve(problem, goal);
  }
  if (answer.found === "none") return { verdict: "proven", reasons: [] };
  if (answer.found === "unknown") return { verdict: "not proven", reasons: ["the solver did not decide"] };
  const example = { problem, values: answer.values, at: Date.now(), ...access.by };
  return { verdict: reasons.length > 0 ? "not proven" : "refuted", reasons, example };
}

/**
 * A row fulfils the check constraints of its table, or they are null.
 *
 * @returns that columns which may be null are: a simpler example, if there is one
 */
export function holdConstraints(problem: Problem, catalogue: Catalogue, environment: Environment): string[] {
  const empty: string[] = [];
  problem.isWhole = true;
  for (const row of [...problem.rows]) {
    const { checks = [], columns = [] } = tableNamed(catalogue, row.table) ?? {};
    for (const { name, required } of columns) {
      const isNull = row.columns[name]?.isNull ?? "false";
      if (required) problem.facts.push(not(isNull));
      else empty.push(isNull);
    }
    for (const check of checks) {
      const scopes = [{ [shortName(row.table)]: row }];
      problem.facts.push(not(asTruth(encode(expressionOf(check), { ...environment, scopes })).isFalse));
    }
  }
  return empty;
}

const shortName = (table: string): string => table.split(".").at(-1) ?? table;

/** What is not understood, except the time and functions of the setting caller.credential: an example has values for them. */
export const unprinted = ({ notUnderstood }: Problem): string[] =>
  [...notUnderstood].filter((name) => !/^(function (starts_with|split_part|now)|operator ~~)$/.test(name));

/** Whether a command reaches a row: `before` as it was, `after` as it is written. */
export function accessOf(
  problem: Problem,
  catalogue: Catalogue,
  role: string,
  table: Table,
  command: Command,
): { term: string; rows: Row[]; by: { before?: Row; after?: Row } } {
  const environment = environmentOf(problem, catalogue, role);
  const before = command === "insert" ? undefined : newRow(problem, table.name, "row");
  const after = command === "insert" || command === "update" ? newRow(problem, table.name, "new row") : undefined;
  const terms = [
    before ? admitted(command, before, environment, "using").isTrue : "true",
    after ? admitted(command, after, environment, "check").isTrue : "true",
    before && after ? kept(catalogue, role, table, before, after) : "true",
  ];
  return {
    term: and(...terms),
    rows: [before, after].flatMap((row) => row ?? []),
    by: { ...(before ? { before } : {}), ...(after ? { after } : {}) },
  };
}

/** An update cannot change columns without the privilege, unless a trigger does. */
function kept(catalogue: Catalogue, role: string, table: Table, before: Row, after: Row): string {
  const changing = privilegeOf(catalogue, role, table.name, "update");
  if (changing === null) return "true";
  const byTriggers = changedByTriggers(catalogue, table);
  return and(
    ...table.columns.flatMap(({ name, generated }) => {
      if (generated) return [];
      const [one, other] = [before.columns[name], after.columns[name]];
      if (!one || !other || changing?.includes(name) || byTriggers === "any" || byTriggers.has(name)) return [];
      return and(equal(one.isNull, other.isNull), or(one.isNull, equal(one.value, other.value)));
    }),
  );
}
