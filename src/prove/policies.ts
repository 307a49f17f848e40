/** Which rows the policies of a table admit to a role, as PostgreSQL combines them. */
import { type Catalogue, type Command, type Policy, tableNamed } from "./catalogue.ts";
import type { Environment } from "./environment.ts";
import { encode } from "./expression.ts";
import { expressionOf } from "./parse.ts";
import { anyValue, type Problem, type Row } from "./problem.ts";
import { always, asTruth, conjunction, disjunction, never, type Truth } from "./terms.ts";

export const environmentOf = (problem: Problem, catalogue: Catalogue, role: string): Environment => ({
  ...{ problem, catalogue, role, scopes: [], parameters: {}, depth: 0, encode },
  admitted: (command, row, environment) => admitted(command, row, environment),
});

/** The condition of a policy on rows that it shows, or on rows that are written. */
type Side = "using" | "check";

/**
 * A permissive policy must admit the row, and every restrictive one. Without a permissive policy no row is admitted.
 *
 * @param side an update has both: `using` for the row as it was, and `check` for the row as it is written
 */
export function admitted(
  command: Command,
  row: Row,
  environment: Environment,
  side: Side = command === "insert" ? "check" : "using",
): Truth {
  const { catalogue, role, depth } = environment;
  const table = tableNamed(catalogue, row.table);
  if (!table || !isBound(catalogue, row.table, role)) return always;
  if (depth > 12) return asTruth(anyValue(environment.problem, "policies that refer to each other", "boolean"));
  const applying = policiesOf(table.policies, command, role);
  const conditionOf = (policy: Policy): Truth => {
    const text = side === "check" ? (policy.check ?? policy.using) : policy.using;
    if (text === null) return never;
    const short = row.table.split(".").at(-1) ?? row.table;
    return asTruth(encode(expressionOf(text), { ...environment, scopes: [{ [short]: row }], parameters: {} }));
  };
  const permissive = applying.filter((policy) => policy.permissive).map(conditionOf);
  const restrictive = applying.filter((policy) => !policy.permissive).map(conditionOf);
  return conjunction([disjunction(permissive), ...restrictive]);
}

export const policiesOf = (policies: Policy[], command: Command, role: string): Policy[] =>
  policies.filter((policy) => (policy.command === command || policy.command === "all") && policy.roles.includes(role));

/** The owner of a table is bound only where row-level security is forced. */
export function isBound(catalogue: Catalogue, name: string, role: string): boolean {
  const table = tableNamed(catalogue, name);
  if (!table?.secured || catalogue.unbound.includes(role)) return false;
  return table.forced || !catalogue.owners[table.owner]?.includes(role);
}
