/**
 * When to verify the whole log at once. PostgreSQL counts updated and deleted rows, and the log has none. If a counter
 * changes, the job verifies everything from the first leaf, not only its next part.
 * (sql/jobs/checkpoint_entries.sql)
 */
import type { Fault } from "../fault.ts";
import { treeFault } from "./faults.ts";

/** @param rewrites rows that were updated or deleted @param late rows that were inserted into a past week; null if it is not past */
export type Counters = { relation: string; name: string; rewrites: string; late: string | null };

export type Pass = "none" | "start" | "continue";

export type Rewrites = {
  /** The entries that the next run verifies. */
  passFor(counters: Counters[]): Pass;
  /** A run without faults ended. */
  ran(pass: Pass, isPassComplete: boolean): void;
  isInPass(): boolean;
  /**
   * Changes that no pass finds: of older checkpoints, and of entries in no checkpoint yet whose chain was computed again. A
   * statistics reset and a crash set the counters to 0.
   */
  faults(): Fault[];
};

export function watchRewrites(): Rewrites {
  let before: Map<string, Counters> | undefined;
  let pass: Pass = "none";
  const isChanged = ({ relation, rewrites, late }: Counters): boolean => {
    const known = before?.get(relation);
    if (!known) return rewrites !== "0" || (before !== undefined && (late ?? "0") !== "0");
    return rewrites !== known.rewrites || (known.late !== null && late !== known.late);
  };
  return {
    passFor(counters) {
      if (counters.some(isChanged)) pass = "start";
      before = new Map(counters.map((each) => [each.relation, each]));
      return pass;
    },
    ran(ended, isPassComplete) {
      if (ended !== "none" && ended === pass) pass = isPassComplete ? "none" : "continue";
    },
    isInPass: () => pass !== "none",
    faults: () =>
      [...(before?.values() ?? [])].flatMap(({ name, rewrites }) => {
        const [, week] = /^audit_log_(\d{8})$/.exec(name) ?? [];
        if (rewrites === "0" || (name !== "audit_checkpoints" && week === undefined)) return [];
        const fault = week === undefined ? treeFault("checkpoint") : treeFault("rewritten", Number(week));
        return [{ ...fault, last_sequence: Number(rewrites) }];
      }),
  };
}
