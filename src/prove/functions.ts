/**
 * The bodies of functions that run with their owner's rights and that a caller reaches. Each read and write of a row of an
 * organisation must be bound to the organisation of the caller, to the row of the trigger, or to an argument that every call
 * takes from there.
 */
import { type Body, bodyOf } from "./bodies.ts";
import { type Bound, boundsOf } from "./bounds.ts";
import type { Catalogue } from "./catalogue.ts";
import { type Context, type Part, partOf } from "./frames.ts";
import type { Row } from "./problem.ts";
import { isOfOrganisation } from "./queries-of-bodies.ts";
import type { Solver } from "./solver.ts";
import type { Scalar } from "./terms.ts";
import { trustedVariables } from "./trusted-variables.ts";

export type AccessResult = { access: string; bound: Bound };
export type CallResult = { name: string; boundOf: (argument: string, place: number) => Promise<Bound> };
export type Analysis = { context: Context; accesses: AccessResult[]; reasons: string[]; calls: CallResult[] };

export async function analyse(context: Context, catalogue: Catalogue, solver: Solver): Promise<Analysis> {
  const { found, role } = context;
  const analysis: Analysis = { context, accesses: [], calls: [], reasons: [] };
  let body: Body;
  try {
    body = bodyOf(found, catalogue);
  } catch (error) {
    analysis.reasons.push(`PostgreSQL's parser: ${(error as Error).message.split("\n")[0]}`);
    return analysis;
  }
  // Of what runs as tenant only the calls matter, and of these few.
  const trusted = onlyOnce(() => trustedVariables(context, body, catalogue, solver));
  for (const statement of body.statements) {
    if ("reason" in statement) {
      analysis.reasons.push(statement.reason);
      continue;
    }
    const part = onlyOnce(async () => partOf(statement.tree, context, body, catalogue, await trusted()));
    const { query } = partOf(statement.tree, context, body, catalogue, new Set());
    analysis.reasons.push(...query.reasons);
    if (role !== "tenant" && query.accesses.some(({ row }) => isOfOrganisation(catalogue, row.table)))
      analysis.accesses.push(...(await accessesOf(await part(), catalogue, solver)));
    for (const [at, { name, given }] of query.calls.entries()) {
      if (name.endsWith("set_config") && given[0]?.value.literal?.startsWith("caller.") !== false)
        analysis.reasons.push("it sets the identity of the caller");
      if (/(^|[.])(\w+_to_xml\w*|ts_stat)$/.test(name)) analysis.reasons.push("dynamic SQL"); // they run a text
      const boundOf = async (argument: string, place: number) =>
        boundOfArgument(await part(), at, argument, place, solver);
      analysis.calls.push({ name, boundOf });
    }
  }
  return analysis;
}

/** Runs once, when it is needed. */
function onlyOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

async function accessesOf(
  { frame, query, policies }: Part,
  catalogue: Catalogue,
  solver: Solver,
): Promise<AccessResult[]> {
  const questions = query.accesses.flatMap(({ command, row, conditions }, place) =>
    isOfOrganisation(catalogue, row.table)
      ? [
          {
            access: `${command} on ${row.table}`,
            conditions: [...conditions, policies[place] ?? "true"],
            value: organisationOf(row),
          },
        ]
      : [],
  );
  const bounds = await boundsOf(solver, frame, query, questions);
  return questions.map(({ access }, place) => ({ access, bound: bounds[place] as Bound }));
}

/** @param argument a name, or the organisation of a row such as `run.organisation_id` */
async function boundOfArgument(
  { frame, query, policies }: Part,
  at: number,
  argument: string,
  place: number,
  solver: Solver,
): Promise<Bound> {
  const { given = [], conditions = [] } = query.calls[at] ?? {};
  const [name, field] = argument.split(".");
  const passed = given.find((each) => each.name === name) ?? given[place];
  const value = field === undefined ? passed?.value : frame.parameters[`${passed?.variable}.${field}`];
  if (!value) return { by: "none" };
  const [bound] = await boundsOf(solver, frame, query, [{ conditions: [...conditions, ...policies], value }]);
  return bound ?? { by: "none" };
}

const organisationOf = ({ table, columns }: Row): Scalar =>
  columns[table === "app.organisations" ? "id" : "organisation_id"] as Scalar;
