/** Compares two catalogues: which rows became visible or writable, and to whom. */
import { createHash } from "node:crypto";
import { type Catalogue, type Command, type Policy, type Table, tableNamed } from "./catalogue.ts";
import { environmentOf, policiesOf } from "./policies.ts";
import { newProblem } from "./problem.ts";
import { accessOf, commands, type Example, holdConstraints, privilegeOf, unprinted } from "./prove.ts";
import type { Solver } from "./solver.ts";
import { type Way, waysAround } from "./structure.ts";
import { and, not } from "./terms.ts";
import { sqlValue } from "./values.ts";

/** `more` rows or columns than before, `less`, or `unknown` where the solver or the prover does not decide. */
export type Difference = {
  kind: "more" | "less" | "unknown";
  role: string;
  table: string;
  command: Command;
  /** What changed in the catalogue. */
  what: string[];
  /** A row that one side admits and the other does not, by column, with the settings of its reader. */
  example: Record<string, string> | null;
};
export type Comparison = { differences: Difference[]; ways: Way[]; functions: string[] };

export async function compare(before: Catalogue, after: Catalogue, solver: Solver): Promise<Comparison> {
  const differences: Difference[] = [];
  const names = new Set(
    [...before.tables, ...after.tables].filter(({ kind }) => kind === "table").map(({ name }) => name),
  );
  const sides = [versioned(before), versioned(after)] as const;
  for (const table of names) {
    const roles = new Set(
      [...before.privileges, ...after.privileges].filter((each) => each.table === table).map(({ role }) => role),
    );
    for (const role of roles) {
      for (const command of commands)
        differences.push(...(await compareAccess(...sides, solver, role, table, command)));
    }
  }
  const known = new Set(waysAround(before).map((way) => JSON.stringify(way)));
  return {
    differences,
    ways: waysAround(after).filter((way) => !known.has(JSON.stringify(way))),
    functions: changedFunctions(before, after),
  };
}

/** Sub-selects of equal definitions are the same. */
const versioned = (catalogue: Catalogue): Catalogue => ({
  ...catalogue,
  version: createHash("sha256")
    .update(JSON.stringify([catalogue.tables, catalogue.functions, catalogue.owners, catalogue.unbound]))
    .digest("hex"),
});

export async function compareAccess(
  before: Catalogue,
  after: Catalogue,
  solver: Solver,
  role: string,
  name: string,
  command: Command,
): Promise<Difference[]> {
  const former = privilegeOf(before, role, name, command);
  const present = privilegeOf(after, role, name, command);
  const [one, other] = [tableNamed(before, name), tableNamed(after, name)];
  if (former === undefined && present === undefined) return [];
  const base = { role, table: name, command, example: null };
  if (!one || former === undefined) return [{ ...base, kind: "more", what: [`new privilege ${columnsOf(present)}`] }];
  if (!other || present === undefined) return [{ ...base, kind: "less", what: [`no privilege any more`] }];
  const found: Difference[] = [];
  const gained = added(former, present, other);
  const lost = added(present, former, one);
  if (gained.length > 0) found.push({ ...base, kind: "more", what: [`new privilege on ${gained.join(", ")}`] });
  if (lost.length > 0) found.push({ ...base, kind: "less", what: [`no privilege any more on ${lost.join(", ")}`] });
  if (before.version === after.version) return found;
  const changed = changedPolicies(one, other, command, role);
  const what = changed.length > 0 ? changed : ["a policy or function that its policies use"];
  for (const kind of ["more", "less"] as const) {
    const problem = newProblem(after);
    const former = accessOf(problem, before, role, one, command);
    const present = accessOf(problem, after, role, other, command);
    if (former.term === present.term) break;
    const goal = kind === "more" ? and(present.term, not(former.term)) : and(former.term, not(present.term));
    const open = unprinted(problem); // constraints leave much open
    let answer = await solver.solve(problem, goal);
    if (answer.found === "some") {
      holdConstraints(problem, after, environmentOf(problem, after, role));
      answer = await solver.solve(problem, goal);
    }
    if (answer.found === "none") continue;
    const isDecided = answer.found === "some" && open.length === 0;
    const example =
      answer.found === "some" ? shown({ problem, values: answer.values, at: 0, ...present.by }, after) : null;
    found.push({ ...base, kind: isDecided ? kind : "unknown", what, example });
  }
  return found;
}

/** Columns that the second privilege covers and the first does not. */
const added = (one: string[] | null, other: string[] | null, { columns }: Table): string[] =>
  one === null ? [] : (other ?? columns.map(({ name }) => name)).filter((name) => !one.includes(name));

const columnsOf = (columns: string[] | null | undefined): string =>
  columns ? `on ${columns.join(", ")}` : "on all columns";

function changedPolicies(before: Table, after: Table, command: Command, role: string): string[] {
  const [then, now] = [before, after].map(
    (table) => new Map(policiesOf(table.policies, command, role).map((each) => [each.name, textOf(each)])),
  );
  const names = [...new Set([...(then?.keys() ?? []), ...(now?.keys() ?? [])])];
  return [
    ...names
      .filter((name) => then?.get(name) !== now?.get(name))
      .map((name) => `policy ${name}: ${then?.get(name) ?? "none"} → ${now?.get(name) ?? "none"}`),
    ...(before.secured === after.secured ? [] : [`row-level security ${after.secured ? "on" : "off"}`]),
    ...(before.forced === after.forced ? [] : [`row-level security ${after.forced ? "forced" : "not forced"}`]),
  ];
}

const textOf = ({ permissive, using, check }: Policy): string =>
  [permissive ? "" : "restrictive ", using === null ? "" : `using ${using}`, check === null ? "" : ` check ${check}`]
    .join("")
    .replaceAll(/\s+/g, " ")
    .trim();

function changedFunctions(before: Catalogue, after: Catalogue): string[] {
  const textOfAll = ({ functions }: Catalogue) =>
    new Map(functions.map((each) => [each.identity, JSON.stringify(each)]));
  const [then, now] = [textOfAll(before), textOfAll(after)];
  return [...new Set([...then.keys(), ...now.keys()])].filter((name) => then.get(name) !== now.get(name)).sort();
}

/** The values that matter, by column and setting. */
function shown(example: Example, catalogue: Catalogue): Record<string, string> {
  const row = example.after ?? example.before;
  const columns = Object.entries(row?.columns ?? {}).flatMap(([name, column]) => [
    [name, sqlValue(example, column, catalogue)] as const,
  ]);
  const settings = [...example.problem.settings].flatMap(([name, { casts }]) =>
    [...casts.values()].map((cast) => [name, sqlValue(example, cast, catalogue)] as const),
  );
  return Object.fromEntries(
    [...columns, ...settings].flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
