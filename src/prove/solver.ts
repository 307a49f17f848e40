/** The solver Z3: whether values exist under which a formula holds. */
import { loadPackage } from "./packages.ts";
import { compareRows, type Problem } from "./problem.ts";

/** `none`: proven that there are no such values. `some`: the values of the constants, by name. */
export type Answer =
  | { found: "none" }
  | { found: "some"; values: Map<string, number | boolean> }
  | { found: "unknown" };
export type Solver = { solve: (problem: Problem, goal: string) => Promise<Answer>; close: () => void };

type Handle = { readonly __handle: unique symbol };

/** The calls of the C API of Z3 that this file makes. */
type Z3Module = {
  em: {
    PThread: { terminateAllThreads: () => void };
    /** 1 satisfiable, -1 not, 0 unknown. In this thread: the call that `Z3` has starts a thread each time. */
    _Z3_solver_check: (context: Handle, solver: Handle) => number;
  };
  Z3: {
    mk_config: () => Handle;
    mk_context: (config: Handle) => Handle;
    mk_params: (context: Handle) => Handle;
    mk_solver: (context: Handle) => Handle;
    mk_string_symbol: (context: Handle, text: string) => Handle;
    model_to_string: (context: Handle, model: Handle) => string;
    params_dec_ref: (context: Handle, parameters: Handle) => void;
    params_inc_ref: (context: Handle, parameters: Handle) => void;
    params_set_uint: (context: Handle, parameters: Handle, name: Handle, value: number) => void;
    solver_dec_ref: (context: Handle, solver: Handle) => void;
    solver_from_string: (context: Handle, solver: Handle, text: string) => void;
    solver_get_model: (context: Handle, solver: Handle) => Handle;
    solver_inc_ref: (context: Handle, solver: Handle) => void;
    solver_set_params: (context: Handle, solver: Handle, parameters: Handle) => void;
  };
};

/** Steps of the solver, so that each machine decides alike. Questions take some thousand. */
const maxSteps = 20_000_000;

export async function startSolver(): Promise<Solver> {
  const { init } = loadPackage("z3-solver") as { init: () => Promise<Z3Module> };
  const { Z3, em } = await init();
  const context = Z3.mk_context(Z3.mk_config());
  return {
    async solve(problem, goal) {
      compareRows(problem);
      const solver = Z3.mk_solver(context);
      Z3.solver_inc_ref(context, solver);
      try {
        const parameters = Z3.mk_params(context);
        Z3.params_inc_ref(context, parameters);
        Z3.params_set_uint(context, parameters, Z3.mk_string_symbol(context, "rlimit"), maxSteps);
        Z3.solver_set_params(context, solver, parameters);
        Z3.params_dec_ref(context, parameters);
        Z3.solver_from_string(context, solver, problem.text(goal));
        const isSatisfiable = em._Z3_solver_check(context, solver);
        if (isSatisfiable === -1) return { found: "none" };
        if (isSatisfiable === 0) return { found: "unknown" };
        return { found: "some", values: valuesOf(Z3.model_to_string(context, Z3.solver_get_model(context, solver))) };
      } finally {
        Z3.solver_dec_ref(context, solver);
      }
    },
    close: () => em.PThread.terminateAllThreads(),
  };
}

/** Constants of a model as Z3 prints it: `name -> 3.0`, one a line. */
function valuesOf(model: string): Map<string, number | boolean> {
  const values = new Map<string, number | boolean>();
  for (const [, name = "", value = ""] of model.matchAll(/^\|?(.+?)\|? -> (true|false|\S.*)$/gm)) {
    if (value === "true" || value === "false") values.set(name, value === "true");
    else values.set(name, numberOf(value));
  }
  return values;
}

function numberOf(text: string): number {
  const [one = Number.NaN, other = 1] = (text.match(/\d+(\.\d+)?/g) ?? []).map(Number);
  return (text.includes("(- ") || text.startsWith("-") ? -one : one) / other;
}
