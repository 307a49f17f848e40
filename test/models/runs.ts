/** Model of runs: their states, the queue of a conversation, and leases of executors. (docs/specification/runs.md#states) */
import fc from "fast-check";
import { at, type Do, type Model } from "./model.ts";

export type RunState = ("queued" | "running" | "waiting_approval" | "blocked") | ("completed" | "failed" | "cancelled");
type Run = { bot: number; state: RunState; error: string | null; lost: number; lease: "current" | "expired" };
type Runs = { runs: Run[] };

export type RunAction =
  | Do<"start", { bot: number }>
  | Do<"lease">
  | Do<keyof typeof calls | "lose" | "answer" | "expire" | "cancel" | "resume" | "retry", { run: number }>;

const lostExecutors = 3;

export const isEnd = (state: string): boolean => ["completed", "failed", "cancelled"].includes(state);

/** What each call of an executor that has the lease answers, and the state of the run after it. */
export const calls = {
  renew: ["", "running"],
  step: ["running", "running"],
  spend: ["failed", "failed"],
  finish: ["completed", "completed"],
  fail: ["failed", "failed"],
  block: ["blocked", "blocked"],
  ask: ["asked", "waiting_approval"],
} as const;

/** The oldest queued run of each conversation without a working run; of these, the oldest. */
function nextRun({ runs }: Runs): Run | undefined {
  const working = runs.filter(({ state }) => state === "running" || state === "waiting_approval");
  return runs.find((run) => run.state === "queued" && !working.some(({ bot }) => bot === run.bot));
}

/** Each lease releases runs of lost executors first. */
function release(runs: Run[]): void {
  for (const run of runs.filter(({ state, lease }) => state === "running" && lease === "expired")) {
    run.lost += 1;
    run.state = run.lost === lostExecutors ? "failed" : "queued";
    run.error = run.lost === lostExecutors ? "executor_lost" : null;
  }
}

/** Mostly the first run, so that sequences reach its end. */
const run = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(4) });
export const runsModel: Model<Runs, RunAction> = {
  start: () => ({ runs: [] }),
  actions: fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant("start" as const), bot: fc.nat(1) }) },
    { weight: 5, arbitrary: fc.record({ do: fc.constant("lease" as const) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        ...{
          do: fc.constantFrom(...(["renew", "step", "spend", "finish", "fail", "block", "ask"] as const)),
          run,
        },
      }),
    },
    { weight: 4, arbitrary: fc.record({ do: fc.constant("lose" as const), run }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("answer" as const, "expire" as const), run }) },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constantFrom("cancel" as const, "resume" as const, "retry" as const), run }),
    },
  ),
  applies: ({ runs }, action) => !("run" in action) || runs.length > 0,
  next(state, action) {
    const { runs } = state;
    if (action.do === "start") {
      runs.push({ bot: action.bot, state: "queued", error: null, lost: 0, lease: "current" });
      return "202 queued";
    }
    if (action.do === "lease") {
      release(runs);
      const next = nextRun(state);
      if (!next) return "none";
      Object.assign(next, { state: "running", lease: "current" });
      return `run ${runs.indexOf(next)}`;
    }
    const chosen = at(runs, action.run);
    switch (action.do) {
      case "lose":
        if (chosen.state === "running") chosen.lease = "expired";
        return "done";
      case "answer":
      case "expire":
        if (chosen.state === "waiting_approval") chosen.state = "queued";
        return "done";
      case "cancel":
        if (!isEnd(chosen.state)) chosen.state = "cancelled";
        return `200 ${chosen.state}`;
      case "resume":
        if (chosen.state !== "blocked") return "409 run_not_blocked";
        chosen.state = "queued";
        return "200 queued";
      case "retry":
        if (!isEnd(chosen.state)) return "409 run_not_ended";
        runs.push({ bot: chosen.bot, state: "queued", error: null, lost: 0, lease: "current" });
        return "202 queued";
      default: {
        if (chosen.state !== "running" || chosen.lease !== "current") return "OA002";
        const [answer, after] = calls[action.do];
        chosen.state = after;
        if (after === "failed") chosen.error = action.do === "spend" ? "budget_spend" : "executor_failed";
        return answer;
      }
    }
  },
  shown: ({ runs }) => runs.map(({ state, error }) => `${state} ${error}`),
};
