/** Deletes organisations whose time has come, step by step. (sql/jobs/deletions.sql) */
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import type { Log } from "../log.ts";

/**
 * The state more: call again. log: entries of the audit log are deleted next. failed: the organisation waits a minute, others
 * may go on. Any other: nothing to do now.
 */
type Step = {
  state: "more" | "log" | "failed" | "waiting" | "left" | null;
  organisation_id: string | null;
  failure: string | null;
};

async function deleteLogEntries(pool: Pool, organisation: string | null): Promise<string | null> {
  const { rows } = await pool.query<{ failure: string | null }>("select jobs.delete_log_entries($1) as failure", [
    organisation,
  ]);
  return rows[0]?.failure ?? null;
}

/** Time of one run, so that a large organisation does not delay other maintenance. */
const usualBudgetMs = 1_000;

/** @returns whether there is more to do at once */
export async function deleteOrganisations(pool: Pool, log: Log, budgetMs = usualBudgetMs): Promise<boolean> {
  const until = performance.now() + budgetMs;
  do {
    const began = performance.now();
    const { rows } = await pool.query<Step>("select * from jobs.delete_organisations()");
    const { state = null, organisation_id: organisation = null, failure = null } = rows[0] ?? {};
    if (state === "left") log.error({ organisation }, "rows of a deleted organisation are left, will search again");
    const failed = state === "log" ? await deleteLogEntries(pool, organisation) : failure;
    if (failed) log.error({ organisation, failure: failed }, "a step of a deletion failed, will try again");
    if (!["more", "log", "failed"].includes(state ?? "")) return false;
    await sleep(performance.now() - began); // calls get the processor in between
  } while (performance.now() < until);
  return true;
}
