/** The variables and arguments of a body as constants, and a statement of the body as a query over them. */
import type { Body } from "./bodies.ts";
import { type Catalogue, type SqlFunction, tableNamed } from "./catalogue.ts";
import { expressionOf } from "./parse.ts";
import { admitted, environmentOf } from "./policies.ts";
import { newProblem, newRow, type Problem, type Row } from "./problem.ts";
import { isOfOrganisation, type Query, queryOf } from "./queries-of-bodies.ts";
import { organisation } from "./settings.ts";
import { asScalar, type Scalar } from "./terms.ts";
import { write } from "./writes-of-bodies.ts";

/** A function, and the role whose rights it has. */
export type Context = { found: SqlFunction; role: string };

/** `trusted`: the parameters that are known to be the caller's organisation. */
export type Frame = {
  problem: Problem;
  own: Scalar;
  parameters: Record<string, Scalar>;
  trusted: Set<string>;
  given: string[];
  /** A transition table of a trigger for each statement. */
  transition: (name: string) => Row | undefined;
};

/** A statement of a body, with the condition of the policies on each row that it reads or writes. */
export type Part = { frame: Frame; query: Query; policies: string[] };

export function partOf(tree: unknown, context: Context, body: Body, catalogue: Catalogue, trusted: Set<string>): Part {
  const frame = frameOf(context, body, catalogue, new Set(trusted));
  const environment = { ...environmentOf(frame.problem, catalogue, context.role), parameters: frame.parameters };
  const query = queryOf(tree, { environment, tables: new Map(), write, transition: frame.transition });
  const policies = query.accesses.map(
    ({ command, row, role, isNew }) =>
      admitted(command, row, { ...environment, role, parameters: {} }, isNew ? "check" : "using").isTrue,
  );
  return { frame, query, policies };
}

/** Arguments that can hold an organisation: ids, and rows of tables. */
function argumentsOf({ arguments: all }: SqlFunction, catalogue: Catalogue): string[] {
  return all.flatMap(({ name, type }) => {
    if (type === "uuid" && name) return [name];
    return isOfOrganisation(catalogue, type)
      ? [`${name}.${type === "app.organisations" ? "id" : "organisation_id"}`]
      : [];
  });
}

function frameOf(
  { found, role }: Context,
  { variables, statements }: Body,
  catalogue: Catalogue,
  trusted: Set<string>,
): Frame {
  const problem = newProblem(catalogue);
  const parameters: Record<string, Scalar> = {};
  // An argument or a row of the trigger that the body assigns is no longer the given one.
  const written = new Set(
    statements.flatMap((each) =>
      "reason" in each || !each.into ? [] : "record" in each.into ? [each.into.record] : each.into.fields,
    ),
  );
  const isKept = (name: string) => !written.has(name) && !written.has(name.split(".")[0] ?? "");
  const short = found.name.split(".")[1] ?? found.name;
  const names = (name: string, value: Scalar) => {
    parameters[name] = value;
    parameters[`${short}.${name}`] = value;
  };
  for (const { name, isRecord } of variables)
    if (!isRecord) names(name, problem.constant(`variable ${name}`, "unknown"));
  for (const [place, { name, type }] of found.arguments.entries()) {
    const columns = tableNamed(catalogue, type)?.columns ?? [];
    for (const column of columns)
      parameters[`${name}.${column.name}`] = problem.constant(`${name}.${column.name}`, column.type);
    const value = problem.constant(`argument ${name || place + 1}`, type);
    if (name) names(name, value);
    parameters[`$${place + 1}`] = value;
  }
  for (const name of trusted) parameters[name] ??= problem.constant(`variable ${name}`, "uuid");
  for (const name of trusted) parameters[name] = { ...(parameters[name] as Scalar), type: "uuid" };
  let transition: Frame["transition"] = () => undefined;
  if (found.isTrigger) {
    const tables = [
      ...new Set(catalogue.triggers.filter((each) => each.function === found.identity).map(({ table }) => table)),
    ];
    for (const table of tables.filter((each) => isOfOrganisation(catalogue, each))) {
      const key = table === "app.organisations" ? "id" : "organisation_id";
      for (const side of ["new", "old"]) {
        const row = newRow(problem, table, `${side} of trigger`);
        for (const [name, value] of Object.entries(row.columns)) parameters[`${side}.${name}`] = value;
        if ((tables.length === 1 || key === "organisation_id") && isKept(`${side}.${key}`))
          trusted.add(`${side}.${key}`);
      }
      transition = (name) => {
        const row = newRow(problem, table, `${name} ${problem.next()}`);
        parameters[`${name}.${key}`] = row.columns[key] as Scalar;
        trusted.add(`${name}.${key}`);
        return row;
      };
    }
  }
  const own = asScalar(
    environmentOf(problem, catalogue, role).encode(expressionOf(organisation), environmentOf(problem, catalogue, role)),
  );
  return { problem, own, parameters, trusted, transition, given: argumentsOf(found, catalogue).filter(isKept) };
}
