/** Variables whose every assignment is the caller's organisation. */
import type { Body } from "./bodies.ts";
import { boundsOf } from "./bounds.ts";
import type { Catalogue } from "./catalogue.ts";
import { type Context, partOf } from "./frames.ts";
import type { Query } from "./queries-of-bodies.ts";
import type { Solver } from "./solver.ts";
import { type Scalar, scalar } from "./terms.ts";

/** Variables whose every assignment is the caller's organisation. Found by repetition: each step proves one from those before. */
export async function trustedVariables(
  context: Context,
  body: Body,
  catalogue: Catalogue,
  solver: Solver,
): Promise<Set<string>> {
  const trusted = new Set<string>();
  const candidates = new Map<string, { tree: unknown; output: (query: Query) => Scalar | undefined }[]>();
  const records = new Set(body.variables.filter(({ isRecord }) => isRecord).map(({ name }) => name));
  const note = (name: string, tree: unknown, output: (query: Query) => Scalar | undefined) =>
    candidates.set(name, [...(candidates.get(name) ?? []), { tree, output }]);
  for (const statement of body.statements) {
    if ("reason" in statement || !statement.into) continue;
    const { tree, into } = statement;
    if ("record" in into) {
      note(
        `${into.record}.organisation_id`,
        tree,
        ({ outputs }) => outputs.find(([name]) => name === "organisation_id")?.[1],
      );
    } else {
      for (const [place, name] of into.fields.entries()) {
        note(name, tree, ({ outputs }) => outputs[place]?.[1]);
        if (records.has(name)) note(`${name}.organisation_id`, tree, () => undefined); // a row as a whole
      }
    }
  }
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const [name, assignments] of candidates) {
      if (trusted.has(name) || !/organisation/.test(name)) continue;
      let all = true;
      for (const { tree, output } of assignments) {
        const { frame, query, policies } = partOf(tree, context, body, catalogue, trusted);
        const unknown = scalar("unknown", frame.problem.declare("no value", "() Real"));
        const question = { conditions: [...query.conditions, ...policies], value: output(query) ?? unknown };
        all = all && (await boundsOf(solver, frame, query, [question]))[0]?.by === "caller";
      }
      if (!all) continue;
      trusted.add(name);
      isChanged = true;
    }
  }
  return trusted;
}
