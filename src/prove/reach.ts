/** Which functions a caller reaches with which rights, and what is proven of their bodies. */

import type { Bound } from "./bounds.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Context } from "./frames.ts";
import { type Analysis, analyse } from "./functions.ts";
import type { Solver } from "./solver.ts";

/** Roles that act for a caller. What runs as tenant is under the policies of tenant, which are proven. */
const callers = ["server", "tenant", "authenticator", "searcher"];

/** `access`: empty for the function as a whole. */
export type Unproven = { function: string; role: string; access: string; reason: string };
export type FunctionsProof = { functions: number; accesses: number; proven: number; unproven: Unproven[] };

export const proveFunctions = async (catalogue: Catalogue, solver: Solver): Promise<FunctionsProof> =>
  judged(await reached(catalogue, solver), catalogue);

export async function judged(analyses: Analysis[], catalogue: Catalogue): Promise<FunctionsProof> {
  const needs = await neededArguments(analyses, catalogue);
  const unproven: Unproven[] = [...needs.unproven];
  let accesses = 0;
  let proven = 0;
  for (const { context, accesses: own, reasons } of analyses.filter(({ context: { role } }) => role !== "tenant")) {
    const base = { function: context.found.identity, role: context.role };
    for (const reason of reasons) unproven.push({ ...base, access: "", reason });
    for (const { access, bound } of own) {
      accesses += 1;
      const isOpen = bound.by === "argument" && bound.names.some((name) => needs.open.has(`${keyOf(context)} ${name}`));
      if (bound.by === "policy")
        unproven.push({ ...base, access, reason: "is bound only in a request of an organisation" });
      else if (bound.by === "none") unproven.push({ ...base, access, reason: "is not bound to an organisation" });
      else if (isOpen)
        unproven.push({
          ...base,
          access,
          reason: `is bound by an argument that is not proven: ${(bound.names ?? []).join(", ")}`,
        });
      else proven += 1;
    }
  }
  const sorted = [...new Map(unproven.map((each) => [JSON.stringify(each), each])).entries()].sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return {
    functions: analyses.filter(({ context }) => context.role !== "tenant").length,
    accesses,
    proven,
    unproven: sorted.map(([, each]) => each),
  };
}

const keyOf = ({ found, role }: Context): string => `${found.identity} as ${role}`;

export async function reached(catalogue: Catalogue, solver: Solver): Promise<Analysis[]> {
  const analyses = new Map<string, Analysis>();
  const queue: Context[] = roots(catalogue);
  for (let context = queue.shift(); context; context = queue.shift()) {
    if (analyses.has(keyOf(context))) continue;
    const analysis = await analyse(context, catalogue, solver);
    analyses.set(keyOf(context), analysis);
    for (const { name } of analysis.calls) queue.push(...calledBy(context, name, catalogue));
  }
  return [...analyses.values()];
}

const calledBy = ({ role }: Context, name: string, { functions }: Catalogue): Context[] =>
  functions.filter((each) => each.name === name).map((found) => ({ found, role: found.definer ? found.owner : role }));

/** A trigger without its owner's rights has the rights of the writer, and definer functions write too. */
function roots({ functions, triggers, tables }: Catalogue): Context[] {
  const ofTriggers = new Map(
    triggers.map((each) => [each.function, tables.find(({ name }) => name === each.table)?.owner]),
  );
  return functions.flatMap((found): Context[] => {
    const writer = ofTriggers.get(found.identity);
    if (found.isTrigger) return writer === undefined ? [] : [{ found, role: found.definer ? found.owner : writer }];
    const isReached = found.definer && found.executedBy.some((role) => callers.includes(role));
    return isReached ? [{ found, role: found.owner }] : [];
  });
}

/**
 * Arguments that bind rows must be the caller's organisation at each call. The argument of a function that calls with its own
 * argument is needed too.
 */
async function neededArguments(
  analyses: Analysis[],
  catalogue: Catalogue,
): Promise<{ open: Set<string>; unproven: Unproven[] }> {
  const needed = new Map<string, { context: Context; name: string }>();
  const need = (context: Context, bound: Bound) => {
    if (bound.by !== "argument") return;
    for (const name of bound.names) needed.set(`${keyOf(context)} ${name}`, { context, name });
  };
  for (const { context, accesses } of analyses)
    for (const { bound } of accesses) if (context.role !== "tenant") need(context, bound);
  const open = new Set<string>();
  const unproven: Unproven[] = [];
  // The map grows while it is read.
  for (const [key, { context, name }] of needed) {
    const { found, role } = context;
    const refuse = (reason: string) => {
      open.add(key);
      unproven.push({ function: found.identity, role, access: "", reason });
    };
    if (found.executedBy.includes("server")) refuse(`a process gives the argument ${name}`);
    const place = found.arguments.findIndex((each) => each.name === name.split(".")[0]);
    for (const caller of analyses) {
      for (const call of caller.calls) {
        if (!calledBy(caller.context, call.name, catalogue).some((each) => keyOf(each) === keyOf(context))) continue;
        const bound = await call.boundOf(name, place);
        if (bound.by === "argument") need(caller.context, bound);
        else if (bound.by !== "caller") refuse(`${caller.context.found.identity} gives the argument ${name}`);
      }
    }
  }
  return { open, unproven };
}
