/** Steps that no later executor of the run repeats. (docs/specification/executors.md#keyed-steps) */
import type { Assignment, Done, EngineContext, Once, Step } from "./engine.ts";
import { RunEnded } from "./engine.ts";

type Call = <Value>(text: string, values: unknown[]) => Promise<Value | undefined>;
type Recorded = { state: string; kept: boolean };

/**
 * @param call a function of schema runner, under the lease
 * @param record records a step without a key
 */
export function stepsOnce(run: Assignment, call: Call, record: (step: Step) => Promise<void>): EngineContext["once"] {
  let usesKeys = true;
  let stepsLeft = run.left.steps;

  /** False: the result is too large, or PostgreSQL cannot store its text. Nothing was recorded then. */
  async function keep<Result>({ key, kind }: Once<Result>, { result, spent = {}, memoryIds = [] }: Done<Result>) {
    const { inputTokens = 0, outputTokens = 0, spendMicroCents = 0, model } = spent;
    const values = [key, kind, inputTokens, outputTokens, spendMicroCents, model, JSON.stringify(result), memoryIds];
    const text = "keyed_step($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    const recorded = await call<Recorded>(text, values).catch((error: Error & { code?: string }) => {
      if (error.code === "OA001" || error.code?.startsWith("22")) return undefined;
      throw error;
    });
    if (recorded && recorded.state !== "running") throw new RunEnded();
    usesKeys = recorded?.kept === true;
    return recorded !== undefined;
  }

  return async (step, work) => {
    if (usesKeys && step.key in run.results) {
      const earlier = step.result.safeParse(run.results[step.key]);
      if (earlier.success) return earlier.data;
      usesKeys = false; // an executor of another version stored it
    }
    if (stepsLeft <= 0) await record({ kind: step.kind }); // ends the run, before work that would not count
    const done = await work();
    stepsLeft -= 1;
    if (!usesKeys || !(await keep(step, done))) await record({ kind: step.kind, ...done.spent });
    return done.result;
  };
}
